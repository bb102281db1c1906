import SquallHTTP
import SquallJudge

/// What is known of an account: its sign-ins, and the tokens that these brought.
struct LiveAccount {
    var watch = AccountWatch<TokenNumber>()
    /// The users who signed in to it first and last.
    let first: UInt64
    var latest: UInt64 {
        didSet {
            if latest != oldValue { recent = recent.suffix(Self.recentMax - 1) + [latest] }
        }
    }
    /// Those who signed in to it lately: whoever tries to sign in again may be any of them.
    private(set) var recent: [UInt64]
    private static let recentMax = 16
    /// True for a client of the service: its processes are no people.
    var isClient = false
    /// The number of sign-ins in a row that replaced a good token of their own process.
    var needless = 0
    /// The name of the user who was the first to sign in to it.
    var name: String?
    private var signIns = 1

    init(first user: UInt64) { (first, latest, recent) = (user, user, [user]) }

    /// Counts a sign-in that replaced a good token.
    mutating func isNeedless() -> Int {
        needless += 1
        return needless
    }

    /// The name of whoever signs in to it now; `nil` for the first.
    ///
    /// Each sign-in is judged as a client of its own, since it may be another device, and all of
    /// them are counted as one user.
    var nextName: String? {
        mutating get {
            guard let name else { return nil }
            signIns += 1
            return "\(name), sign-in \(signIns)"
        }
    }
}
