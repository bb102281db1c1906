import SquallClient
import Synchronization

/// What Scrolly keeps in UserDefaults and reads again: plain strings under fixed keys.
final class ScrollyStorage: Sendable {
    private struct Values {
        var access = ""
        var refresh = ""
        var user = ""
        var nick = ""
    }

    private let values = Mutex(Values())

    /// Both tokens as they are stored now; empty strings before the first sign-in.
    var tokens: (access: String, refresh: String) {
        values.withLock { ($0.access, $0.refresh) }
    }

    /// The server's identifier of whoever signed in last.
    var userID: String { values.withLock { $0.user } }

    /// Replaces the access token, whatever it was: nobody compares it with the one that expired.
    func store(accessToken: String) {
        values.withLock { $0.access = accessToken }
    }

    /// Writes everything a sign-in brings.
    func store(_ account: StoredAccount) {
        values.withLock { stored in
            stored.access = account.accessToken
            stored.refresh = account.refreshToken
            stored.user = account.userID
            stored.nick = account.nick
        }
    }
}

/// As the reference design uses it.
extension ScrollyStorage: TokenStore {
    func read() async -> TokenPair? {
        let tokens = tokens
        return TokenPair(storedAccess: tokens.access, refresh: tokens.refresh)
    }

    func write(_ pair: TokenPair) async {
        values.withLock { ($0.access, $0.refresh) = (pair.access, pair.refresh) }
    }

    func erase() async {
        values.withLock { ($0.access, $0.refresh) = ("", "") }
    }
}
