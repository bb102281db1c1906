/// An app's screens and its user's memory, for a comparison with the server when a run is over.
public struct AppSnapshot: Sendable, Hashable {
    /// The newest taps on hearts and bookmarks, one for each post; those that failed are left out.
    public var taps: [LikeTap] = []
    /// The lists on its screens.
    public var lists: [ShownList] = []
    /// True if calls carry a token without a known owner, or without a way to renew it.
    public var hasOrphanedSession = false
    /// Pictures whose places stayed empty because the token had expired.
    public var expiredPictures = 0

    /// An app with nothing on its screens that could be compared.
    public init() {}

    /// The faults that the app itself knows of, by kind, and how often.
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
    /// True for the post's second kind of like.
    public let isSecond: Bool
    /// True if the user wanted the like to be on.
    public let isLiked: Bool

    /// A tap from its parts.
    public init(postID: String, isSecond: Bool, isLiked: Bool) {
        (self.postID, self.isSecond, self.isLiked) = (postID, isSecond, isLiked)
    }
}

/// A list of posts as a screen shows it.
public struct ShownList: Sendable, Hashable {
    /// The kind of posts that the list is of.
    public let productID: String
    /// The rows from the first on.
    public let posts: [String]

    /// A list from its parts.
    public init(productID: String, posts: [String]) {
        (self.productID, self.posts) = (productID, posts)
    }
}
