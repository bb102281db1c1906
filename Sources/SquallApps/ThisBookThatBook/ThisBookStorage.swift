import SquallClient
import Synchronization

/// What 이책저책 keeps in UserDefaults: plain strings and the list of people one follows.
///
/// A missing value reads as an empty string, which is also what goes into the headers then.
final class ThisBookStorage: Sendable {
    private struct Values {
        var access = ""
        var refresh = ""
        var id = ""
        var followings: [String] = []
    }

    private let values = Mutex(Values())

    /// The access token; empty before the first sign-in and after a wipe.
    var accessToken: String { values.withLock { $0.access } }
    /// The refresh token; empty before the first sign-in and after a wipe.
    var refreshToken: String { values.withLock { $0.refresh } }
    /// The server's identifier of whoever signed in last.
    var userID: String { values.withLock { $0.id } }
    /// Whom the person follows, as far as the app knows.
    var followings: [String] { values.withLock { $0.followings } }

    /// Replaces the access token, also when everything beside it has been wiped meanwhile.
    func store(accessToken: String) { values.withLock { $0.access = accessToken } }

    /// Writes what a sign-in brings.
    func store(userID: String, accessToken: String, refreshToken: String) {
        values.withLock { stored in
            stored.id = userID
            stored.access = accessToken
            stored.refresh = refreshToken
        }
    }

    /// Replaces the list of people one follows.
    func store(followings: [String]) { values.withLock { $0.followings = followings } }

    /// Turns round whether the person follows somebody, as far as the app knows.
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

/// As the reference design uses it.
extension ThisBookStorage: TokenStore {
    func read() async -> TokenPair? {
        values.withLock { TokenPair(storedAccess: $0.access, refresh: $0.refresh) }
    }

    func write(_ pair: TokenPair) async {
        values.withLock { ($0.access, $0.refresh) = (pair.access, pair.refresh) }
    }

    func erase() async { wipe() }
}
