import Squall
import SquallHTTP

/// One user action on a device, for which the tasks, blocks and timers that it starts run.
///
/// Two may be open at once, as when a screen opens while another still loads: what is asked for
/// again belongs to the one that asked for it first.
final class DeviceStep: CodeOwner, @unchecked Sendable {
    // Safe because a world's code all runs on one thread.

    let device: SimulatedDevice
    let calls: WireStep
    /// What the step is called.
    var name = ""

    init(_ calls: WireStep, on device: SimulatedDevice) {
        self.device = device
        self.calls = calls
    }

    var user: Int { device.user }
    var person: any CodeOwner { device }

    var doing: String {
        name.isEmpty ? "step \(calls.ordinal)" : "step \(calls.ordinal), \(name)"
    }

    func send(
        _ request: URLRequest
    ) async throws(TransportError) -> TransportResponse {
        try await device.send(request, in: calls)
    }
}

/// What a user action has asked for in vain so far.
final class WireStep {
    /// Its number among the user's.
    let ordinal: UInt32
    /// Calls that failed and may be sent again, in order.
    var failed: [WireCall] = []
    /// Once false, a failed call of the action has failed for good.
    private(set) var isOpen = true

    init(_ ordinal: UInt32) { self.ordinal = ordinal }

    /// The user action is over: what has failed by now has failed for good.
    func end() {
        isOpen = false
        let calls = failed
        failed = []
        for call in calls { call.giveUp() }
    }
}
