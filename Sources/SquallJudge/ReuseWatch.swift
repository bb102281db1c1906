/// The refresh tokens that a user has shown lately.
public struct ReuseWatch: Sendable {
    private var latest: [Shown] = []
    private static let latestMax = 32

    /// A refresh token that two refreshes showed.
    public struct Reuse: Sendable {
        /// The positions of their sendings.
        public let earlier, later: Int
        /// The token, by its place.
        public let shows: Int
        /// How long the successor had been there, in nanoseconds; `nil` if the two overlap.
        public let pause: Int64?

        /// True if the later one was sent when the successor was there.
        public var isAfter: Bool { pause != nil }
    }

    private struct Shown: Sendable {
        let sentIndex, shows: Int
        var endedIndex = Int.max
        /// When its response brought a successor.
        var successorAt: Int64?
    }

    /// A watch of a user who has not refreshed yet.
    public init() {}

    /// A refresh is sent.
    ///
    /// Returns the earlier ones after which its token must not be shown any more.
    public mutating func sent(at index: Int, shows token: Int, now: Int64) -> [Reuse] {
        let over = latest.compactMap { shown in
            shown.successorAt.flatMap { arrived in
                shown.shows == token
                    ? Reuse(
                        earlier: shown.sentIndex, later: index, shows: token, pause: now - arrived)
                    : nil
            }
        }
        if latest.count >= Self.latestMax { latest.removeFirst() }
        latest.append(Shown(sentIndex: index, shows: token))
        return over
    }

    /// A refresh has ended: one of two that overlap brings a successor, in whichever order the
    /// server takes them, or a response that never came leaves that open.
    ///
    /// Showing a token again after a response that brought none, or after no response, is right.
    public mutating func ended(
        _ sentIndex: Int, shows token: Int, hasSuccessor: Bool, isAnswered: Bool,
        at index: Int, now: Int64
    ) -> [Reuse] {
        guard let place = latest.firstIndex(where: { $0.sentIndex == sentIndex }) else {
            return []
        }
        latest[place].endedIndex = index
        latest[place].successorAt = hasSuccessor ? now : nil
        let others = latest.filter { $0.shows == token && $0.sentIndex != sentIndex }
        let later = others.filter {
            $0.sentIndex > sentIndex && (hasSuccessor || !isAnswered)
        }
        let earlier = others.filter {
            $0.sentIndex < sentIndex && hasSuccessor && $0.successorAt == nil
                && $0.endedIndex > sentIndex
        }
        return later.map {
            Reuse(earlier: sentIndex, later: $0.sentIndex, shows: token, pause: nil)
        }
            + earlier.map {
                Reuse(earlier: $0.sentIndex, later: sentIndex, shows: token, pause: nil)
            }
    }
}
