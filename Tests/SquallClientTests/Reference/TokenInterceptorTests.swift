import SquallHTTP
import SquallKernel
import Testing

@testable import SquallClient

/// A world with a server that accepts one token, and the reference design in it.
struct TokenWorld {
    static let hour: Int64 = 3_600_000_000_000

    let world: Simulated
    let tokens: TokenInterceptor
    let store: InMemoryTokenStore
    let events = Notes<TokenEvent>()
    let ended = Notes<String>()
    let refreshed = Notes<Double>()

    /// The server takes a hundredth of a second, a refresh a tenth; tokens last an hour.
    init(
        _ pair: TokenPair? = TokenPair(access: "a0", refresh: "r0"),
        proactive: ProactiveRefresh? = nil,
        user: UInt64 = 0, window: RefreshWindow? = RefreshWindow(),
        refuses: @escaping @Sendable (_ token: String) -> Bool = { $0 == "Bearer a0" }
    ) {
        let world = Simulated(latency: 0.01) { request, _ in
            .status(refuses(request.headers.value(for: "Authorization") ?? "") ? 419 : 200)
        }
        let (simulation, events, refreshed) = (world.simulation, events, refreshed)
        let rules = TokenRules {
            $0.headerPrefix = "Bearer "
            $0.proactive = proactive
            $0.refreshWindow = window
        }
        store = InMemoryTokenStore(pair)
        tokens = TokenInterceptor(
            store: store, refreshSession: world.session(user: user), rules: rules,
            onEvent: events.append
        ) { _, _ in
            refreshed.append(seconds(simulation))
            let number = refreshed.values.count
            try await simulation.sleep(nanoseconds: 100_000_000)
            return TokenPair(
                access: "a\(number)", refresh: "r\(number)",
                accessExpiry: simulation.nanosecondsSince1970 + Self.hour)
        }
        self.world = world
    }

    var sent: [String] {
        world.transport.requests.map { $0.headers.value(for: "Authorization") ?? "none" }
    }

    func fetch() async {
        let request = world.session(tokens).request(URLRequest.test).validate()
        ended.append(await request.serializingData().response.outcome)
    }

    func sleep(_ seconds: Double) async {
        try? await world.simulation.sleep(nanoseconds: Int64(seconds * 1e9))
    }

    /// A pair that expires so many seconds after the world began.
    static func pair(expiringAt seconds: Double) -> TokenPair {
        let start = Simulation().nanosecondsSince1970
        return TokenPair(
            access: "a0", refresh: "r0", accessExpiry: start + Int64(seconds * 1e9))
    }
}

@Suite("The reference design")
struct TokenInterceptorTests {
    @Test("A window and a lead without an end are as long as time is")
    func endlessSpans() {
        var history = RefreshHistory(
            window: RefreshWindow(interval: .infinity, maximumAttempts: 1))
        let now: Int64 = 1_700_000_000_000_000_000
        let begun = [history.begin(at: now), history.begin(at: 2 * now)]
        #expect(begun == [true, false])
        let due = ProactiveRefresh(lead: .infinity, jitter: 0).dueTime(expiry: now, bits: 0)
        #expect(due < 0)
    }

    @Test("A refused request is sent again after a refresh whose tokens are stored")
    func refresh() throws {
        let world = TokenWorld()
        try world.world.run { await world.fetch() }
        #expect(world.sent == ["Bearer a0", "Bearer a1"] && world.ended.values == ["200"])
        #expect(world.events.values == [.refreshBegan, .published])
    }

    @Test("Without stored tokens nothing is sent, until somebody signs in")
    func signedOut() throws {
        let world = TokenWorld(nil)
        try world.world.run {
            await world.fetch()
            world.tokens.signIn(TokenPair(access: "b0", refresh: "s0"))
            await world.fetch()
        }
        #expect(world.ended.values == ["requestAdaptationFailed.tokens.signedOut", "200"])
        #expect(world.sent == ["Bearer b0"])
    }

    @Test("A request made during a refresh waits for it instead of being refused")
    func waits() throws {
        let world = TokenWorld()
        try world.world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            await world.fetch()
        }
        #expect(world.sent == ["Bearer a0", "Bearer a1", "Bearer a1"])
    }

    @Test("Waiting requests survive the cancellation of the request that began the refresh")
    func cancellation() throws {
        let world = TokenWorld()
        try world.world.run {
            let first = Task { await world.fetch() }
            Task { await world.fetch() }
            await world.sleep(0.05)
            first.cancel()
        }
        // Whoever is cancelled after a failure reports that failure.
        #expect(world.ended.values == ["validation.status", "200"])
        #expect(world.refreshed.values.count == 1)
    }

    @Test("A refresh that ends after the sign-out is thrown away", arguments: [true, false])
    func signOut(isFollowedBySignIn: Bool) throws {
        let world = TokenWorld()
        let stored = Notes<TokenPair?>()
        let next = TokenPair(access: "b0", refresh: "s0")
        try world.world.run {
            Task { await world.fetch() }
            await world.sleep(0.05)
            if isFollowedBySignIn { world.tokens.signIn(next) } else { world.tokens.signOut() }
            await world.sleep(1)
            stored.append(await world.store.read())
        }
        #expect(world.ended.values == ["requestRetryFailed.tokens.signedOut"])
        #expect(stored.values == [isFollowedBySignIn ? next : nil])
        #expect(world.events.values == [.refreshBegan] && world.sent == ["Bearer a0"])
    }

    @Test("Refreshing more often than the window allows is an error that signs nobody out")
    func window() throws {
        let world = TokenWorld(window: RefreshWindow(maximumAttempts: 2)) { _ in true }
        try world.world.run { for _ in 0..<4 { await world.fetch() } }
        #expect(world.refreshed.values.count == 2)
        #expect(
            world.ended.values == [
                "requestRetryFailed.tokens.refusedAgain",
                "requestRetryFailed.tokens.refusedAgain",
                "requestRetryFailed.tokens.refreshesTooOften",
                "requestAdaptationFailed.tokens.refreshesTooOften",
            ])
        #expect(!world.events.values.contains(.sessionExpired))
    }

    @Test("A refresh by way of the session it is for passes through without a token")
    func ownSession() throws {
        let world = Simulated { request, cause in
            .status(cause.refreshFor == nil && cause.attempt == 0 ? 419 : 200)
        }
        let sessions = Notes<Session>()
        let tokens = TokenInterceptor(
            store: InMemoryTokenStore(TokenPair(access: "a0", refresh: "r0")),
            refreshSession: world.session()
        ) { _, _ in
            _ = await sessions.values[0].request(URLRequest.test).serializingData().response
            return TokenPair(access: "a1", refresh: "r1")
        }
        sessions.append(world.session(tokens))
        try world.run {
            _ = await sessions.values[0].request(URLRequest.test).validate().serializingData()
                .response
        }
        let sent = world.transport.requests.map { $0.headers.value(for: "Authorization") }
        #expect(sent == ["a0", nil, "a1"])
    }
}

