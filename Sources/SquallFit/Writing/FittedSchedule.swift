import SquallFormat

/// The duration of a fitted profile, and the stages in which visits arrive.
struct FittedSchedule {
    /// Nanoseconds before the measured time.
    let warmUp: Int64
    /// Nanoseconds that are measured.
    let measured: Int64
    /// Rates of visits from the beginning of the warm-up on; none for a closed load.
    let stages: [(seconds: Double, rate: Double)]
    /// True if the users of a closed load have tokens as old when measuring begins as when the log
    /// did: then it measures for as long as the log.
    let beginsAsLog: Bool

    /// The error of a run's rate, as a share, for which a steady load lasts long enough.
    private static let errorMax = 0.025
    /// The most requests for which it is made to last longer than its log.
    private static let requestsEnough = 60_000.0
    private static let leastSeconds = 60.0
    private static let mostSeconds = 86_400.0
    /// In more lives of a token than that it makes no difference how a log began: at the most, and
    /// where all tokens were new or expired.
    private static let livesMax = (usual: 10.0, extreme: 40.0)
    /// Of a log in which users keep coming for longer than this share only the rest is a model's.
    private static let rampMax = 0.1

    init(_ fit: TrafficFit, requestsMax: Double) {
        let requests = Double(fit.log.reading.requests) / max(1, Double(fit.log.span) / 1e9)
        let longest = requestsMax / max(0.01, requests)
        let visits = fit.visits
        guard !fit.isClosed || visits == nil else {
            let steps = visits?.meanScreens ?? 1
            let look = visits?.meanLook ?? 0
            let away = visits?.kind.isConstant == true ? 0 : visits?.away?.mean.value ?? 1_800e9
            warmUp = Self.warmUp(3 * (away + steps * look) / 1e9, from: 60)
            let screens = Double(visits?.screenCount ?? 1) * Double(fit.log.sampling.oneIn)
            let rate = screens / max(1, Double(fit.log.span) / 1e9)
            // Where users leave, the screens of a visit come together: visits are what varies.
            let groups = away > 0 ? (1 + (visits?.lengthVariation ?? 1)) * steps : 2
            let enough = min(3_600, max(900, groups / (Self.errorMax * Self.errorMax * rate)))
            let length = Double(fit.log.span) / 1e9
            let lives = Double(fit.log.span) / max(1, fit.tokens.lifetime?.value ?? 1)
            let ramp = Double(visits?.kind.settled ?? 0) / 1e9
            let isExtreme = fit.tokens.first?.areYoung == true || fit.tokens.beginExpired
            beginsAsLog =
                (isExtreme || fit.tokens.first != nil && ramp < Self.rampMax * length)
                && lives < (isExtreme ? Self.livesMax.extreme : Self.livesMax.usual)
                && length < longest
            let wanted = beginsAsLog ? length : min(enough, longest)
            measured = Int64(max(Self.leastSeconds, wanted).rounded()) * Span.second
            stages = []
            return
        }
        beginsAsLog = false
        let own = Self.stages(fit)
        let whole = own.reduce(0) { $0 + $1.seconds }
        let lead = visits.map { ($0.meanVisit + $0.meanLook) * 3 / 1e9 } ?? 0
        let before = Self.warmUp(lead, from: 30)
        var wanted = min(Self.mostSeconds, max(Self.leastSeconds, whole))
        if own.count == 1, let visits {
            let visitsEnough = (1 + visits.lengthVariation) / (Self.errorMax * Self.errorMax)
            let enough = min(
                visitsEnough / max(1e-6, own[0].rate), Self.requestsEnough / max(0.01, requests))
            wanted = max(wanted, min(Self.mostSeconds, enough))
        }
        let factor = max(1, min(wanted, longest).rounded()) / max(1, whole)
        measured = Int64((whole * factor * 1e3).rounded()) * 1_000_000
        warmUp = before
        let first = (seconds: Double(before) / 1e9, rate: own.first?.rate ?? 0)
        let scaled = own.map { (seconds: $0.seconds * factor, rate: $0.rate) }
        stages =
            scaled.count == 1
            ? [(first.seconds + scaled[0].seconds, first.rate)] : [first] + scaled
    }

    private static func warmUp(_ seconds: Double, from least: Double) -> Int64 {
        Int64((min(1_800, max(least, seconds)) / 30).rounded(.up)) * 30 * Span.second
    }

    /// The stages of the log with the rates of visits by which the profile's journeys have as many
    /// screens as the log: visits that are cut by an end of the log are neither whole nor none.
    private static func stages(_ fit: TrafficFit) -> [(seconds: Double, rate: Double)] {
        var stages = fit.arrivals.stages
        guard let visits = fit.visits, !stages.isEmpty else { return stages }
        stages[0].seconds += Double(visits.seenFrom - fit.log.reading.span.first) / 1e9
        let made = stages.reduce(0) { $0 + $1.seconds * $1.rate } * visits.meanScreens
        let screens = Double(visits.screenCount) * Double(fit.log.sampling.oneIn)
        let factor = made > 0 ? min(10, max(0.1, screens / made)) : 1
        return stages.map { ($0.seconds, $0.rate * factor) }
    }
}
