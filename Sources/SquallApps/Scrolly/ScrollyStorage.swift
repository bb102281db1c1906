import SquallClient
import SquallHTTP
import Synchronization

/// What Scrolly keeps in UserDefaults and reads again: plain strings under fixed keys.
final class ScrollyStorage: Sendable {
    private struct Values {
        var access = ""
        var refresh = ""
        var user = ""
        var nick = ""
        /// The fields that most calls have, made for the first that shows the access token.
        var headers: HTTPHeaders?
    }

    private let values = Mutex(Values())

    /// Both tokens as they are stored now; empty strings before the first sign-in.
    var tokens: (access: String, refresh: String) {
        values.withLock { ($0.access, $0.refresh) }
    }

    /// The key and the access token as it is stored now, as header fields.
    var headers: HTTPHeaders {
        values.withLock { stored in
            if let known = stored.headers { return known }
            let headers: HTTPHeaders = [
                HTTPHeader(name: "SesacKey", value: ScrollyConstants.key),
                .authorization(stored.access),
            ]
            stored.headers = headers
            return headers
        }
    }

    /// The server's identifier of the user who signed in last.
    var userID: String { values.withLock { $0.user } }

    /// Replaces the access token without comparing it with the one that expired.
    func store(accessToken: String) {
        values.withLock { ($0.access, $0.headers) = (accessToken, nil) }
    }

    /// Writes everything that a sign-in brings.
    func store(_ account: StoredAccount) {
        values.withLock { stored in
            stored.access = account.accessToken
            stored.refresh = account.refreshToken
            stored.user = account.userID
            stored.nick = account.nick
            stored.headers = nil
        }
    }
}

/// For the reference design.
extension ScrollyStorage: TokenStore {
    func read() async -> TokenPair? {
        let tokens = tokens
        return TokenPair(storedAccess: tokens.access, refresh: tokens.refresh)
    }

    func write(_ pair: TokenPair) async {
        values.withLock { ($0.access, $0.refresh, $0.headers) = (pair.access, pair.refresh, nil) }
    }

    func erase() async {
        values.withLock { ($0.access, $0.refresh, $0.headers) = ("", "", nil) }
    }
}
