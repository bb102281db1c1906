/// A caller that wants the answer and does not drive the request.
struct ResponseHandler: Sendable {
    /// Whether a failure of `serialize` asks the retriers once more.
    let consultsRetrier: Bool
    /// Makes something of the answer and keeps it; may be called once for every attempt.
    let serialize: @Sendable (Attempt, Request) -> AFError?
    /// Keeps the attempt whose serializing failed for good.
    let settle: @Sendable (Attempt) -> Void
    /// Passes the kept value on.
    let deliver: @Sendable () -> Void
}
