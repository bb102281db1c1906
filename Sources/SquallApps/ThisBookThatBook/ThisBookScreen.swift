/// The parts of 이책저책's screens that decide what a later tap asks for and what it changes.
struct ThisBookScreen: Sendable {
    /// The two feeds, recommendations given and asked for.
    var feeds = [ThisBookFeed(), ThisBookFeed()]
    /// The profile's lists of the same two kinds.
    var lists = [ThisBookFeed(), ThisBookFeed()]
    /// What the search found.
    var found = ThisBookFeed()
    /// The tab that is open, a position in `feeds`.
    var tab = 0
    /// The open post.
    var detail: ThisBookPost?
    /// The person's newest comment on it.
    var comment: String?
    /// Whom the last tap on a follow button was about, whichever row it was in.
    var followed: String?
    /// Follow buttons by the author they follow; each has a throttle of its own.
    var followButtons: [String: ThrottledTaps] = [:]
    /// The words of the newest book search, and what it found.
    var bookWords = ""
    var books: [NaverItem] = []
    /// Whether the sign-in screen is shown.
    var showsLogin = false
    /// Alerts that the session has ended, since the last sign-in; one for each stream that failed.
    var expiryAlerts = 0
    /// What the person remembers to have paid for.
    var purchases: [String] = []
    /// What the person remembers to have liked and bookmarked.
    var taps = LikeTaps()
}

/// A list of posts as a screen keeps it.
struct ThisBookFeed: Sendable {
    var rows: [ThisBookRow] = []
    /// Where the next page begins: empty before the first, `"0"` after the last.
    var cursor = ""
    /// The row of the newest tap on a heart.
    ///
    /// One for the whole list, and read when an answer comes: by then it may be another tap's.
    var likedRow = 0
    /// The row of the newest tap on a bookmark.
    var bookmarkedRow = 0

    /// Whether scrolling down the list can ask for more: the fourth row from the end must exist.
    var hasPrefetchRow: Bool { rows.count >= 4 }
}

/// A row of a list: a post, and what the person has done to it since.
struct ThisBookRow: Sendable {
    let post: ThisBookPost
    var isLiked: Bool
    var isBookmarked: Bool

    init(_ post: ThisBookPost, seenBy user: String) {
        self.post = post
        isLiked = post.likes.contains(user)
        isBookmarked = post.likes2.contains(user)
    }

    /// Whether the post has to be paid for, as far as the app can tell.
    ///
    /// With an empty user nothing is one's own and nothing was ever bought.
    func isLocked(for user: String) -> Bool {
        (post.price ?? 0) != 0 && post.creator.userID != user && !post.buyers.contains(user)
    }
}
