/// The changes that a client has asked for lately: which were done twice, and which lost their
/// body on the way.
///
/// A client that has the response to a write means the next one. It is a retry only where no
/// response can have reached it.
public struct WriteWatch: Sendable {
    /// A write as it travels.
    public struct Write: Sendable {
        /// A hash of its verb and address.
        public let call: UInt64
        /// A hash of its body, byte by byte.
        public let body: UInt64
        /// A hash of its body without its idempotency key and without times.
        public let content: UInt64
        /// The size of its body in bytes; `nil` where that is not known.
        public let bytes: Int?
        /// True for a body that has nothing of what a caller gives: none, an empty object, a
        /// placeholder, or JSON that was written as a string once more.
        public let isHollow: Bool
        /// Its idempotency key, by which the server can tell a repetition; `nil` without one.
        public let key: String?
        /// The number of its request.
        public let request: Int
        /// When it was sent, in nanoseconds.
        public let sentAt: Int64

        /// A write by its parts.
        public init(
            call: UInt64, body: UInt64, content: UInt64, bytes: Int?, isHollow: Bool = false,
            key: String?, request: Int, sentAt: Int64
        ) {
            (self.call, self.body, self.content) = (call, body, content)
            (self.bytes, self.key, self.request) = (bytes, key, request)
            (self.isHollow, self.sentAt) = (isHollow || bytes == 0, sentAt)
        }
    }

    /// What an earlier write tells about one that is done now.
    public enum Verdict: Equatable, Sendable {
        /// It repeats that request, and the server could tell.
        case repeatedSafely
        /// It repeats that request with the same body, and nothing tells the server so.
        case doneTwice(earlier: Int)
        /// It repeats that request with another key.
        case otherKey(earlier: Int)
        /// It may repeat it, or be another write (LiveInnocenceTests.otherBody).
        case unclear(earlier: Int)
    }

    private struct Done: Sendable {
        let write: Write
        let at: Int64
        var answeredAt: Int64?
        var lostAt: Int64?

        /// True if its client has given up waiting for the response by this moment, or must have.
        func isUnanswered(at moment: Int64, _ openMax: Int64) -> Bool {
            if let lostAt { return lostAt <= moment }
            return answeredAt ?? .max > moment && moment - at >= openMax
        }
    }

    private var done: [Done] = []
    /// Writes whose body the server has refused to take with that token.
    private var refused: [Write] = []

    private static let keptMax = 16
    private static let minute: Int64 = 60_000_000_000

    /// A watch of a client that has not written yet.
    public init() {}

    /// Notes that a write is sent.
    ///
    ///  - Returns: The number and the size of the refused write that it repeats with nothing of its
    ///    body.
    public mutating func sent(_ write: Write) -> (earlier: Int, bytes: Int)? {
        guard let place = refused.lastIndex(where: { $0.call == write.call }) else { return nil }
        let earlier = refused.remove(at: place)
        guard let bytes = earlier.bytes, write.isHollow else { return nil }
        return (earlier.request, bytes)
    }

    /// A write was refused before anything was done.
    public mutating func wasRefused(_ write: Write) {
        guard write.bytes != nil, !write.isHollow else { return }
        if refused.count >= Self.keptMax { refused.removeFirst() }
        refused.append(write)
    }

    /// Notes that the server has done a write, and its client had gone at `leftAt`; `openMax` is
    /// the longest time of a response.
    public mutating func wasDone(
        _ write: Write, leftAt: Int64? = nil, at now: Int64, openMax: Int64
    ) -> Verdict? {
        done.removeAll { now > $0.at + Self.minute }
        let others = done.filter { $0.write.call == write.call }
        if done.count >= Self.keptMax { done.removeFirst() }
        done.append(Done(write: write, at: now, lostAt: leftAt))
        if let earlier = others.last(where: { $0.isUnanswered(at: write.sentAt, openMax) }) {
            return Self.verdict(on: write, after: earlier.write)
        }
        // The server took the next try first.
        guard let leftAt, let later = others.last(where: { $0.write.sentAt >= leftAt }) else {
            return nil
        }
        return Self.verdict(on: later.write, after: write)
    }

    private static func verdict(on write: Write, after earlier: Write) -> Verdict {
        switch (earlier.key, write.key) {
        case (let first?, let second?) where first == second: .repeatedSafely
        case (nil, nil):
            earlier.body == write.body
                ? .doneTwice(earlier: earlier.request) : .unclear(earlier: earlier.request)
        default:
            earlier.content == write.content
                ? .otherKey(earlier: earlier.request) : .unclear(earlier: earlier.request)
        }
    }

    /// A write has ended.
    ///
    /// Returns true if it was done although no response came.
    @discardableResult
    public mutating func ended(_ request: Int, isAnswered: Bool, at now: Int64) -> Bool {
        guard let place = done.firstIndex(where: { $0.write.request == request }) else {
            return false
        }
        if isAnswered { done[place].answeredAt = now } else { done[place].lostAt = now }
        return !isAnswered
    }
}
