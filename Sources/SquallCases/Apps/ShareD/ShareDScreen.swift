/// The part of Share.D's screens that decides what a later tap sends and changes.
struct ShareDScreen: Sendable {
    /// The community's questions.
    var rows: [ShareDPost] = []
    /// Where the community's next page begins; `"0"` after the last one.
    var cursor = ""
    /// The question whose screen is open, whether it has loaded or not.
    private(set) var openPost: String?
    /// The open question, when it has loaded.
    var detail: ShareDPost?
    /// True if the user likes it, as the next tap sees it: every tap toggles it, and a reading sets
    /// it to true, never to false.
    var isLiked = false
    /// True if its heart is drawn filled, as the newest reading said.
    var showsHeart = false
    /// Its comments, newest first.
    var comments: [LSLPComment] = []
    /// The row of the newest tap on a comment's delete button.
    ///
    /// The screen has one such value, read when a response comes: it may then be another tap's.
    var deletedRow = 0
    /// The products of the shop that are shown; of a page that all phones share, as far as it is
    /// the first.
    var products: ArraySlice<NaverItem> = []
    var showsLogin = false
    /// The purchases that the user remembers.
    var purchases: [String] = []
    /// The likes that the user remembers.
    var taps = LikeTaps()

    /// Opens a question's screen, which shows nothing of the one before, or closes it.
    mutating func show(post: String?) {
        openPost = post
        detail = nil
        comments = []
        (isLiked, showsHeart) = (false, false)
    }
}

/// Share.D's texts for statuses: a table, which some screens replace by their own.
enum ShareDText: String, Sendable {
    case forbidden, loginExpired, tokenExpired, wrongKey
    case badRequest, wrongAccount, nickHasSpace, emailTaken, unauthorized, missingPost
    case unknown

    /// The screen that reads the status.
    enum Screen: Sendable {
        case login, join, post, settings, other

        /// True for screens that look for 418 before they look for a text.
        ///
        /// As built no 418 ever arrives there: the retrier does not pass it on.
        var asksForTheLogin: Bool { self != .login && self != .join }
    }

    /// The text of a status on a screen; a status that the screen's own table lacks is unknown.
    init(status: Int, on screen: Screen) {
        self = screen.texts[status] ?? .unknown
    }
}

extension ShareDText.Screen {
    fileprivate var texts: [Int: ShareDText] {
        switch self {
        case .login: [200: .badRequest, 400: .badRequest, 401: .wrongAccount]
        case .join: [200: .badRequest, 402: .nickHasSpace, 409: .emailTaken]
        case .post: [401: .unauthorized, 410: .missingPost]
        case .settings: [401: .unauthorized]
        case .other:
            [403: .forbidden, 418: .loginExpired, 419: .tokenExpired, 420: .wrongKey]
        }
    }
}
