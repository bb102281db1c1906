import SquallApps
import SquallClient
import SquallHTTP
import Synchronization

/// The values that an app on the server of 2024 keeps in UserDefaults: plain strings under fixed
/// keys, and the list of followed users.
///
/// A missing value reads as an empty string, and is sent as one in headers.
final class AppStorage: Sendable {
    private struct Values {
        var access = ""
        var refresh = ""
        var userID = ""
        var nick = ""
        var profile = ""
        var followings: [String] = []
        var others: [String: String] = [:]
        /// The fields that most calls have, made for the first that shows the access token.
        var headers: HTTPHeaders?
    }

    private let values = Mutex(Values())
    /// True if an expired session removes the tokens alone, and not the user's data.
    private let keepsUser: Bool

    init(keepsUser: Bool = false) { self.keepsUser = keepsUser }

    /// The access token; empty before the first sign-in and after a wipe.
    ///
    /// Written without a comparison with the one that expired, and even when everything beside it
    /// has been wiped meanwhile.
    var access: String {
        get { values.withLock { $0.access } }
        set { values.withLock { ($0.access, $0.headers) = (newValue, nil) } }
    }

    /// The refresh token; empty before the first sign-in and after a wipe.
    var refresh: String { values.withLock { $0.refresh } }
    /// The server's identifier of the user who signed in last.
    var userID: String { values.withLock { $0.userID } }
    var nick: String { values.withLock { $0.nick } }
    /// The path of the user's picture.
    var profile: String { values.withLock { $0.profile } }

    /// Both tokens as they are stored now.
    var tokens: TokenPair {
        values.withLock { TokenPair(access: $0.access, refresh: $0.refresh) }
    }

    /// True if there is an access token without the rest of its sign-in.
    var hasOrphanedSession: Bool {
        values.withLock {
            !$0.access.isEmpty && ($0.refresh.isEmpty || $0.userID.isEmpty)
        }
    }

    /// The users that the user follows, as far as the app knows.
    var followings: [String] {
        get { values.withLock { $0.followings } }
        set { values.withLock { $0.followings = newValue } }
    }

    /// The key and the access token as it is stored now, as header fields.
    func headers(key: String) -> HTTPHeaders {
        values.withLock { stored in
            if let known = stored.headers { return known }
            // Not by names in a literal, which reserves memory for two more: a million phones keep
            // them.
            let headers: HTTPHeaders = [
                HTTPHeader(name: "SesacKey", value: key), .authorization(stored.access),
            ]
            stored.headers = headers
            return headers
        }
    }

    /// Frees the fields that calls have, while the app is in the background.
    func forgetHeaders() { values.withLock { $0.headers = nil } }

    /// Writes the values of a sign-in; a missing response is written as empty strings.
    func store(_ account: StoredAccount?) {
        values.withLock { stored in
            stored.access = account?.accessToken ?? ""
            stored.refresh = account?.refreshToken ?? ""
            stored.userID = account?.userID ?? ""
            stored.nick = account?.nick ?? ""
            stored.headers = nil
        }
    }

    func store(nick: String, profile: String) {
        values.withLock { ($0.nick, $0.profile) = (nick, profile) }
    }

    /// Writes a string under any key that the app does not read.
    func store(_ value: String, forKey key: String) { values.withLock { $0.others[key] = value } }

    /// Toggles another user among those that the user follows, as far as the app knows.
    func toggleFollowing(_ user: String) {
        values.withLock { stored in
            if stored.followings.contains(user) {
                stored.followings.removeAll { $0 == user }
            } else {
                stored.followings.append(user)
            }
        }
    }

    /// Removes every key.
    func wipe() { values.withLock { $0 = Values() } }
}

/// Reads and writes both tokens at once, as the reference design needs it.
extension AppStorage: TokenStore {
    func read() async -> TokenPair? {
        values.withLock { TokenPair(storedAccess: $0.access, refresh: $0.refresh) }
    }

    func write(_ pair: TokenPair) async {
        values.withLock { ($0.access, $0.refresh, $0.headers) = (pair.access, pair.refresh, nil) }
    }

    func erase() async {
        if keepsUser { await write(TokenPair(access: "", refresh: "")) } else { wipe() }
    }
}
