import SquallHTTP

@testable import SquallRaces

/// The smallest client that keeps every promise of the drills, but for one slip.
final class PocketClient: @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    struct Failure: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    struct Tokens {
        var access: String
        var refresh: String
        /// When the access token is over, by the server's clock.
        var end: Duration
    }

    private let pocket: PocketWorld
    private let life: Int
    private let slip: Slip
    private var hasRead = false
    private var isUnstored = false
    private var accounts: [Int: Tokens] = [:]
    private var connected: String?
    private var places = 10
    private var queue: [UnsafeContinuation<Void, Never>] = []
    private var tokens: Tokens?
    private var otherAccess: String?
    private var first = ""
    private var person: DrillPerson?
    /// Grows with each sign-in and sign-out.
    private var session = 0
    private var running: Task<Void, any Error>?
    private var notBefore: Duration = .seconds(-1_000_000)

    init(_ pocket: PocketWorld, life: Int, _ slip: Slip) {
        (self.pocket, self.life, self.slip) = (pocket, life, slip)
        read()
    }

    private func read() {
        guard !hasRead else { return }
        hasRead = slip == .readsOnce
        guard let kept = try? pocket.shelf.load() else {
            tokens = slip == .forgetsEarlier ? nil : pocket.shelf.older
            return
        }
        (tokens, hasRead) = (kept, true)
    }

    /// What another process may have stored, if it is newer.
    private func newer(than old: Tokens) -> Tokens? {
        guard !isUnstored, accounts.isEmpty, let kept = try? pocket.shelf.load(), kept.end > old.end
        else {
            return nil
        }
        return kept
    }

    var asDrilled: DrillClient {
        DrillClient(
            signIn: { try await self.signIn($0) }, call: { try await self.call(.get, "/posts") },
            expects: { $0 == "{}" },
            otherCalls: [{ _ = try await self.call(.get, "/profile") }],
            write: { _ = try await self.call(.post, "/posts", #"{"text": "hello"}"#) },
            otherScope: { try await self.callOfOtherScope() },
            refresh: { try await self.renew(insteadOf: self.tokens?.access ?? "") },
            signOut: { try await self.signOut() }, isSignedIn: { self.tokens != nil },
            list: { try await self.list() }, reconnect: { try await self.connect() },
            otherProcess: { [pocket, life] in
                _ = try await PocketClient(pocket, life: life, .none).call(.get, "/profile")
            },
            switchTo: { try await self.switchTo($0) },
            earlierVersion: { [pocket] in pocket.shelf.saveAsEarlier(try await self.tokens(of: $0))
            })
    }

    private func switchTo(_ next: DrillPerson) async throws {
        if let person, let tokens { accounts[person.account] = tokens }
        session += 1
        (running, person) = (nil, next)
        if let known = accounts[next.account] { tokens = known } else { try await signIn(next) }
        accounts[next.account] = tokens
    }

    private func connect() async throws {
        let token = slip == .connectsWithFirst ? connected : nil
        guard let token else {
            _ = try await call(.get, "/profile")
            connected = connected ?? tokens?.access
            return
        }
        let status = try await sent(.get, "/profile", token).status
        guard status == 200 else { throw Failure("\(status)") }
    }

    private func list() async throws -> [String] {
        var items: [String] = []
        for page in 0... {
            guard let access = tokens?.access else { throw Failure("signed out") }
            var answer = try await sent(.get, "/items", access, query: "page=\(page)")
            if answer.status == 401 {
                try await renew(insteadOf: access)
                if slip == .losesPage { continue }
                answer = try await sent(.get, "/items", tokens?.access, query: "page=\(page)")
            }
            guard answer.status == 200 else { throw Failure("\(answer.status)") }
            if answer.body.isEmpty { break }
            items += answer.body.split(separator: ",").map(String.init)
        }
        return items
    }

    private func signIn(_ person: DrillPerson) async throws {
        let new = try await tokens(of: person)
        if slip != .takesLateTokens {
            session += 1
            running = nil
        }
        (notBefore, self.person, otherAccess) = (.seconds(-1_000_000), person, nil)
        (tokens, first, hasRead) = (new, new.refresh, true)
        try? await store(new)
        if slip == .timerGoesOn {
            Task {
                await self.pocket.pause(.seconds(240))
                self.tokens = try await self.exchange(new)
            }
        }
    }

    private func tokens(of person: DrillPerson) async throws -> Tokens {
        let answer = try await pocket.send(
            .post, "/oauth/token", life,
            form: "grant_type=password&username=\(person.email)&password=\(person.password)")
        guard answer.status == 200 else { throw Failure("\(answer.status)") }
        return grant(answer.body, old: "")
    }

    private func signOut() async throws {
        let old = tokens
        if slip == .signOutNeedsServer { _ = try await sendRevocation(of: old) }
        if slip != .takesLateTokens {
            session += 1
            running = nil
        }
        (tokens, otherAccess) = (nil, nil)
        if slip != .signOutKeepsShelf { try? await store(nil) }
        _ = try? await sendRevocation(of: old)
    }

    private func sendRevocation(of old: Tokens?) async throws {
        guard let old else { return }
        _ = try await pocket.send(.post, "/oauth/revoke", life, form: "token=\(old.refresh)")
    }

    private func call(
        _ method: HTTPMethod, _ path: String, _ body: String = ""
    ) async throws -> String {
        let mine = session
        var repeats = 0
        read()
        if isUnstored, slip != .storesOnce { try? await store(tokens) }
        try await takePlace()
        defer { freePlace() }
        while true {
            guard let tokens else { throw Failure("signed out") }
            guard mine == session else { throw Failure("another session") }
            let lead: Duration = slip == .longLead ? .seconds(120) : .seconds(600)
            let isLong =
                [.longLead, .veryLongLead].contains(slip) && pocket.clock >= tokens.end - lead
            let isOver = pocket.clock >= tokens.end
            let asksClock = slip == .believesClock || slip == .offlineStartSignsOut
            if asksClock && isOver || isLong && repeats == 0 {
                try await renew(insteadOf: tokens.access)
            }
            let isAnonymous = slip == .anonymous && path == "/profile"
            let access = isAnonymous ? nil : self.tokens?.access
            let isEmpty = slip == .emptyRepeat && repeats > 0
            let answer = try await sent(method, path, access, body: isEmpty ? "" : body)
            if (200...201).contains(answer.status) {
                return slip == .firstAnswer && repeats > 0 ? "expired" : answer.body
            }
            guard isExpiry(answer.status), repeats == 0 || slip == .repeatsForEver,
                ![.repeatsNothing, .believesClock].contains(slip), mine == session
            else {
                if slip == .secondRefusalSignsOut, answer.status == 401 { await forget() }
                throw Failure("\(answer.status)")
            }
            repeats += 1
            do { try await renew(insteadOf: access ?? "") } catch {
                guard slip == .waitersGoOn else { throw error }
            }
        }
    }

    private func isExpiry(_ status: Int) -> Bool {
        status == 401 || slip == .forbiddenExpires && status == 403
    }

    private func takePlace() async throws {
        guard slip == .tenPlaces else { return }
        if places == 0 { await withUnsafeContinuation { queue.append($0) } } else { places -= 1 }
    }

    private func freePlace() {
        guard slip == .tenPlaces else { return }
        if queue.isEmpty { places += 1 } else { queue.removeFirst().resume() }
    }

    private func sent(
        _ method: HTTPMethod, _ path: String, _ access: String?, body: String = "",
        query: String? = nil
    ) async throws -> (status: Int, body: String) {
        func once() async throws -> (status: Int, body: String) {
            let answer = try await pocket.send(
                method, path, life, token: access, form: body, query: query)
            return (answer.status, answer.body)
        }
        do { return try await once() } catch {
            guard slip == .sendsWritesAgain else { throw error }
            return try await once()
        }
    }

    /// The other scope has an access token of its own, bought by the same refresh token.
    private func callOfOtherScope() async throws {
        for _ in 0...1 {
            if let otherAccess {
                if try await sent(.get, "/profile", otherAccess).status == 200 { return }
            }
            if slip != .scopesBeside { while let running { try? await running.value } }
            guard let old = tokens else { throw Failure("signed out") }
            let task = Task {
                let new = try await self.exchange(old)
                self.otherAccess = new.access
                self.tokens?.refresh = new.refresh
            }
            running = task
            defer { running = nil }
            try await task.value
        }
        throw Failure("401")
    }

    private func renew(insteadOf refused: String) async throws {
        if let running, slip != .refreshesBeside { try await running.value }
        if let tokens, tokens.access != refused { return }
        guard pocket.clock >= notBefore || slip == .waitsForNothing else { throw Failure("later") }
        guard let old = tokens else { throw Failure("signed out") }
        if slip != .ignoresOthers, let newer = newer(than: old) { return tokens = newer }
        let (mine, owner) = (session, person?.account)
        let task = Task {
            defer { if mine == self.session { self.running = nil } }
            try await self.takePlace()
            defer { self.freePlace() }
            let new = try await self.exchange(old)
            if let owner, self.accounts[owner] != nil { self.accounts[owner] = new }
            guard mine == self.session || self.slip == .mixesAccounts else {
                throw Failure("another session")
            }
            self.tokens = new
            switch self.slip {
            case .storesBeside:
                Task {
                    await self.pocket.pause(.seconds(1))
                    try await self.store(new)
                }
            case .storingMustWork: try await self.store(new)
            default: try? await self.store(new)
            }
        }
        running = task
        guard slip == .callerEndsRefresh else { return try await task.value }
        try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    private func form(_ old: Tokens) -> String {
        let shown = slip == .keepsFirstRefreshToken ? first : old.refresh
        return "grant_type=refresh_token&refresh_token=\(shown)"
    }

    private func exchange(_ old: Tokens) async throws -> Tokens {
        let mine = session
        if slip == .signsInAgain, let person { return try await tokens(of: person) }
        do {
            var answer = try await pocket.send(.post, "/oauth/token", life, form: form(old))
            for _ in 1...7 where slip == .retriesForMinutes && answer.status == 503 {
                await pocket.pause(.seconds(20))
                answer = try await pocket.send(.post, "/oauth/token", life, form: form(old))
            }
            let hasToken = answer.body.contains("access_token") || slip == .takesAnyBody
            if answer.status == 200, hasToken { return grant(answer.body, old: old.refresh) }
            if slip == .refreshesRefresh, answer.status == 401 { return try await exchange(old) }
            notBefore = pocket.clock + .seconds(answer.retryAfter.flatMap(Int.init) ?? 0)
            let isRefused = (400...403).contains(answer.status)
            if isRefused, slip != .overtakenSignsOut, let newer = newer(than: old) { return newer }
            if isRefused && slip != .refusalChangesNothing, mine == session { await forget() }
            throw Failure("refresh \(answer.status)")
        } catch {
            if slip == .failureSignsOut, mine == session { await forget() }
            let isOffline = slip == .offlineStartSignsOut && life > 0 && !(error is Failure)
            if isOffline { await forget() }
            if slip == .hangsOnFailure {
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
            throw error
        }
    }

    private func forget() async {
        (tokens, otherAccess) = (nil, nil)
        try? await store(nil)
    }

    private func store(_ new: Tokens?) async throws {
        guard slip != .storesNothing else { return }
        if pocket.shelf.slowness > .zero { await pocket.pause(pocket.shelf.slowness) }
        isUnstored = true
        try pocket.shelf.save(new)
        isUnstored = false
    }

    private func grant(_ body: String, old: String) -> Tokens {
        func value(_ name: String) -> String? {
            body.firstRange(of: "\"\(name)\"").map { range in
                String(
                    body[range.upperBound...].drop { ": \"".contains($0) }
                        .prefix { !"\",}".contains($0) })
            }
        }
        return Tokens(
            access: value("access_token") ?? "undefined", refresh: value("refresh_token") ?? old,
            end: pocket.now + .seconds(value("expires_in").flatMap(Int.init) ?? 0))
    }
}
