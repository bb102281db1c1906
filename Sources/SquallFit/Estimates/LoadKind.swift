import SquallKernel

/// The kind of load: a closed load of the same users, or visits that arrive.
///
/// Decided once, over the whole log. In a closed load all users are there from the beginning or
/// come back within one absence; where visits arrive, new users keep coming and others leave at any
/// time. So the moments at which users are seen for the first and for the last time have another
/// density under each kind, and both likelihoods are of the same moments. Each user is either
/// present at the end of the log, with the rest of a look to go, or not; the share is free in both.
/// A ramp of a load test is one more parameter (Schwarz, Annals of Statistics 1978).
struct LoadKind: Sendable {
    let isClosed: Bool
    /// True if no user leaves: between two journeys is a pause as between two screens.
    let isConstant: Bool
    /// True if both kinds explain the log nearly as well, or visits are as long as the log.
    let isUnclear: Bool
    /// The number of users of a closed load, if that is not the number that was seen.
    let present: Int?
    /// The logarithm of the likelihood ratio of a closed load to visits that arrive.
    let evidence: Double
    /// The moment at which all users of a ramp had come, in nanoseconds after the beginning of the
    /// log.
    let settled: Int64

    /// A kind with odds of less than 20 to 1 is unclear.
    private static let clearly = 3.0
    private static let returnsMin = 2.5
    private static let returnsSome = 1.2
    /// The longest ramp, as a share of the log.
    private static let rampMax = 0.5
    /// Visits that last longer than this share of the log are mostly cut by its ends.
    private static let longVisit = 0.4
    private static let peopleMax = 4_000

    /// The pauses of a log, and the beginning of each visit.
    struct Evidence {
        let screens: Screens
        let pauses: Pauses
        /// Looks and absences in nanoseconds.
        let looks, absences: [Double]
        let begins: [Int64]
        let span: (first: Int64, last: Int64)
        /// The mean duration of visits as far as they were seen, in nanoseconds.
        let meanVisit: Double
    }

    init(_ log: Evidence, given: Bool?) {
        let length = Double(log.span.last - log.span.first)
        let visits = log.screens.visits.compactMap { visit in
            visit.first.flatMap { first in visit.last.map { (first.began, $0.ended) } }
        }
        let people = visits.prefix(Self.peopleMax)
        let firsts = people.map { max(0, Double($0.0 - log.span.first)) }
        let lasts = people.map { max(0, Double(log.span.last - $0.1)) }
        let model = EndTimes(looks: log.looks, absences: log.absences, length: length)
        evidence =
            model.gain(firsts, isClosed: true) + model.gain(lasts, isClosed: true)
            - model.gain(firsts, isClosed: false) - model.gain(lasts, isClosed: false)
        let returns = Double(log.begins.count) / Double(max(1, visits.count))
        let isTold = abs(evidence) > Self.clearly
        let isBack = log.pauses.areTwoKinds && returns >= Self.returnsSome
        let isSteady = !isBack || Self.isSteady(log, returns: returns)
        let isLong = !log.pauses.areTwoKinds && log.meanVisit > Self.longVisit * length
        let seen: Bool
        if isBack {
            seen = isSteady && (isTold ? evidence > 0 : returns >= Self.returnsMin)
        } else {
            seen = isTold && evidence > 0 || isLong
        }
        isClosed = given ?? seen
        let isAll = isTold && evidence > 0
        isConstant = isClosed && !log.pauses.areTwoKinds && (isAll || isLong)
        isUnclear =
            given == nil && visits.count > 1
            && (isBack ? isSteady && !isTold : isLong ? !isAll : !isTold)
        let stay = visits.reduce(0.0) { $0 + Double($1.1 - $1.0) }
        present =
            isConstant && !isAll ? max(1, Int((stay / max(1, length)).rounded())) : nil
        let ramp = isClosed ? firsts.sorted().quantile(0.98) : 0
        settled = ramp <= Self.rampMax * length ? Int64(ramp) : 0
    }

    /// True if visits come at a steady rate, once all users had time to come: a test may begin with
    /// all of them at once.
    private static func isSteady(_ log: Evidence, returns: Double) -> Bool {
        let (start, end) = log.span
        let round = Double(end - start) / max(1, returns)
        let settled = start + min((end - start) / 2, Int64(2 * round))
        return Arrivals(log.begins.filter { $0 >= settled }, from: settled, to: end).isSteady
    }

    /// The densities of the time from an end of a log to a user's nearest request.
    private struct EndTimes {
        private let looks, absences: [Double]
        private let look, absence: Double
        private let length: Double

        init(looks: [Double], absences: [Double], length: Double) {
            (self.looks, self.absences) = (looks.sorted(), absences.sorted())
            (look, absence) = (Moments(looks).mean, Moments(absences).mean)
            self.length = max(1, length)
        }

        /// The log-likelihood of times under a kind of load, less the cost of its parameters.
        func gain(_ times: [Double], isClosed: Bool) -> Double {
            let cost = PortableMath.log(Double(max(2, times.count))) / 2
            let atOnce = times.map { rest($0, looks, look) }
            guard isClosed else {
                return max(
                    mixed(atOnce, times.map { _ in 1 / length }),
                    mixed(atOnce, uneven(times))
                        - Double(Self.bins - 1) * cost)
            }
            var gains = [mixed(atOnce, atOnce)]
            if !absences.isEmpty {
                gains.append(mixed(atOnce, times.map { rest($0, absences, absence) }))
            }
            // A few users of a test that begin or stop at another time are no ramp of all.
            let ramp = max(1, (times.max() ?? 0))
            if ramp <= LoadKind.rampMax * length {
                gains.append(mixed(atOnce, times.map { _ in 1 / ramp }) - cost)
            }
            return gains.max() ?? 0
        }

        private static let bins = 8

        /// Densities of times that differ over the log, as arrivals of a day do.
        private func uneven(_ times: [Double]) -> [Double] {
            func bin(_ time: Double) -> Int {
                min(Self.bins - 1, Int(time / length * Double(Self.bins)))
            }
            var counts = [Double](repeating: 0.5, count: Self.bins)
            for time in times { counts[bin(time)] += 1 }
            let all = counts.reduce(0, +)
            return times.map { counts[bin($0)] / all * Double(Self.bins) / length }
        }

        /// The density of the rest of a span that goes on at any moment.
        private func rest(_ time: Double, _ spans: [Double], _ mean: Double) -> Double {
            spans.isEmpty ? 1 / length : spans.shareAbove(time) / max(1, mean)
        }

        /// The largest log-likelihood of a mixture of two densities.
        private func mixed(_ one: [Double], _ other: [Double]) -> Double {
            var (share, sum) = (0.5, 0.0)
            for _ in 0..<30 {
                var weight = 0.0
                sum = 0
                for (left, right) in zip(one, other) {
                    let whole = max(1e-300, share * left + (1 - share) * right)
                    weight += share * left / whole
                    sum += PortableMath.log(whole)
                }
                share = min(1 - 1e-6, max(1e-6, weight / Double(max(1, one.count))))
            }
            return sum
        }
    }
}
