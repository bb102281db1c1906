/// The latest refreshes of a user, told one after another as they end.
public struct RefreshWatch: Sendable {
    private var latest: [Refresh] = []
    private static let latestMax = 32

    /// A refresh that has ended, with what decides if a second one for the same expiry is
    /// redundant.
    public struct Refresh: Sendable {
        /// The position or moment of its sending.
        public let sentIndex: Int
        /// The position or moment of its end; the greatest number when none came.
        public let endedIndex: Int
        /// The access token that it was to replace.
        public let replaces: Int?
        /// True if it brought a token.
        public let hasSucceeded: Bool
        /// Why it was made; `nil` for any other call.
        public let reason: SessionExpiry.Reason?
        /// True if the token that it was to replace had come to its own end: a refresh token that
        /// was used up for another is the fault then; `nil` where that is not known.
        public let isDue: Bool?

        /// A refresh by all that decides.
        public init(
            sentIndex: Int, endedIndex: Int, replaces: Int?, hasSucceeded: Bool,
            reason: SessionExpiry.Reason?, isDue: Bool? = nil
        ) {
            (self.sentIndex, self.endedIndex, self.replaces) = (sentIndex, endedIndex, replaces)
            (self.hasSucceeded, self.reason, self.isDue) = (hasSucceeded, reason, isDue)
        }
    }

    /// A watch of a user who has not refreshed yet.
    public init() {}

    /// The one that makes a refresh redundant which has just ended; `nil` when it is not
    /// redundant, or when none is for the token that it was to replace.
    ///
    /// Of two that overlap, the one that ends last is redundant, whichever was sent first.
    public mutating func ended(_ refresh: Refresh) -> Refresh? {
        defer { remember(refresh) }
        guard let reason = refresh.reason, reason.isRedundant else { return nil }
        let others = latest.filter {
            $0.hasSucceeded || $0.endedIndex > refresh.sentIndex
        }
        return others.last { $0.replaces == refresh.replaces }
            ?? (reason == .again
                ? others.last {
                    let isSameExpiry = $0.isDue ?? true && !(refresh.isDue ?? false)
                    return isSameExpiry || $0.endedIndex > refresh.sentIndex
                } : nil)
    }

    /// In the order of sending.
    private mutating func remember(_ refresh: Refresh) {
        if latest.count >= Self.latestMax { latest.removeFirst() }
        let place = latest.lastIndex { $0.sentIndex < refresh.sentIndex }
        latest.insert(refresh, at: place.map { $0 + 1 } ?? 0)
    }
}
