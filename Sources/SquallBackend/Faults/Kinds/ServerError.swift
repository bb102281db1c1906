import SquallFormat

/// A worker spends its time, nothing changes, and the answer has this status.
struct ServerError: FaultKind {
    static let name = "serverError"
    static let reach = FaultReach.attempts
    let status: Int
    /// What `Retry-After` says; `nil` for what the service says with such a status.
    var retryAfterNanoseconds: Int64?

    var effect: FaultEffect {
        let failure = FaultFailure(status: status, retryAfterNanoseconds: retryAfterNanoseconds)
        return .work { _ in failure }
    }
}

extension ServerError {
    init(_ read: inout SettingsReader) {
        status = read("status", .integer(400...599), "The status that the server returns.")
        retryAfterNanoseconds = read.optional(
            "retryAfter", .duration(Span.second...Span.hour),
            "What its Retry-After says, rounded up to whole seconds; by default what the service"
                + " says with such a status.")
    }
}
