import SquallHTTP

/// A client of the project's own contract, right or with one slip.
final class LiveClient: @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    enum Slip: Sendable {
        case none
        /// Each refused call refreshes, with the pair that it was sent with.
        case refreshesEach
        /// Each refused call refreshes in its turn, with the newest pair.
        case refreshesLate
        /// The new refresh token is not stored.
        case keepsRefreshToken
        /// The new access token is not stored; its own call is repeated with it.
        case keepsAccessToken
        /// A refused call is not sent again.
        case dropsCalls
        /// A refused call is sent again with the token that was refused.
        case repeatsToken
    }

    let world: JudgedWorld
    let slip: Slip
    let connection: UInt64
    var access = ""
    var refresh = ""
    /// Whether a refresh carries the access token that it replaces.
    var refreshShowsAccess = true
    /// Header fields of every request.
    var fields: [String: String] = [:]
    private var refreshing: Task<Void, Never>?

    init(_ world: JudgedWorld, _ slip: Slip = .none, connection: UInt64 = 1) {
        (self.world, self.slip, self.connection) = (world, slip, connection)
    }

    func signIn(account: Int = 0) async {
        let answer = await world.send(
            .post, "/v1/users/login",
            body: "email=user\(account)%40example.com&password=password-\(account)",
            connection: connection, fields: fields)
        store(answer?.text ?? "")
    }

    private func store(_ text: String) {
        if let token = Self.member("accessToken", of: text) { access = token }
        guard let token = Self.member("refreshToken", of: text) else { return }
        if slip != .keepsRefreshToken || refresh.isEmpty { refresh = token }
    }

    private static func member(_ name: String, of text: String) -> String? {
        guard let place = text.firstRange(of: "\"\(name)\":\"") else { return nil }
        return String(text[place.upperBound...].prefix { $0 != "\"" })
    }

    /// A call, repeated once after a refresh; its last status.
    @discardableResult
    func call(_ path: String = "/posts", _ method: HTTPMethod = .get, body: String = "") async
        -> Int?
    {
        let used = (access, refresh)
        let answer = await world.send(
            method, path, access: used.0, body: body, connection: connection, fields: fields)
        guard answer?.status == 419 else { return answer?.status }
        let fresh = await renew(used)
        if slip == .dropsCalls { return 419 }
        if slip == .repeatsToken {
            return await world.send(
                method, path, access: used.0, body: body, connection: connection, fields: fields)?
                .status
        }
        return await world.send(
            method, path, access: fresh, body: body, connection: connection, fields: fields)?
            .status
    }

    /// Calls at once.
    func calls(_ count: Int, _ path: String = "/posts") async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<count { group.addTask { await self.call(path) } }
        }
    }

    private func renew(_ used: (access: String, refresh: String)) async -> String {
        switch slip {
        case .refreshesEach: await refreshNow(used)
        case .refreshesLate:
            let (earlier, own) = (refreshing, self)
            let task = Task {
                await earlier?.value
                await own.refreshNow((own.access, own.refresh))
            }
            refreshing = task
            await task.value
        case .keepsAccessToken:
            let old = access
            await refreshNow(used)
            defer { access = old }
            return access
        default:
            if access == used.access {
                if let under = refreshing {
                    await under.value
                } else {
                    await inFlight { used }
                }
            }
        }
        return access
    }

    private func inFlight(_ pair: @escaping @Sendable () -> (String, String)) async {
        let task = Task { await refreshNow(pair()) }
        refreshing = task
        await task.value
        refreshing = nil
    }

    /// A refresh that shows no access token, as of a page that was loaded anew.
    func load() async {
        let answer = await world.send(
            .get, "/v1/auth/refresh", refresh: refresh, connection: connection, fields: fields)
        if answer?.status == 200 { store(answer?.text ?? "") }
    }

    func refreshNow(_ pair: (access: String, refresh: String)) async {
        let answer = await world.send(
            .get, "/v1/auth/refresh", access: refreshShowsAccess ? pair.access : nil,
            refresh: pair.refresh, connection: connection, fields: fields)
        if answer?.status == 200 { store(answer?.text ?? "") }
    }
}
