import SquallFormat
import SquallHTTP

/// No connection comes about, and the client learns of it after the time of the way up.
struct RefuseConnection: FaultKind {
    static let name = "refuseConnection"
    static let reach = FaultReach.attempts

    var effect: FaultEffect {
        .wire(
            up: { transmission, _ in transmission.end = .breaks(.cannotConnectToHost) }, down: nil)
    }
}

extension RefuseConnection {
    init(_ read: inout SettingsReader) { self.init() }
}
