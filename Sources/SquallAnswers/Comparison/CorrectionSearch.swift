import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

/// Searches for the one setting of a profile that explains the difference from a driven run when it
/// is changed: by simulating the profile with each, at many values and with the run's own seed.
///
/// A closed formula would need a model of the server; the simulation is one, so that queueing,
/// pools and retries count as they do in a run.
struct CorrectionSearch {
    private let driven: ComparisonSide
    private let name: String
    private let profile: Profile
    private let base: [PairedDifference]
    /// Those of them that a server decides: every setting is to bring these closer.
    private let decided: [PairedDifference]
    private let seeds: Int
    /// The requests of one simulation.
    private let requestsEach: Int64
    private let replicator: Replicator

    init(
        _ driven: ComparisonSide, _ name: String, of profile: Profile, _ answer: ComparisonAnswer,
        seeds: Int, _ replicator: Replicator
    ) {
        (self.driven, self.name, self.profile) = (driven, name, profile)
        (base, self.seeds, self.replicator) = (answer.differences, seeds, replicator)
        decided = base.filter { figure in
            guard let (key, aggregate) = Figure.parts(of: figure.name) else { return false }
            return (figure.unit == .nanoseconds || aggregate == "count")
                && (key.endpointOfAllCauses != nil || Self.counted.contains(figure.name))
        }
        requestsEach = answer.requests / Int64(max(1, seeds))
    }

    /// The corrections that are simulated with every seed: at most so many, and those that explain
    /// this part of what the best does.
    private static let finalists = (most: 5, part: 0.5)
    /// The requests that a search simulates for each value, in at most three runs.
    ///
    /// Short runs near saturation differ so much that one of them says little.
    private static let requestsOfValue = 30_000

    /// The settings that could be meant, the best first; none where nothing differs.
    ///
    /// The best leaves the fewest figures that differ and, of equal ones, explains most. Those that
    /// the run cannot tell from it follow, with the load that would.
    ///
    /// - Throws: what stops a simulation.
    func corrections() throws -> [ProfileCorrection] {
        let differing = base.count(where: \.disagrees)
        guard differing > 0 else { return [] }
        let whole = point(at: 0) { $0.b }.misfit
        var found = try searched().compactMap { $0.best(of: profile) }
            .ordered { $0.correction.explained > $1.correction.explained }
        let least = Self.finalists.part * (found.first?.correction.explained ?? 0)
        for index in found.indices.prefix(Self.finalists.most)
        where found[index].correction.explained >= least {
            let tested = try tested(found[index].profile)
            found[index].correction.differing = tested.differing
            found[index].correction.explained = 1 - tested.misfit / whole
            found[index].correction.isTelling = tested.differing * 2 <= differing
        }
        found = found.ordered { one, other in
            let (left, right) = (one.correction, other.correction)
            return (left.differing ?? .max, right.explained) < (
                right.differing ?? .max, left.explained
            )
        }
        return try tellingApart(found, slack: differing > 5 ? 1 : 0).map(\.correction)
    }

    /// A setting with the value that fits best.
    private struct Found {
        var correction: ProfileCorrection
        let profile: Profile
    }

    /// The settings to try: near saturation a rate may tell first that durations are otherwise, so
    /// each is tried whatever differs.
    private var levers: [ServerLever] {
        let shortest = base.first { $0.name == Self.shortest }?.a
        return ServerLever.ofDurations(profile, shortest: shortest) + [.accessLifetime]
            + [furthestEndpoint.map { .serviceTime(of: $0) }].compactMap(\.self)
    }

    /// The endpoint with the median that is furthest off, where there are several: a slow one makes
    /// others wait, too.
    private var furthestEndpoint: String? {
        let medians = base.compactMap { figure -> (endpoint: String, off: Double)? in
            guard let (key, aggregate) = Figure.parts(of: figure.name), aggregate == "med" else {
                return nil
            }
            return key.endpointOfAllCauses.map { ($0, off(figure)) }
        }
        guard Set(medians.map(\.endpoint)).count > 1 else { return nil }
        return medians.max { $0.off < $1.off }?.endpoint
    }

    private func off(_ figure: PairedDifference) -> Double {
        PortableMath.log((figure.a + 1) / (figure.b + 1)).magnitude
    }
}

