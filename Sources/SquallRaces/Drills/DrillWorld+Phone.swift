import SquallBackend
import SquallKernel

/// What phones add: storage that is locked, clocks, further processes and accounts.
extension DrillWorld {
    /// Makes every access to the device's storage fail, as while a phone is locked.
    public func lockStorage() {
        clientWorld.storage?.fail(times: .max)
        say("the storage is locked")
    }

    /// Makes the device's storage work again.
    public func unlockStorage() {
        clientWorld.storage?.fail(times: 0)
        say("the storage is unlocked")
    }

    /// Sets the device's clock ahead by a span, or back by a negative one.
    public func setClock(aheadBy span: Duration) { clientWorld.setClock(aheadBy: span) }

    /// Removes the app and installs it again: the keychain is kept, everything else is gone.
    ///
    /// - Throws: what making the client throws.
    public func reinstall() throws {
        kill()
        say("the app is removed and installed again")
        clientWorld.eraseDefaults()
        try restart()
    }

    /// Kills the app and starts it again, with what the device has kept.
    ///
    /// - Throws: what making the client throws.
    func relaunch() throws {
        kill()
        try restart()
    }

    /// Signs the user in, and waits until a moment of virtual time.
    ///
    /// - Throws: what ends the drill.
    func signIn(until moment: Duration) async throws {
        try await signIn()
        await wait(until: moment)
    }

    /// Signs the user in, and waits until the access token has expired.
    ///
    /// - Throws: what ends the drill.
    func signInUntilExpiry() async throws {
        try await signIn()
        await tokenExpires()
    }

    /// Signs the user in again, and checks that a call succeeds then.
    ///
    /// - Throws: what ends the drill.
    func signInAgain() async throws {
        try await signIn()
        try await succeed("a call succeeds after the user signs in again")
    }

    /// Checks that rejected calls end with an error.
    func expectRejection(of calls: [DrillAct]) {
        expect(calls.allSatisfy { $0.error != nil }, "a rejected call does not report success")
    }

    /// Leaves the rest of the drill unjudged unless the server has received a refresh.
    func needRefresh(_ sentence: String = "the client never refreshed") {
        need(history.refreshesReceived > 0, sentence)
    }

    /// True if the app shows a user as signed in; `nil` where the client does not tell.
    func isSignedIn() async throws -> Bool? { try await client.isSignedIn?() }

    /// Permits calls without a token: a redirect drops the header that the client has set.
    func permitAnonymous() { recording.toleratesAnonymous = true }

    /// How many calls were sent without a token.
    var anonymousCalls: Int {
        history.events.count {
            $0.kind == .sent && $0.role == .ordinary && $0.isAnonymous
        }
    }

    /// Begins a call by another process on the same storage; needs `otherProcess`.
    public func beginOtherProcess() -> DrillAct {
        begin("the other process's call", .otherProcess, client.action(.otherProcess))
    }

    /// Makes a user's account the current one; needs `switchTo`.
    ///
    /// - Throws: what ends the drill.
    public func switchTo(_ person: DrillPerson) async throws {
        guard let switchTo = client.switchTo else { return }
        // Each account has refresh tokens of its own, which one device shows beside each other.
        recording.toleratesReuse = true
        try await enter(
            person, "switch to the account of \(person.name)", .switchTo(person.account)
        ) { try await switchTo(person) }
    }

    /// Signs a user in as an earlier version of the app did; needs `earlierVersion`.
    ///
    /// - Throws: what ends the drill.
    public func signInWithEarlierVersion() async throws {
        guard let signIn = client.earlierVersion else { return }
        let ada = ada
        try await enter(
            ada, "sign-in of \(ada.name) by an earlier version", .signIn(ada.account)
        ) { try await signIn(ada) }
    }

    /// Begins to open a connection again; needs `reconnect`.
    public func beginReconnect() -> DrillAct {
        begin("the app connects again", .call, client.action(.reconnect))
    }

    /// Loads a list, does something meanwhile, and returns what the screen shows; needs `list`.
    ///
    /// - Throws: what ends the drill.
    public func list(while meanwhile: () async -> Void = {}) async throws -> [String]? {
        guard let list = client.list else { return nil }
        let shown = Box<[String]?>(nil)
        let act = begin("the list", .call) { shown.value = try await list() }
        await meanwhile()
        try await finish(act)
        expectSuccess([act], "the list loads")
        return shown.value
    }

    /// Lets the client show a refresh token twice without a finding: two processes cannot know
    /// better where neither waits for the other.
    func permitReuse() { recording.toleratesReuse = true }

    /// How many refreshes were sent so far.
    public var refreshesSent: Int { refreshesSent(from: .zero, until: .seconds(Int64(1) << 32)) }

    /// The number of refreshes that were sent after a call was first refused with a status.
    func refreshesSent(after status: Int) -> Int {
        let events = history.events
        let first = events.firstIndex {
            $0.kind == .answered && $0.role == .ordinary && $0.status == status
        }
        return events[(first ?? events.count)...].count { $0.kind == .sent && $0.role == .refresh }
    }

    /// How many refreshes followed a call that had been answered with a status since the refresh
    /// before: a client that looks at its clock may send others.
    func refreshesAsked(by status: Int) -> Int {
        var (isAsked, count) = (false, 0)
        for event in history.events {
            if event.kind == .answered, event.role == .ordinary, event.status == status {
                isAsked = true
            } else if event.kind == .sent, event.role == .refresh {
                count += isAsked ? 1 : 0
                isAsked = false
            }
        }
        return count
    }

    /// How many calls were sent from a moment on with an access token that had expired by then.
    func deadTokensSent(since moment: Duration) -> Int {
        let start = moment.nanosecondsClamped
        let history = history
        return history.events.count { event in
            event.kind == .sent && event.role == .ordinary && event.at >= start
                && history.hasExpired(event.access, at: event.at)
        }
    }

    /// The end of the last refresh so far; `nil` before the first.
    var lastRefreshEnded: Duration? {
        history.events.last {
            ($0.kind == .answered || $0.kind == .unanswered) && $0.role == .refresh
        }.map { .nanoseconds($0.at) }
    }
}
