import SquallFormat

/// The server gets the request again, one trip's time later; the client gets one answer.
struct DuplicateRequest: FaultKind {
    static let name = "duplicate"
    static let reach = FaultReach.attempts

    var effect: FaultEffect {
        .wire(up: { transmission, _ in transmission.isDoubled = true }, down: nil)
    }
}

extension DuplicateRequest {
    init(_ read: inout SettingsReader) { self.init() }
}
