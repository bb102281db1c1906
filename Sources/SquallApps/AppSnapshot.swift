/// What an app shows and its person remembers, to be held against the server when a run is over.
public struct AppSnapshot: Sendable, Hashable {
    /// The newest taps on hearts and bookmarks, one for each post; those that failed are left out.
    public var taps: [LikeTap] = []
    /// The lists on its screens.
    public var lists: [ShownList] = []
    /// Whether calls carry a token of which the app knows no owner, or no way to renew it.
    public var hasOrphanedSession = false
    /// Pictures whose places stayed empty because the token had expired.
    public var expiredPictures = 0

    /// Nothing to compare.
    public init() {}

    /// What is wrong by the app's own account, by kind, and how often.
    public var findings: [(kind: String, count: Int)] {
        [
            (ScreenFault.orphanedSession.name, hasOrphanedSession ? 1 : 0),
            (ScreenFault.picture.name, expiredPictures),
        ]
    }
}

/// A tap on a heart or a bookmark.
public struct LikeTap: Sendable, Hashable {
    /// The post it was about.
    public let postID: String
    /// Whether it is the post's second kind of like.
    public let isSecond: Bool
    /// Whether the person meant to like the post, or no longer.
    public let isLiked: Bool
}

/// A list of posts as a screen shows it.
public struct ShownList: Sendable, Hashable {
    /// The kind of posts that the list is of.
    public let productID: String
    /// The rows from the first on.
    public let posts: [String]
}

/// The newest taps on likes of the last posts that somebody touched.
struct LikeTaps: Sendable {
    private static let capacity = 32

    private(set) var all: [LikeTap] = []

    /// The person taps.
    mutating func tapped(_ postID: String, isLiked: Bool, isSecond: Bool = false) {
        forget(postID, isSecond: isSecond)
        if all.count == Self.capacity { all.removeFirst() }
        all.append(LikeTap(postID: postID, isSecond: isSecond, isLiked: isLiked))
    }

    /// A tap on the post failed, and the person was told.
    mutating func forget(_ postID: String, isSecond: Bool = false) {
        all.removeAll { $0.postID == postID && $0.isSecond == isSecond }
    }
}