extension CorrectionSearch {
    /// A setting at the values that were simulated.
    private struct Curve {
        let lever: ServerLever
        /// Ascending by power; the profile's own value is at 0.
        var points: [Point]

        struct Point {
            let power: Double
            /// The logarithms of the figures that a server decides; nil for one that it lacks.
            let logarithms: [Double?]
            let misfit: Double
        }

        /// The setting at the value that fits best; nil if that is the profile's own.
        func best(of profile: Profile) -> Found? {
            guard let own = points.first(where: { $0.power == 0 }),
                let best = points.min(by: { $0.misfit < $1.misfit }), best.misfit < own.misfit
            else { return nil }
            return Found(
                correction: lever.correction(
                    of: profile, at: best.power, explaining: 1 - best.misfit / own.misfit),
                profile: lever.changed(profile, best.power))
        }
    }

    /// Each setting at the values that lead to the one that fits best.
    ///
    /// Figures are taken to follow straight lines between the values that were simulated. Where
    /// these lines come closest to the driven run is simulated next, until that is known; at an end
    /// of what is known, twice as far. Settings take their steps together, for all cores.
    private func searched() throws -> [Curve] {
        let own = point(at: 0) { $0.b }
        var curves = levers.map { Curve(lever: $0, points: [own]) }
        for _ in 0..<Self.steps {
            let asked = curves.indices.flatMap { index in
                next(curves[index]).map { (curve: index, power: $0) }
            }
            let tasks = try asked.flatMap { curve, power in
                try replicator.tasks(runs) { _ in curves[curve].lever.changed(profile, power) }
            }
            let found = try replicator.replications(of: tasks)
            for (place, (curve, power)) in asked.enumerated() {
                let own = FigureSeries.all(
                    of: found[place * runs..<(place + 1) * runs].map(\.figures))
                let means = Dictionary(
                    uniqueKeysWithValues: own.map { ($0.name, $0.values.compactMap(\.self).mean) })
                curves[curve].points.append(point(at: power) { means[$0.name] })
                curves[curve].points = curves[curve].points.ordered { $0.power < $1.power }
            }
        }
        return curves
    }

    /// The runs of each value.
    private var runs: Int {
        min(3, max(1, Self.requestsOfValue / max(1, Int(clamping: requestsEach))))
    }
    /// The most steps of a search, and the closest powers that it tells apart.
    private static let steps = 8
    private static let resolution = 0.03

    /// The powers to simulate next; none where the best is known.
    private func next(_ curve: Curve) -> [Double] {
        guard let first = curve.points.first, let last = curve.points.last, first.power < last.power
        else { return unknown(curve.lever.start, curve) }
        let powers = Array(stride(from: first.power, to: last.power, by: 0.02)) + [last.power]
        let misfits = powers.map { misfit(logarithms(curve, at: $0)) }
        guard let best = misfits.indices.min(by: { misfits[$0] < misfits[$1] }) else { return [] }
        let isEnd = best == 0 || best == powers.count - 1
        return unknown([isEnd ? 2 * powers[best] : powers[best]], curve)
    }

    /// Those of some powers, as the setting can have them, that were not simulated.
    private func unknown(_ powers: [Double], _ curve: Curve) -> [Double] {
        powers.map { curve.lever.nearest(max(-curve.lever.most, min(curve.lever.most, $0))) }
            .filter { power in
                curve.points.allSatisfy { ($0.power - power).magnitude >= Self.resolution }
            }
    }

    /// The figures on the straight line between the neighbours of a power.
    private func logarithms(_ curve: Curve, at power: Double) -> [Double?] {
        let right = curve.points.first { $0.power >= power } ?? curve.points[0]
        let left = curve.points.last { $0.power <= power } ?? right
        guard left.power < right.power else { return left.logarithms }
        let part = (power - left.power) / (right.power - left.power)
        return zip(left.logarithms, right.logarithms).map { left, right in
            guard let left, let right else { return nil }
            return left + (right - left) * part
        }
    }

    private func point(
        at power: Double, _ value: (PairedDifference) -> Double?
    ) -> Curve.Point {
        let logarithms = decided.map { figure in value(figure).map { PortableMath.log($0 + 1) } }
        return .init(power: power, logarithms: logarithms, misfit: misfit(logarithms))
    }

