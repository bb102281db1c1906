import SquallBackend

/// The users of a live session, recognised by sign-in and by the lineage of their tokens.
///
/// A sign-in is a new user. A request without a token is of the user of its connection, as long as
/// that has carried one user alone; or else of user 0, of whom only the wire is judged.
struct LiveUsers {
    private(set) var all: [UInt64: LiveUser] = [0: LiveUser(0)]
    private var sessions: [Backend.SessionKey: UInt64] = [:]
    private var connections: [UInt64: UInt64] = [:]
    private var names: [String: UInt64] = [:]
    private var made: UInt64 = 0
    /// The numbers of forgotten users, which new ones get: a backend keeps something for each.
    private var free: [UInt64] = []
    /// How many have got tokens, by their accounts where these are known.
    private(set) var signedIn = 0

    /// The number of users beyond which those who were not seen for longest are forgotten.
    static let usersMax = 4_096

    subscript(number: UInt64) -> LiveUser? { all[number] }

    func user(of session: Backend.SessionKey?) -> LiveUser? {
        session.flatMap { sessions[$0] }.flatMap { all[$0] }
    }

    /// The one user who has got tokens, if there is one alone.
    var only: LiveUser? {
        all.count == 2 ? all.values.first { $0.number != 0 && $0.hasTokens } : nil
    }

    func user(onConnection connection: UInt64?) -> LiveUser? {
        connection.flatMap { connections[$0] }.flatMap { $0 == 0 ? nil : all[$0] }
    }

    func isOpen(_ connection: UInt64) -> Bool { connections[connection] != nil }

    /// The user of a name, who is new at first.
    mutating func user(named name: String) -> LiveUser {
        if let known = names[name].flatMap({ all[$0] }) { return known }
        let user = add()
        give(user, the: name)
        return user
    }

    /// A user calls itself so from now on.
    mutating func give(_ user: LiveUser, the name: String) {
        (user.name, user.isNamed) = (name, true)
        names[name] = user.number
    }

    /// True if a request may have the sender of another one on an earlier connection, `isAtOnce`
    /// after the response to that.
    ///
    /// A sender that waits for a response and sends again at once has a connection for it, if that
    /// is open. Those who show no token may be many.
    func mayFollow(
        _ earlier: UInt64?, isAtOnce: Bool, on connection: UInt64?, of user: LiveUser
    ) -> Bool {
        guard let earlier, let connection, earlier != connection else { return true }
        return user.number != 0 && !(isAtOnce && isOpen(earlier))
    }

    /// True for a connection that carries others than a user, or others, too.
    func isShared(_ connection: UInt64?, beside user: LiveUser) -> Bool {
        connection.flatMap { connections[$0] }.map { $0 != user.number } ?? false
    }

    /// The user of a refresh that asks for a scope or an audience; `isOver` where the newest token
    /// of who signed in is known to need one (UpstreamWorldTests.audiences).
    mutating func line(of user: LiveUser, for target: UInt64?, isOver: Bool) -> LiveUser {
        let origin = user.origin
        let target = target ?? 0
        if origin.target == nil, isOver || target == 0 { origin.target = target }
        guard origin.target != target else { return origin }
        if let line = origin.lines[target], all[line.number] === line { return line }
        if origin.lines.count >= Self.linesMax { origin.lines = [:] }
        let line = add()
        origin.lines[target] = line
        (line.root, line.name, line.isNamed) = (origin, origin.name, origin.isNamed)
        (line.account, line.hasTokens) = (origin.account, true)
        return line
    }

    private static let linesMax = 32

    mutating func add() -> LiveUser {
        if free.isEmpty {
            made += 1
            free = [made]
        }
        let user = LiveUser(free.removeLast())
        all[user.number] = user
        return user
    }

    /// A user has got tokens; gives it a name if it has none.
    ///
    /// One whose account was seen before has a name by that, and is not counted again.
    mutating func gotTokens(
        _ user: LiveUser, _ session: Backend.SessionKey?, named name: String?
    ) {
        if let session, sessions[session] == nil { sessions[session] = user.number }
        guard !user.hasTokens else { return }
        user.hasTokens = true
        if name == nil { signedIn += 1 }
        user.name = user.name ?? name ?? "user \(signedIn)"
    }

    /// A connection has carried a user's request; 0 stands for several users.
    mutating func note(_ connection: UInt64?, carries user: LiveUser) {
        guard let connection, user.number != 0 else { return }
        let known = connections[connection]
        // Who signs in again on a connection takes it over; who only takes turns shares it.
        if known == nil {
            connections[connection] = user.number
        } else if known != user.number, known != 0 {
            let isOlder = known.map { $0 < user.number } ?? true
            connections[connection] = isOlder ? user.number : 0
        }
    }

    mutating func closed(_ connection: UInt64) { connections[connection] = nil }

    var isFull: Bool { all.count > Self.usersMax }

    /// Forgets a quarter of too many users; returns them.
    mutating func makeRoom() -> [LiveUser] {
        guard isFull else { return [] }
        let idle = all.values.filter { $0.number != 0 && $0.open.isEmpty }
            .sorted { ($0.lastSeen, $0.number) < ($1.lastSeen, $1.number) }
            .prefix(Self.usersMax / 4)
        let numbers = Set(idle.map(\.number))
        for number in numbers { all[number] = nil }
        free += numbers.sorted()
        sessions = sessions.filter { !numbers.contains($0.value) }
        connections = connections.filter { !numbers.contains($0.value) }
        names = names.filter { !numbers.contains($0.value) }
        return Array(idle)
    }
}
