import SquallClient
import Synchronization

/// What 이책저책 keeps in UserDefaults: plain strings and the list of followed users.
///
/// A missing value reads as an empty string, and is sent as one in headers.
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
    /// The server's identifier of the user who signed in last.
    var userID: String { values.withLock { $0.id } }
    /// The users that the user follows, as far as the app knows.
    var followings: [String] { values.withLock { $0.followings } }

    /// Replaces the access token, even when everything beside it has been wiped meanwhile.
    func store(accessToken: String) { values.withLock { $0.access = accessToken } }

    /// Writes what a sign-in brings.
    func store(userID: String, accessToken: String, refreshToken: String) {
        values.withLock { stored in
            stored.id = userID
            stored.access = accessToken
            stored.refresh = refreshToken
        }
    }

    /// Replaces the list of followed users.
    func store(followings: [String]) { values.withLock { $0.followings = followings } }

    /// Toggles whether the user follows another, as far as the app knows.
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

/// For the reference design.
extension ThisBookStorage: TokenStore {
    func read() async -> TokenPair? {
        values.withLock { TokenPair(storedAccess: $0.access, refresh: $0.refresh) }
    }

    func write(_ pair: TokenPair) async {
        values.withLock { ($0.access, $0.refresh) = (pair.access, pair.refresh) }
    }

    func erase() async { wipe() }
}
