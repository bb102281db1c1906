/// Takes the access log of a run of a fitted profile, as the log it is held against has it.
public struct ModelTraffic {
    private var log: TrafficLog
    private var positions: [String: Int32] = [:]
    private let from, to: Int64

    /// For runs of the profile of a fit; what came within the measured part counts.
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

    /// Takes a request by its endpoint's name; times in nanoseconds.
    public mutating func take(
        _ endpoint: String, began: Int64, duration: Int64, status: Int, user: UInt64
    ) {
        guard let call = positions[endpoint], began >= from, began < to else { return }
        log.requests.append(
            LoggedRequest(
                began: began, duration: duration, person: user &+ 1, call: call,
                status: Int16(status), isNextPage: false))
    }

    /// What was taken.
    public var traffic: TrafficLog { log }
}
