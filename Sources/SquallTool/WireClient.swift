import Squall
import SquallClient
import SquallHTTP

/// Turns the requests of an unmodified client, which does not give their reasons, into calls.
///
/// Requests with equal verb and address that fail and are sent again within a step are one call
/// with several attempts. A refresh is for the first call that was refused (4xx) and has led to
/// none yet. A call that is not sent again has failed when its step is over.
final class WireClient: @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    private let session: Session
    private let isRefresh: @Sendable (URLRequest) -> Bool
    /// The user action that began last.
    private var step = WireStep(0)

    init(_ session: Session, isRefresh: @escaping @Sendable (URLRequest) -> Bool) {
        self.session = session
        self.isRefresh = isRefresh
        step.end()
    }

    /// A user action begins, to which requests belong that nothing else assigns.
    @discardableResult
    func beginStep(_ ordinal: UInt32) -> WireStep {
        step = WireStep(ordinal)
        return step
    }

    /// The user action that began last is over.
    func endStep() { step.end() }

    /// Sends a request and waits for its answer, whatever its status.
    ///
    /// It is of the user action that is given, of the one for which the code runs, or, where that
    /// is over, of the one that began last.
    /// A request that says no other time-out than Foundation's own of 60 s has the network's.
    func send(
        _ request: URLRequest, in given: WireStep? = nil
    ) async throws(TransportError) -> TransportResponse {
        var step = given ?? (CurrentOwner.owner as? DeviceStep)?.calls ?? step
        if !step.isOpen { step = self.step }
        var request = request
        if request.timeoutNanoseconds == usualTimeoutNanoseconds {
            request.timeoutNanoseconds = nil
        }
        if let place = step.failed.firstIndex(where: { $0.isSame(as: request) }) {
            return try await step.failed.remove(at: place).sendAgain(request)
        }
        let call = WireCall(request, of: self, in: step)
        let reason = step.failed.isEmpty || !isRefresh(request) ? nil : takeReason(in: step)
        session.beginStep(step.ordinal)
        return try await call.send(by: session, because: reason)
    }

    /// True for a failed call that may be sent again in its step, so that the next attempt joins
    /// it.
    func keeps(_ call: WireCall, _ request: URLRequest) -> Bool {
        guard call.step.isOpen, !isRefresh(request) else { return false }
        call.step.failed.append(call)
        return true
    }

    /// The number of the first call that was refused and has led to no refresh yet.
    private func takeReason(in step: WireStep) -> UInt32? {
        guard let call = step.failed.first(where: { $0.isRefused && !$0.hasLedToRefresh }) else {
            return nil
        }
        call.hasLedToRefresh = true
        return call.number
    }
}

/// The default of `URLRequest.timeoutInterval`.
private let usualTimeoutNanoseconds: Int64 = 60_000_000_000
