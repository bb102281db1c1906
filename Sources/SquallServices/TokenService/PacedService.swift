/// A service that writes some of its answers piece by piece.
///
/// The backend carries an answer as one message; the code that hands the answer to a client decides
/// when each piece after the first byte comes.
public protocol PacedService: AnyObject {
    /// The gaps and sizes of the pieces of the body that answers an attempt, in order; `nil` when
    /// the body comes at once. It is asked for once.
    func pace(user: UInt64, exchange: UInt64) -> [(gap: Duration, count: Int)]?
}
