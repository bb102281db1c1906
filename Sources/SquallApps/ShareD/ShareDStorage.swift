import SquallClient
import Synchronization

/// What Share.D keeps in UserDefaults, through a property wrapper that reads them every time.
final class ShareDStorage: Sendable {
    private struct Values {
        var access = ""
        var refresh = ""
        var userNickname = ""
        var userID = ""
        var profile = ""
        var others: [String: String] = [:]
    }

    private let values = Mutex(Values())

    var access: String {
        get { values.withLock { $0.access } }
        set { values.withLock { $0.access = newValue } }
    }

    var refresh: String { values.withLock { $0.refresh } }
    var userID: String { values.withLock { $0.userID } }
    var userNickname: String { values.withLock { $0.userNickname } }
    var profile: String { values.withLock { $0.profile } }

    /// Writes a string under any key that the app does not read.
    func store(_ value: String, forKey key: String) { values.withLock { $0.others[key] = value } }

    /// Writes the fields of a login's answer; missing ones are written as empty strings.
    ///
    /// It does so for every answer: a wrong password erases a valid session.
    func store(_ login: ShareDLogin?) {
        values.withLock { stored in
            stored.access = login?.accessToken ?? ""
            stored.refresh = login?.refreshToken ?? ""
            stored.userNickname = login?.nick ?? ""
            stored.userID = login?.userID ?? ""
        }
    }

    /// Writes the fields of an answer to a profile edit; a failed one empties name and picture.
    func store(_ profile: ShareDProfile?) {
        values.withLock { stored in
            stored.userNickname = profile?.nick ?? ""
            stored.profile = profile?.profileImage ?? ""
        }
    }

    /// Writes the account of an earlier sign-in.
    func restore(_ account: StoredAccount) {
        values.withLock { stored in
            stored.access = account.accessToken
            stored.refresh = account.refreshToken
            stored.userNickname = account.nick
            stored.userID = account.userID
        }
    }

    /// Removes every key.
    func wipe() { values.withLock { $0 = Values() } }
}

/// For the reference design.
extension ShareDStorage: TokenStore {
    func read() async -> TokenPair? {
        values.withLock { TokenPair(storedAccess: $0.access, refresh: $0.refresh) }
    }

    func write(_ pair: TokenPair) async {
        values.withLock { ($0.access, $0.refresh) = (pair.access, pair.refresh) }
    }

    func erase() async { wipe() }
}
