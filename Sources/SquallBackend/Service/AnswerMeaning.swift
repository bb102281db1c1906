/// What an answer means, whatever status or body a service says it with.
public enum AnswerMeaning: Hashable, Sendable {
    /// What was asked for.
    case success
    /// The access token has expired; a refresh may help.
    case expired
    /// The session is over; only signing in helps.
    case signedOut
    /// Any other refusal of the request.
    case refused
    /// The server could not do what was asked.
    case failure
    /// No answer came.
    case none

    /// The meaning by the class of HTTP's status: success below 400, a refusal below 500.
    public init(classOf status: Int) {
        switch status {
        case ..<400: self = .success
        case ..<500: self = .refused
        default: self = .failure
        }
    }
}
