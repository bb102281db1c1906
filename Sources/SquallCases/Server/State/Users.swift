import SquallKernel

/// An account, as its user and others see it.
struct Account {
    var email: String
    var password: String
    var nick: String
    var phoneNumber: String?
    var birthDay: String?
    /// The path of the picture below the folder of uploads; `nil` for a user who never set one.
    var profileImage: String?
    /// When it was made, in seconds since 1970; `nil` for an account from before the run.
    fileprivate var joinedAtSecond: Int64?

    init(email: String, password: String, nick: String) {
        self.email = email
        self.password = password
        self.nick = nick
    }
}

/// All users with an account.
///
/// Accounts from before the run are computed from their number; only those that joined or changed
/// during the run are kept, so a million readers cost nothing until they do something.
struct Users {
    /// Where the run begins in the calendar.
    let epoch: Epoch
    /// How many have or had an account; their numbers are below it.
    private(set) var count: Int
    /// The number of changes of users' names and pictures; responses about other users show both.
    private(set) var version = 0
    /// The ``version`` at the last change of a user's name or picture.
    private var versions: [Int32: Int] = [:]
    private var changed: [Int32: Account] = [:]
    private var withdrawn: Set<Int32> = []
    /// The users whose e-mail or name is not the computed one.
    private var numberByEmail: [String: Int32] = [:]
    private var numberByNick: [String: Int32] = [:]
    private var follows = FollowGraph()

    /// When the accounts from before the run were made: a day before it.
    private var seededAtSecond: Int64 { epoch.seconds(at: .start) - 86_400 }

    init(count: Int, epoch: Epoch = .standard) {
        precondition(
            count <= ObjectID.numberMax, "\(count) users do not fit into their identifiers")
        self.count = count
        self.epoch = epoch
    }

    func account(_ user: Int) -> Account {
        if let known = known(user) { return known }
        var account = Account(email: email(user), password: password(user), nick: nick(user))
        account.profileImage = SeededFiles.portraitPath(user)
        return account
    }

    /// The identifier of a user.
    func id(_ user: Int) -> String { objectID(user).text }

    /// The name that other users see.
    func nick(_ user: Int) -> String { known(user)?.nick ?? "reader\(user)" }

    func email(_ user: Int) -> String { known(user)?.email ?? "reader\(user)@squall.test" }

    func password(_ user: Int) -> String { known(user)?.password ?? "password\(user)" }

    func profileImage(_ user: Int) -> String? {
        guard let account = known(user) else { return SeededFiles.portraitPath(user) }
        return account.profileImage
    }

    /// True if a user's name or picture has changed since an earlier ``version``.
    func hasChanged(_ user: Int32, since version: Int) -> Bool {
        versions[user].map { $0 > version } ?? false
    }

    /// False for a number that no user has, and for an account that is withdrawn.
    func contains(_ user: Int) -> Bool {
        user >= 0 && user < count && (withdrawn.isEmpty || !withdrawn.contains(Int32(user)))
    }

    /// The number of an identifier, also of a withdrawn user.
    func number(of id: ObjectID) -> Int? {
        id.kind == .user && id.number < count && objectID(id.number) == id ? id.number : nil
    }

    /// The user of an identifier; `nil` when there is none or the account is withdrawn.
    func user(withID id: ObjectID) -> Int? { number(of: id).flatMap(present) }

    /// The user of an e-mail address, if there is one.
    func user(withEmail email: String) -> Int? {
        if let user = numberByEmail[email] { return Int(user) }
        guard email.hasSuffix("@squall.test"),
            let user = seeded(named: email.dropLast("@squall.test".count)),
            self.email(user) == email
        else { return nil }
        return present(user)
    }

    /// The user of a name, if there is one.
    func user(withNick nick: String) -> Int? {
        if let user = numberByNick[nick] { return Int(user) }
        guard let user = seeded(named: nick[...]), self.nick(user) == nick else { return nil }
        return present(user)
    }

