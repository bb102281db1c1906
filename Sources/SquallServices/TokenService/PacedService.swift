/// A service that writes some of its answers piece by piece.
///
/// The far side carries an answer as one message; what comes after its first byte is the business
/// of whoever hands it to a client that can tell.
public protocol PacedService: AnyObject {
    /// How the body of the answer to an attempt comes: gaps and numbers of bytes, in order; `nil`
    /// when all of it comes at once. It is asked for once.
    func pace(user: UInt64, exchange: UInt64) -> [(gap: Duration, count: Int)]?
}
