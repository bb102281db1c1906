import SquallHTTP
import SquallJudge

/// What is known of an account: its sign-ins, and the tokens that these brought.
struct LiveAccount {
    var watch = AccountWatch<TokenNumber>()
    /// The user who signed in to it last.
    var latest: UInt64
    /// True for a client of the service: its processes are no people.
    var isClient = false
    /// The number of sign-ins in a row that replaced a good token of their own process.
    var needless = 0
    /// The name of the user who was the first to sign in to it.
    var name: String?
    private var signIns = 1
    /// The user who is named for renewals of the account by several sign-ins.
    private var accused: UInt64?

    init(latest: UInt64) { self.latest = latest }

    /// The user who was named before for a storm of the account; this one for the first.
    mutating func accused(or user: UInt64) -> UInt64 {
        accused = accused ?? user
        return accused ?? user
    }

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