    /// The distance of simulated figures from the driven run, over all that a server decides.
    ///
    /// Each counts by how many of its deviations it is off; the logarithm of that keeps the few
    /// that are far off from drowning all others.
    private func misfit(_ logarithms: [Double?]) -> Double {
        zip(decided, logarithms).reduce(0) { sum, pair in
            guard let simulated = pair.1 else { return sum }
            let ratio = PortableMath.log(pair.0.a + 1) - simulated
            let deviation = (pair.0.difference.halfWidth ?? 0) / 2.3 / (pair.0.b + 1)
            let equal = max(
                0.03, (pair.0.tolerance ?? 0) / max(pair.0.a + 1, PortableMath.exp(simulated)))
            let off = ratio * ratio / (deviation * deviation + equal * equal)
            return sum + PortableMath.log(1 + off)
        }
    }

    private static let shortest = "request_duration min"
    private static let counted: Set = [
        shortest, "request_duration med", "request_duration p(95)",
        "request_duration p(99)", "requests count", "refreshes count", "expired_responses count",
    ]

    /// The number of figures of a profile that differ from the driven run, and their distance, over
    /// all seeds.
    private func tested(_ profile: Profile) throws -> (differing: Int, misfit: Double) {
        let found = try replicator.replications(seeds) { _ in profile }
        let differences = ComparisonAnswer(
            driven, ComparisonSide(name, found), gates: [], replay: ""
        ).differences
        let values = Dictionary(differences.map { ($0.name, $0.b) }) { first, _ in first }
        return (
            differences.count(where: \.disagrees), point(at: 0) { values[$0.name] }.misfit
        )
    }
}

/// Loads that tell two corrections apart.
extension CorrectionSearch {
    /// Loads to try, as shares of the run's users; the last, which takes longest, where no other
    /// tells.
    private static let loads = [0.25, 0.5, 2]
    /// The number of corrections that are told apart, and of the runs of each.
    private static let equals = 3
    private static let runsOfLoad = 4
    private static let telling = [
        "request_duration med", "request_duration p(95)", "steps count",
        "expired_responses count",
    ]

    /// The corrections with the load that tells each of those that leave no more figures than the
    /// best from it; `slack` figures more are random.
    private func tellingApart(_ found: [Found], slack: Int) throws -> [Found] {
        guard let left = found.first?.correction.differing else { return found }
        var found = found
        let equals = found.indices.dropFirst().filter { index in
            let own = found[index].correction
            return own.isTelling && (own.differing ?? .max) <= left + slack
        }.prefix(Self.equals - 1)
        for index in equals { found[index].correction.isEqualToBest = true }
        for load in equals.isEmpty ? [] : Self.loads {
            let users = Int64(clamped: (Double(profile.users) * load).rounded())
            let isOpen = equals.contains { found[$0].correction.told == nil }
            guard users >= max(1, profile.populations.count), load < 1 || isOpen else { continue }
            let best = try side(found[0].profile, users)
            for index in equals {
                let told = difference(best, try side(found[index].profile, users), users)
                if let told, told.ratio > found[index].correction.told?.ratio ?? 0 {
                    found[index].correction.told = told
                }
            }
        }
        return found
    }

    private func side(_ profile: Profile, _ users: Int64) throws -> ComparisonSide {
        let scaled = profile.scaled(toUsers: users)
        return ComparisonSide(
            name, try replicator.replications(Self.runsOfLoad) { _ in scaled })
    }

    /// The figure in which two corrected profiles are furthest apart; nil without one that differs
    /// by more than a tenth.
    private func difference(
        _ best: ComparisonSide, _ own: ComparisonSide, _ users: Int64
    ) -> ProfileCorrection.Told? {
        ComparisonAnswer.pairs(best, own, best.seeds).compactMap { pair in
            let ratio = PortableMath.log((pair.a + 1) / (pair.b + 1)).magnitude
            guard Self.telling.contains(pair.name), ratio > 0.1, pair.probability ?? 1 < 0.01 else {
                return nil
            }
            return .init(
                users: users, figure: pair.name, best: pair.unit.text(pair.a),
                own: pair.unit.text(pair.b), ratio: ratio)
        }.max { $0.ratio < $1.ratio }
    }
}
