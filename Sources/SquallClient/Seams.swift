public import SquallHTTP

/// The time a client lives in.
public protocol TimeSource: Sendable {
    /// Nanoseconds since 1970, as the device's clock shows them; a user may set it, both ways.
    var nanosecondsSinceEpoch: Int64 { get }
    /// Nanoseconds that have passed since some moment; never goes back.
    ///
    /// For whatever measures how long something took: a clock that is set must not change it.
    var uptimeNanoseconds: Int64 { get }
    /// Suspends the calling task.
    ///
    /// - Throws: `CancellationError` when the task is or gets cancelled.
    func sleep(nanoseconds: Int64) async throws(CancellationError)
}

extension TimeSource {
    /// The same as a clock that is never set.
    public var uptimeNanoseconds: Int64 { nanosecondsSinceEpoch }
}

/// Randomness without state: the value is a function of purpose, user and ordinal.
public protocol RandomSource: Sendable {
    /// Sixty-four random bits, the same for the same purpose, user and ordinal.
    func bits(_ purpose: StaticString, user: UInt64, ordinal: UInt64) -> UInt64
}

/// Turns the bytes of an answer into a value.
public protocol DataDecoder: Sendable {
    /// Decodes a value from a body.
    ///
    /// - Throws: what the format's decoder throws.
    func decode<Value: Decodable>(_ type: Value.Type, from body: Body) throws -> Value
}

/// A page of a list that is read cursor by cursor.
public protocol CursorPage: Decodable, Sendable {
    /// What the list holds.
    associatedtype Item: Decodable & Sendable
    /// The page's items, in the server's order.
    var items: [Item] { get }
    /// Where the next page begins; `"0"` after the last one.
    var nextCursor: String { get }
    /// A page from its parts.
    init(items: [Item], nextCursor: String)
}
