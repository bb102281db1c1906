/// Collects the requests of a run of a fitted profile in the form of an access log.
public struct ModelTraffic {
    private var log: TrafficLog
    private var positions: [String: Int32] = [:]
    private let from, to: Int64

    /// For a run of a fit's profile; only requests that began in the measured part count.
    public init(_ fit: TrafficFit, measuredFrom start: Int64, to end: Int64) {
        log = fit.log
        log.requests = []
        log.sampling = TrafficLog.Sampling()
        (from, to) = (start, end)
        log.reading.span = (start, end)
        let names = CallNames(fit.log.calls, fit.endpoints)
        for call in fit.endpoints { positions[names[call]] = Int32(call) }
        if let refresh = fit.tokens.refresh { positions["refresh"] = Int32(refresh) }
        if let logIn = fit.tokens.logIn { positions["logIn"] = Int32(logIn) }
        log.refreshCall = fit.tokens.refresh
    }

    /// Adds a request of the endpoint with the name; times in nanoseconds.
    public mutating func take(
        _ endpoint: String, began: Int64, duration: Int64, status: Int, user: UInt64
    ) {
        guard let call = positions[endpoint], began >= from, began < to else { return }
        log.requests.append(
            LoggedRequest(
                began: began, duration: duration, person: user &+ 1, call: call,
                status: Int16(status), isNextPage: false))
    }

    /// The collected requests.
    public var traffic: TrafficLog { log }
}
