import SquallApps
import SquallClient
import Synchronization

/// The model of a sign-up's response; the server never sends the password back.
struct ScrollyAccount: Decodable, Sendable {
    let userID: String
    let email: String
    let nick: String
    let password: String

    enum CodingKeys: String, CodingKey {
        case userID = "user_id"
        case email, nick, password
    }
}

/// The model of an address check's response; any body fits.
struct ScrollyMessage: Decodable, Sendable {
    let message: String?
}

/// Scrolly's own names for what can go wrong, by status first.
enum ScrollyError: String, Error, Sendable {
    case invalidRequest, invalidToken, invalidNick, accessForbidden, validationFaild, taskFailed
    case expiredRefreshToken, expiredToken, invalidKey, tooManyRequest, invalidURL
    case unAuthorizedRequest, redirectError, clientError, serverError, networkError
    case invalidData

    /// The app's error for a status; only 200 counts as success, other 2xx are network errors to
    /// it.
    init?(status: Int) {
        switch status {
        case 200: return nil
        case 300..<400: self = .redirectError
        case 402...499: self = ScrollyError.named[status] ?? .clientError
        case 500..<600: self = .serverError
        default: self = ScrollyError.named[status] ?? .networkError
        }
    }

    /// The toast for it; for four of them the app has an empty text.
    var toast: StepOutcome {
        switch self {
        case .invalidNick, .invalidKey, .tooManyRequest, .invalidURL:
            .toast("\(rawValue).noText")
        default: .toast(rawValue)
        }
    }

    private static let named: [Int: ScrollyError] = [
        400: .invalidRequest, 401: .invalidToken, 402: .invalidNick, 403: .accessForbidden,
        409: .validationFaild, 410: .taskFailed, 418: .expiredRefreshToken, 419: .expiredToken,
        420: .invalidKey, 429: .tooManyRequest, 444: .invalidURL, 445: .unAuthorizedRequest,
    ]
}

/// A page of posts with the covers of its rows in sight, found once for all phones that show it.
final class ScrollyPage: CursorPage {
    /// How many rows of a section fit on the screen.
    private static let rowsInSight = 6

    let items: [LSLPPost]
    let nextCursor: String
    private let covers = Mutex<(first: [StoredFile]?, mostViewed: [StoredFile]?)>((nil, nil))

    private enum CodingKeys: String, CodingKey {
        case items = "data"
        case nextCursor = "next_cursor"
    }

    init(items: [LSLPPost], nextCursor: String) {
        (self.items, self.nextCursor) = (items, nextCursor)
    }

    /// The cursor of the next call: the end is not stored, the old one stays.
    func cursor(after old: String) -> String { nextCursor == "0" ? old : nextCursor }

    /// The covers of its first posts.
    var coversOfFirst: [StoredFile] {
        covers.withLock { known in
            if let covers = known.first { return covers }
            let covers = items.prefix(Self.rowsInSight).compactMap { $0.text.files.first }
            known.first = covers
            return covers
        }
    }

    /// The covers of its most viewed posts, the most viewed first; of equal views the server's
    /// order stays.
    var coversOfMostViewed: [StoredFile] {
        covers.withLock { known in
            if let covers = known.mostViewed { return covers }
            let ranked = items.enumerated().sorted { left, right in
                let (more, fewer) = (left.element.views, right.element.views)
                return more > fewer || more == fewer && left.offset < right.offset
            }
            let covers = ranked.prefix(Self.rowsInSight).compactMap { $0.element.text.files.first }
            known.mostViewed = covers
            return covers
        }
    }
}

extension LSLPPost {
    fileprivate var views: Int { text.content3?.number ?? 0 }
}
