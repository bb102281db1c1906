/// The first part of a log as a profile, and the requests of that profile's run in the form of an
/// access log, to compare with the rest of the log.
public struct ModelTraffic {
    /// The text of the profile to run; its load is that of the rest of the log.
    public let profile: String
    private let rest: TrafficLog
    private var log: TrafficLog
    private var positions: [String: Int32] = [:]
    private let from, to: Int64

    /// The share of the log's time that is fitted; the rest is for the comparison.
    private static let fittedShare = 2.0 / 3
    /// The most requests of a model's run.
    private static let requestsMax = 200_000.0
    private static let leastSpan: Int64 = 60_000_000_000

    /// Fits the first part of a log; nil where the log is too short to be split, or contains no
    /// durations.
    public init?(of log: TrafficLog, _ options: TrafficFit.Options) {
        guard log.span >= Self.leastSpan, log.reading.withDuration > 0 else { return nil }
        let (start, end) = log.reading.span
        let cut = start + Int64(Double(log.span) * Self.fittedShare)
        var options = options
        options.isClosed = TrafficFit(log, options: options).isClosed
        let fit = TrafficFit(log.part(from: start, to: cut), options: options)
        let judged = TrafficFit(log.part(from: cut, to: end), options: options)
        rest = judged.log
        let rate = Double(rest.reading.requests) / max(1, Double(end - cut) / 1e9)
        let span = min(Double(end - cut) / 1e9, Self.requestsMax / max(rate, 0.01))
        let fitted = FittedProfile(
            fit, file: "check", load: judged, durationMax: Int64(max(60, span) * 1e9))
        profile = fitted.text
        self.log = fit.log
        self.log.requests = []
        self.log.sampling = TrafficLog.Sampling()
        // Only requests that begin in the measured part count.
        (from, to) = fitted.times
        self.log.reading.span = (from, to)
        let names = CallNames(fit.log.calls, fit.endpoints)
        for call in fit.endpoints { positions[names[call]] = Int32(call) }
        if let refresh = fit.tokens.refresh { positions["refresh"] = Int32(refresh) }
        if let logIn = fit.tokens.logIn { positions["logIn"] = Int32(logIn) }
    }

    /// Adds a request of the endpoint with the name; times in nanoseconds.
    public mutating func take(
        _ endpoint: String, began: Int64, replied: Int64, status: Int, user: UInt64
    ) {
        guard let call = positions[endpoint], began >= from, began < to else { return }
        log.requests.append(
            LoggedRequest(
                began: began, duration: replied - began, person: user &+ 1, call: call,
                status: Int16(status), isNextPage: false))
    }

    /// The rest of the log compared with what the model did.
    public var comparison: TrafficComparison { TrafficComparison(log: rest, model: log) }
}
