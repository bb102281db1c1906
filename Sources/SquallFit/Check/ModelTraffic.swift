/// The requests of a run of the fitted profile in the form of an access log, for a comparison.
public struct ModelTraffic {
    /// The text of the profile to run: the one that is written, of a large log for a shorter time.
    public let profile: String
    private let seen: TrafficLog
    private let seenFrom: Int64
    private var log: TrafficLog
    private var positions: [String: Int32] = [:]
    private let from, to: Int64

    /// The most requests of a model's run.
    private static let requestsMax = 120_000.0
    private static let leastSpan: Int64 = 20_000_000_000

    /// The model of a fit; nil where the log is too short to be compared with anything.
    public init?(of fit: TrafficFit) {
        guard fit.log.span >= Self.leastSpan else { return nil }
        // While the users of a test come one after the other there are fewer than in its profile.
        let fitted = FittedProfile(fit, file: "check", requestsMax: Self.requestsMax)
        profile = fitted.text
        seen = fit.log
        let settled = fitted.schedule.beginsAsLog ? 0 : fit.visits?.kind.settled ?? 0
        seenFrom = seen.reading.span.first + settled
        log = fit.log
        log.requests = []
        log.sampling = TrafficLog.Sampling()
        // Only requests that begin in the measured part count.
        from = fitted.schedule.warmUp
        to = fitted.schedule.warmUp + fitted.schedule.measured
        log.reading.span = (from, to)
        let names = CallNames(fit.log.calls, fit.endpoints)
        for call in fit.endpoints { positions[names[call]] = Int32(call) }
        for (name, call) in fit.tokens.named
        where name != "logIn" || !fit.endpoints.contains(call) {
            positions[name] = Int32(call)
        }
    }

    /// Adds a request of the endpoint with the name; times in nanoseconds.
    public mutating func take(
        _ endpoint: String, began: Int64, replied: Int64, status: Int, user: UInt64
    ) {
        guard let call = positions[endpoint], began >= from, began < to else { return }
        log.requests.append(
            LoggedRequest(
                began: began, duration: replied - began,
                person: UInt32(truncatingIfNeeded: user &+ 1), call: call,
                status: Int16(status), isNextPage: false))
    }

    /// The log compared with the requests of the model.
    public var comparison: TrafficComparison {
        TrafficComparison(log: seen, from: seenFrom, model: log)
    }
}
