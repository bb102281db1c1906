import SquallBackend
import SquallJudge

/// What is known of an account: its sign-ins, and the tokens that these brought.
struct LiveAccount {
    var watch = AccountWatch<TokenNumber>()
    /// The user who signed in to it last.
    var latest: UInt64
    /// The number of sign-ins that replaced a good token on the connection that had brought it.
    var needless = 0
    /// The name of the user who was the first to sign in to it.
    var name: String?
    private var signIns = 1

    init(latest: UInt64) { self.latest = latest }

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
