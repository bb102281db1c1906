import SquallClient

/// The part of 이책저책's screens that decides what a later tap sends and changes.
struct ThisBookScreen: Sendable {
    /// The two feeds, recommendations given and asked for.
    var feeds = [ThisBookFeed(), ThisBookFeed()]
    /// The profile's pages that were opened: own, liked and bookmarked posts.
    var pages: [ThisBookProfilePage?] = []
    /// The results of the search.
    var found = ThisBookFeed()
    /// The word in the search field; empty before the first.
    var keyword = ""
    /// The tab that is open, a position in `feeds`.
    var tab = 0
    /// The list that is on the screen, or below the open post.
    var place = ThisBookPlace.feed(0)
    /// The open post.
    var detail: ThisBookPost?
    /// The user's newest comment on it.
    var comment: String?
    /// True while the payment page lies over the feed.
    var showsPaymentPage = false
    /// The author of the last tap on a follow button, in whatever row.
    var followed: String?
    /// The author of the last tap on the button of a user who was followed before it.
    var unfollowed: String?
    /// The words of the newest book search, and what it found.
    var bookWords = ""
    var books: [NaverItem] = []
    var showsLogin = false
    /// True if the session's data was wiped below a screen that lets no alert through: the user is
    /// then signed out only at the next start.
    var outlivesSession = false
    /// How many alerts of an expired session were shown; only one, however many calls fail.
    var expiryAlerts = 0
    /// The purchases that the user remembers.
    var purchases: [String] = []
    /// The likes and bookmarks that the user remembers.
    var taps = LikeTaps()

    /// The list of a place.
    subscript(place: ThisBookPlace) -> ThisBookFeed {
        get {
            switch place {
            case .feed(let tab): feeds[tab]
            case .search: found
            case .profile(let page): self[page].merged
            }
        }
        set {
            switch place {
            case .feed(let tab): feeds[tab] = newValue
            case .search: found = newValue
            case .profile(let page): self[page].merged = newValue
            }
        }
    }

    /// A page of the profile; empty before it was opened.
    subscript(page: ThisBookProfilePage.Kind) -> ThisBookProfilePage {
        get {
            let pages = pages
            return pages.indices.contains(page.rawValue)
                ? pages[page.rawValue] ?? ThisBookProfilePage() : ThisBookProfilePage()
        }
        set {
            if pages.isEmpty {
                pages = Array(repeating: nil, count: ThisBookProfilePage.Kind.allCases.count)
            }
            pages[page.rawValue] = newValue
        }
    }
}

/// Where a list of posts is.
enum ThisBookPlace: Hashable, Sendable {
    case feed(Int)
    case search
    case profile(ThisBookProfilePage.Kind)

    /// The name of its screen.
    var name: String {
        switch self {
        case .feed: "feed"
        case .search: "search"
        case .profile: "profile"
        }
    }
}

/// A page of the profile: posts of both feeds that satisfy a condition, as one list.
struct ThisBookProfilePage: Sendable {
    /// The posts that it shows.
    enum Kind: Int, CaseIterable, Hashable, Sendable {
        case own, liked, bookmarked
    }

    /// The posts that were kept of the feed of recommendations, and of the feed of requests.
    var give: [ThisBookPost] = []
    var receive: [ThisBookPost] = []
    var giveCursor = ""
    var receiveCursor = ""
    /// Both as the screen shows them, newest first; likes change rows here and nowhere else.
    var merged = ThisBookFeed()

    /// Makes the visible list anew after one of the two lists has changed.
    mutating func merge(seenBy user: String) {
        let posts = (give + receive).enumerated().sorted {
            ($1.element.createdAt, $0.offset) < ($0.element.createdAt, $1.offset)
        }
        merged.rows = posts.map { ThisBookRow($0.element, seenBy: user) }
    }
}

/// A list of posts as a screen keeps it.
struct ThisBookFeed: Sendable {
    /// A button of a row, which is there twice: to follow its author and to stop that.
    struct FollowButton: Hashable {
        let row: Int
        let isFollowing: Bool
    }

    var rows: [ThisBookRow] = [] { didSet { draw() } }
    /// The throttles of the buttons that were tapped since the list was drawn.
    var followButtons: [FollowButton: ThrottledTaps] = [:]
    /// Where the next page begins: empty before the first, `"0"` after the last.
    var cursor = ""
    /// The row of the newest tap on a heart or a bookmark.
    ///
    /// The list has one such value, read when a response comes: it may then be another tap's.
    var tappedRow = 0

    /// True if scrolling down the list can ask for more: the fourth row from the end must exist.
    var hasPrefetchRow: Bool { rows.count >= 4 }

    /// Draws the list anew: its cells are reused, and a tap that a throttle held back is dropped.
    mutating func draw() {
        guard !followButtons.isEmpty else { return }
        for button in followButtons.values { button.screenCloses() }
        followButtons = [:]
    }
}

/// A row of a list: a post, and what the user has done to it since.
struct ThisBookRow: Sendable {
    let post: ThisBookPost
    var isLiked: Bool
    var isBookmarked: Bool

    init(_ post: ThisBookPost, seenBy user: String) {
        self.post = post
        isLiked = post.likes.contains(user)
        isBookmarked = post.likes2.contains(user)
    }

    /// True if the post must be paid for, as far as the app can tell.
    ///
    /// With an empty user no post is the user's own, and none was ever bought.
    func isLocked(for user: String) -> Bool {
        (post.price ?? 0) != 0 && post.creator.userID != user && !post.buyers.contains(user)
    }
}
