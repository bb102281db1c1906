import SquallFormat

/// A worker spends its time, nothing changes, and the answer has this status.
struct ServerError: FaultKind {
    static let name = "serverError"
    static let reach = FaultReach.attempts
    let status: Int

    var effect: FaultEffect { .work { _ in status } }
}

extension ServerError {
    init(_ read: inout SettingsReader) {
        status = read("status", .integer(400...599), "What the server answers.")
    }
}
