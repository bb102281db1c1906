/// The parts of 이책저책's screens that decide what a later tap asks for and what it changes.
struct ThisBookScreen: Sendable {
    /// The two feeds, recommendations given and asked for.
    var feeds = [ThisBookFeed(), ThisBookFeed()]
    /// The profile's pages that were looked at: own, liked and bookmarked posts.
    var pages: [ThisBookProfilePage?] = []
    /// What the search found.
    var found = ThisBookFeed()
    /// The word in the search field; empty before the first.
    var keyword = ""
    /// The tab that is open, a position in `feeds`.
    var tab = 0
    /// The list that is on the screen, or below the open post.
    var place = ThisBookPlace.feed(0)
    /// The open post.
    var detail: ThisBookPost?
    /// The person's newest comment on it.
    var comment: String?
    /// Whether the payment page lies over the feed.
    var showsPaymentPage = false
    /// Whom the last tap on a follow button was about, whichever row it was in.
    var followed: String?
    /// The same for those who were followed before the tap.
    var unfollowed: String?
    /// Follow buttons by the author they follow; each has a throttle of its own.
    var followButtons: [String: ThrottledTaps] = [:]
    /// The words of the newest book search, and what it found.
    var bookWords = ""
    var books: [NaverItem] = []
    /// Whether the sign-in screen is shown.
    var showsLogin = false
    /// Whether the session's data was wiped below a screen that lets no alert through: nobody is
    /// signed out before the next start.
    var outlivesSession = false
    /// How many alerts of an expired session were shown; one, whatever fails meanwhile.
    var expiryAlerts = 0
    /// What the person remembers to have paid for.
    var purchases: [String] = []
    /// What the person remembers to have liked and bookmarked.
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

    /// A page of the profile; an empty one before it was looked at.
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
    /// Which posts it is of.
    enum Kind: Int, CaseIterable, Hashable, Sendable {
        case own, liked, bookmarked
    }

    /// What was kept of the feed of recommendations, and of the feed of requests.
    var give: [ThisBookPost] = []
    var receive: [ThisBookPost] = []
    var giveCursor = ""
    var receiveCursor = ""
    /// Both as the screen shows them, newest first; likes change rows here and nowhere else.
    var merged = ThisBookFeed()

    /// Either of the lists has changed: what the screen shows is made anew.
    mutating func merge(seenBy user: String) {
        let posts = (give + receive).enumerated().sorted {
            ($1.element.createdAt, $0.offset) < ($0.element.createdAt, $1.offset)
        }
        merged.rows = posts.map { ThisBookRow($0.element, seenBy: user) }
    }
}

/// A list of posts as a screen keeps it.
struct ThisBookFeed: Sendable {
    var rows: [ThisBookRow] = []
    /// Where the next page begins: empty before the first, `"0"` after the last.
    var cursor = ""
    /// The row of the newest tap on a heart or a bookmark.
    ///
    /// One for the whole list, and read when an answer comes: by then it may be another tap's.
    var tappedRow = 0

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
