import SquallClient
import SquallHTTP

/// Makes calls of what a client of somebody else's puts on the wire, which tells nobody why.
///
/// What failed and is sent again within its step, by verb and address, is one call with several
/// attempts. A refresh is for the first call that was refused (4xx) and has led to none yet. A
/// call that is never sent again has failed when its step is over.
final class WireClient: @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    private let session: Session
    private let isRefresh: @Sendable (URLRequest) -> Bool
    /// Calls of the present step that failed and may be sent again, in order.
    private var failed: [WireCall] = []
    /// Whether there is a step within which something can be sent again.
    private var isInStep = false

    init(_ session: Session, isRefresh: @escaping @Sendable (URLRequest) -> Bool) {
        self.session = session
        self.isRefresh = isRefresh
    }

    /// Says which user action the requests made from now on belong to.
    func beginStep(_ ordinal: UInt32) {
        endStep()
        isInStep = true
        session.beginStep(ordinal)
    }

    /// The user action is over: what has failed by now has failed for good.
    func endStep() {
        isInStep = false
        let calls = failed
        failed = []
        for call in calls { call.giveUp() }
    }

    /// Sends a request and waits for its answer, whatever its status.
    ///
    /// A request that says no other time-out than Foundation's own of 60 s has the network's.
    func send(
        _ request: URLRequest
    ) async throws(TransportError) -> TransportResponse {
        var request = request
        if request.timeoutNanoseconds == usualTimeoutNanoseconds {
            request.timeoutNanoseconds = nil
        }
        if let place = failed.firstIndex(where: { $0.isSame(as: request) }) {
            return try await failed.remove(at: place).sendAgain(request)
        }
        let call = WireCall(request, of: self)
        let reason = failed.isEmpty || !isRefresh(request) ? nil : takeReason()
        return try await call.send(by: session, because: reason)
    }

    /// Whether a call that has failed waits for being sent again.
    func keeps(_ call: WireCall, _ request: URLRequest) -> Bool {
        guard isInStep, !isRefresh(request) else { return false }
        failed.append(call)
        return true
    }

    /// The number of the first call that was refused and has led to no refresh yet.
    private func takeReason() -> UInt32? {
        guard let call = failed.first(where: { $0.isRefused && !$0.hasLedToRefresh }) else {
            return nil
        }
        call.hasLedToRefresh = true
        return call.number
    }
}

/// What `URLRequest.timeoutInterval` is that nobody has set.
private let usualTimeoutNanoseconds: Int64 = 60_000_000_000