@Suite("The reference design, before the expiry")
struct ProactiveRefreshTests {
    static let early = ProactiveRefresh(lead: 60, jitter: 30)

    @Test(
        "Tokens that are due are refreshed while requests go on with them",
        arguments: [(500.0, 0), (545.0, 1), (599.0, 1)])
    func due(seconds: Double, refreshes: Int) throws {
        let world = TokenWorld(
            TokenWorld.pair(expiringAt: 600), proactive: ProactiveRefresh(lead: 60, jitter: 0)
        ) { _ in false }
        try world.world.run {
            await world.sleep(seconds)
            await world.fetch()
            await world.fetch()
            await world.sleep(1)
            await world.fetch()
        }
        #expect(world.refreshed.values.count == refreshes)
        #expect(
            world.sent == ["Bearer a0", "Bearer a0", refreshes == 1 ? "Bearer a1" : "Bearer a0"])
    }

    @Test("Requests wait for the refresh once the tokens have expired")
    func expired() throws {
        let world = TokenWorld(TokenWorld.pair(expiringAt: 600), proactive: Self.early)
        try world.world.run {
            await world.sleep(600)
            await world.fetch()
        }
        #expect(world.sent == ["Bearer a1"] && world.refreshed.values.count == 1)
    }

    @Test("The jitter spreads users over its whole span and no further")
    func jitter() {
        let random = HashedRandomness()
        let times = (0..<1000 as Range<UInt64>).map { user in
            let bits = random.bits("client.tokens.proactive", user: user, ordinal: 7)
            return Self.early.dueTime(expiry: 1_000_000_000_000, bits: bits) / 1_000_000_000
        }
        // A thousand uniform draws leave the outer seconds of thirty empty once in 10¹⁴ runs.
        #expect(times.min() == 910 && times.max() == 939)
        let mean = Double(times.reduce(0, +)) / 1000
        // The mean of 1000 uniform draws over 30 s is within 1.4 s, five standard errors.
        #expect(abs(mean - 924.5) < 1.4)
    }
}

@Suite("The rules of the reference design")
struct TokenMachineTests {
    static let old = TokenPair(access: "a0", refresh: "r0")
    static let new = TokenPair(access: "a1", refresh: "r1")

    /// A machine that has refreshed the old pair and published the new one.
    private func refreshed() -> TokenMachine {
        var machine = TokenMachine(window: nil)
        machine.signIn(with: Self.old, due: nil)
        while machine.nextWrite() != nil {}
        machine.refused(token: "a0", isLast: false, at: 0) { _ in }
        machine.refreshEnded(with: Self.new, signIn: machine.signIn)
        while machine.nextWrite() != nil {}
        machine.publish(due: nil)
        _ = machine.takeActions()
        return machine
    }

    /// What a machine has to do, in words.
    private func actions(of machine: inout TokenMachine) -> [String] {
        machine.takeActions().map { action in
            switch action {
            case .read: "read"
            case .refresh: "refresh"
            case .write: "write"
            case .tell(let event): "\(event)"
            case .release(_, .success): "go on"
            case .release(_, .failure(let error)): error.label
            }
        }
    }

    @Test(
        "A refusal refreshes only if it is the current token's",
        arguments: [("a0", ["go on"]), ("a1", ["refreshBegan", "refresh"])])
    func late(token: String, expected: [String]) {
        var machine = refreshed()
        machine.refused(token: token, isLast: false, at: 0) { _ in }
        #expect(actions(of: &machine) == expected)
    }

    @Test("A token of an earlier sign-in is never replaced by one of this sign-in")
    func foreign() {
        var machine = refreshed()
        machine.signIn(with: TokenPair(access: "b0", refresh: "s0"), due: nil)
        _ = machine.takeActions()
        machine.refused(token: "a1", isLast: false, at: 0) { _ in }
        #expect(actions(of: &machine) == ["tokens.signedOut"])
        #expect(machine.isForeign("a0") && !machine.isForeign("b0"))
    }

    @Test("New tokens are not used before they are stored")
    func order() {
        var machine = refreshed()
        machine.refused(token: "a1", isLast: false, at: 0) { _ in }
        machine.refreshEnded(
            with: TokenPair(access: "a2", refresh: "r2"), signIn: machine.signIn)
        machine.publish(due: nil)
        #expect(machine.pair == Self.new)
        while machine.nextWrite() != nil {}
        machine.publish(due: nil)
        #expect(machine.pair?.access == "a2")
    }
}