    /// Makes an account with an e-mail and a name that must be free.
    mutating func add(_ account: Account, at now: Instant) throws(Refusal) -> Int {
        guard count <= ObjectID.numberMax else { throw .serverError }
        var account = account
        account.joinedAtSecond = epoch.seconds(at: now)
        changed[Int32(count)] = account
        numberByEmail[account.email] = Int32(count)
        numberByNick[account.nick] = Int32(count)
        count += 1
        return count - 1
    }

    /// Changes what an account says; its e-mail stays, and its name must be free.
    mutating func update(_ user: Int, to account: Account) {
        let old = self.account(user)
        if account.nick != old.nick {
            numberByNick[old.nick] = nil
            numberByNick[account.nick] = Int32(user)
        }
        if account.nick != old.nick || account.profileImage != old.profileImage {
            version += 1
            versions[Int32(user)] = version
        }
        changed[Int32(user)] = account
    }

    /// Ends an account: its e-mail and name become free, and its followers are removed.
    mutating func withdraw(_ user: Int) {
        let account = account(user)
        if numberByEmail[account.email] == Int32(user) { numberByEmail[account.email] = nil }
        if numberByNick[account.nick] == Int32(user) { numberByNick[account.nick] = nil }
        withdrawn.insert(Int32(user))
        follows.remove(user)
    }

    private func present(_ user: Int) -> Int? { contains(user) ? user : nil }

    private func known(_ user: Int) -> Account? {
        changed.isEmpty ? nil : changed[Int32(user)]
    }

    private func objectID(_ user: Int) -> ObjectID {
        ObjectID(
            .user, number: user, second: known(user)?.joinedAtSecond ?? seededAtSecond)
    }

    /// The number in a computed name.
    private func seeded(named name: Substring) -> Int? {
        guard name.hasPrefix("reader"), let user = Int(name.dropFirst(6)), user >= 0, user < count
        else { return nil }
        return user
    }
}

extension Users {
    /// The followers of a user, in the order in which they began to follow.
    func followers(of user: Int) -> [Int32] { follows.followers(of: user) }

    /// The users that a user follows, in the order in which that began.
    func followed(by user: Int) -> [Int32] { follows.followed(by: user) }

    /// Makes one user follow another; returns false when that is so already.
    mutating func follow(_ other: Int, by user: Int) -> Bool { follows.add(user, other) }

    /// Makes one user no longer follow another; returns false when that was not so.
    mutating func unfollow(_ other: Int, by user: Int) -> Bool { follows.remove(user, other) }

    /// Writes the `Creator` of the contract.
    func writeCreator(_ user: Int, _ keys: AnswerKeys, _ writer: inout JSONWriter) {
        writer.member(keys.userID, id(user))
        writer.member("nick", nick(user))
        writer.member(keys.profileImage, profileImage(user))
    }
}

/// Which user follows which, from both sides.
struct FollowGraph {
    private var followed: [Int32: [Int32]] = [:]
    private var followers: [Int32: [Int32]] = [:]

    /// The users that a user follows, in the order in which that began.
    func followed(by user: Int) -> [Int32] { followed[Int32(user)] ?? [] }

    /// The followers of a user, in the order in which they began to follow.
    func followers(of user: Int) -> [Int32] { followers[Int32(user)] ?? [] }

    /// Adds an edge; returns false when it is there.
    mutating func add(_ user: Int, _ other: Int) -> Bool {
        guard !followed(by: user).contains(Int32(other)) else { return false }
        followed[Int32(user), default: []].append(Int32(other))
        followers[Int32(other), default: []].append(Int32(user))
        return true
    }

    /// Removes an edge; returns false when there is none.
    mutating func remove(_ user: Int, _ other: Int) -> Bool {
        guard followed(by: user).contains(Int32(other)) else { return false }
        followed[Int32(user)]?.removeAll { $0 == Int32(other) }
        followers[Int32(other)]?.removeAll { $0 == Int32(user) }
        return true
    }

    /// Removes every edge of a user.
    mutating func remove(_ user: Int) {
        for other in followed.removeValue(forKey: Int32(user)) ?? [] {
            followers[other]?.removeAll { $0 == Int32(user) }
        }
        for other in followers.removeValue(forKey: Int32(user)) ?? [] {
            followed[other]?.removeAll { $0 == Int32(user) }
        }
    }
}
