import SquallFormat
import SquallBackend
import SquallKernel

/// The world of one drill: a device, the users who use it, and the service.
///
/// A drill's `play` gets it; ``Drill/init(_:_:promise:source:fix:needs:servers:setting:play:)`` has
/// an example.
///
/// Each action waits for its own end, but no longer than ``patience``: one that hangs ends the
/// drill. A client that sends more requests within a few minutes than any needs ends the drill at
/// once.
public final class DrillWorld: @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    let clientWorld: any ClientWorld
    /// The service and the faults in front of it.
    public let setting: ServerConfiguration
    private(set) var client: DrillClient
    /// What the client can do.
    let abilities: Set<Drill.Ability>
    /// The number of the start of the app that is alive, from 0.
    private(set) var life = 0
    /// The user who signed in last.
    private var user: DrillPerson?
    var recording: DrillRecording
    /// The continuations of what waits for an end.
    private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var waitsEver: UInt64 = 0
    /// Waits that also end when an action ends.
    private var interruptible: Set<UInt64> = []
    private var alarm: EventHandler?

    /// The number of calls that is more than any usual pool has places: 4 in many queues, 5 or 6
    /// for each host.
    static let manyCalls = 12
    /// How long an action may take that a user waits for.
    static let patience: Duration = .seconds(600)

    init(_ setting: ServerConfiguration, on clientWorld: any ClientWorld) throws {
        self.clientWorld = clientWorld
        self.setting = setting
        recording = DrillRecording(client: setting.client)
        client = try clientWorld.simulation.asUser(0) { try clientWorld.startApp(life: 0) }
        abilities = client.abilities
        if !clientWorld.isLive { limitRequests() }
        alarm = clientWorld.simulation.register(.timer("a user waits")) { [unowned self] number in
            waiting.removeValue(forKey: number)?.resume()
        }
    }

    private func limitRequests() {
        clientWorld.tap.limitRequests(
            to: DrillRecording.requestsMax
                + Int(DrillRecording.requestsSpan / max(setting.lifetime, .seconds(1))),
            within: DrillRecording.requestsSpan
        ) { [unowned self] in
            recording.isEndless = true
            // Not the parameter, which the closure would keep: its tap has the closure.
            self.clientWorld.simulation.stop()
        }
    }

    /// The user who has the device.
    public var ada: DrillPerson { clientWorld.person("Ada", account: 0) }
    /// Another user, with an account of his own.
    public var ben: DrillPerson { clientWorld.person("Ben", account: 1) }

    private var recorder: HistoryRecorder { clientWorld.tap.recorder }
    /// The events so far.
    var history: History { recorder.history }
    /// How much virtual time has passed.
    public var now: Duration { clientWorld.elapsed }

    /// Why a drill ends early.
    enum Stop: Error { case hung, cannotSignIn(String) }

    /// Signs a user in.
    ///
    /// - Throws: ``Stop`` when that fails, because the rest could not be judged.
    public func signIn(_ person: DrillPerson? = nil) async throws {
        let person = person ?? ada
        try await enter(person, "sign-in of \(person.name)", .signIn(person.account)) {
            [client] in try await client.signIn(person)
        }
    }

    /// Performs what signs a user in.
    ///
    /// - Throws: ``Stop`` when that fails, because the rest could not be judged.
    func enter(
        _ person: DrillPerson, _ name: String, _ kind: DrillAct.Kind,
        _ body: @escaping DrillClient.Action
    ) async throws {
        user = person
        recorder.entered(person.name)
        let act = begin(name, kind, body)
        try await finish(act)
        if let error = act.error { throw Stop.cannotSignIn(error) }
    }

    /// Begins an action, which goes on beside the following ones.
    func begin(
        _ name: String, _ kind: DrillAct.Kind = .call, _ body: @escaping DrillClient.Action
    ) -> DrillAct {
        let act = DrillAct(number: recording.acts.count, name: name, kind: kind)
        act.began = note(.actBegan, name, act.number)
        recording.acts.append(act)
        act.task = clientWorld.simulation.asUser(UInt64(life)) {
            Task { [self] in
                recorder.belongs(to: name)
                do {
                    try await DrillAct.$current.withValue(act, operation: body)
                } catch {
                    act.error = "\(error)"
                }
                act.ended = note(.actEnded, act.error ?? "", act.number)
                wakeAll()
            }
        }
        return act
    }

    /// Begins a call, by default of the client's first kind.
    public func beginCall(_ kind: Int = 0) -> DrillAct {
        let number = recording.acts.count { $0.kind == .call } + 1
        return begin("call \(number)", .call, client.calls[kind % client.calls.count])
    }

    /// Begins this many calls at this instant, of one kind after the other.
    public func beginCalls(_ count: Int) -> [DrillAct] { (0..<count).map { beginCall($0) } }

    /// Makes a call and waits for its end.
    ///
    /// - Throws: what ends the drill; an error of the call is in the result.
    @discardableResult
    public func call() async throws -> DrillAct {
        let act = beginCall()
        try await finish(act)
        return act
    }

    /// Makes calls at once, and checks that each of them succeeds.
    ///
    /// - Throws: what ends the drill.
    public func succeed(_ sentence: String, times count: Int = 1) async throws {
        let calls = beginCalls(count)
        try await finish(calls)
        expectSuccess(calls, sentence)
    }

    /// Begins a call that has an access token of its own.
    func beginOtherScope() -> DrillAct {
        recording.hasOtherScope = true
        return begin("call of the other scope", .call, client.action(.otherScope))
    }

    /// Begins a change on the server; needs `write`.
    public func beginWrite() -> DrillAct { begin("write", .write, client.action(.write)) }

    /// Signs the user out, and waits until the client says that it is done; needs `signOut`.
    ///
    /// - Throws: what ends the drill.
    public func signOut() async throws {
        guard let signOut = client.actions[.signOut] else { return }
        try await finish(begin("sign-out of \((user ?? ada).name)", .signOut, signOut))
    }

    /// Begins the client's own refresh; needs `refresh`.
    public func beginRefresh() -> DrillAct {
        begin("refresh by the app", .refresh, client.action(.refresh))
    }

    /// Waits for the ends of actions.
    ///
    /// - Throws: what ends the drill: an action that hangs, requests without an end.
    public func finish(_ acts: DrillAct...) async throws { try await finish(acts) }

    /// Waits for the ends of actions.
    ///
    /// - Throws: what ends the drill: an action that hangs, requests without an end.
    public func finish(_ acts: [DrillAct]) async throws {
        let end = now + DrillWorld.patience
        while acts.contains(where: { $0.ended == nil }) {
            guard now < end else {
                recording.hung = acts.filter { $0.ended == nil }
                throw Stop.hung
            }
            await nextEnd(until: end)
        }
    }

    /// Waits until an action has ended, or for a while.
    private func nextEnd(until end: Duration) async {
        // Short enough to notice a client that loops.
        await pause(min(end - now, .seconds(5)), isSleep: false)
    }

    private func pause(_ span: Duration, isSleep: Bool) async {
        guard let alarm else { return }
        waitsEver += 1
        let number = waitsEver
        let end = clientWorld.simulation.now.advanced(byNanoseconds: span.nanosecondsClamped)
        let timer = clientWorld.simulation.schedule(alarm, argument: number, at: end)
        if !isSleep { interruptible.insert(number) }
        await withCheckedContinuation { waiting[number] = $0 }
        if interruptible.remove(number) != nil { _ = clientWorld.simulation.cancel(timer) }
    }

    private func wakeAll() {
        for number in interruptible.sorted() {
            waiting.removeValue(forKey: number)?.resume()
        }
    }

    /// Waits until the access token of a sign-in just now has expired.
    public func tokenExpires() async { await sleep(setting.lifetime + .seconds(1)) }

    /// Waits until a moment of virtual time.
    public func wait(until moment: Duration) async {
        if moment > now { await sleep(moment - now) }
    }

    /// Lets virtual time pass.
    public func sleep(_ span: Duration) async {
        let left = await clientWorld.pass(span)
        if left > .zero { await pause(left, isSleep: true) }
        if span >= .seconds(1) { say("\(DrillWorld.text(span)) later") }
    }

    private static func text(_ span: Duration) -> String {
        Units.exact(nanoseconds: Int64(span / .seconds(1)) * 1_000_000_000)
    }

    /// Makes the server refuse all access tokens that it has issued.
    public func revokeAccessTokens() { clientWorld.expireAccessTokens() }

    /// Makes the server refuse all refresh tokens that it has issued.
    public func revokeRefreshTokens() { clientWorld.revokeRefreshTokens() }

    /// The app is in the background for a span: it runs on for the grace period, and is suspended
    /// until it comes back.
    public func away(for span: Duration) async {
        say("the app goes to the background")
        let grace = min(setting.backgroundGrace, span)
        await sleep(grace)
        if grace < span {
            suspend()
            await sleep(span - grace)
            resume()
        }
        say("the app comes to the foreground")
    }

    /// Suspends the app: no task goes on, no timer fires and no response arrives until it is
    /// resumed.
    ///
    /// What came meanwhile happens then, a repeating timer once. The network, the server and other
    /// starts of the app go on.
    public func suspend() {
        clientWorld.suspend(life: life)
        say("the app is suspended")
    }

    /// Resumes the app.
    public func resume() {
        say("the app is resumed")
        clientWorld.resume(life: life)
    }

    /// Kills the app: nothing that it has begun has an effect any more, and nothing of it goes on.
    public func kill() {
        clientWorld.kill(life: life)
        clientWorld.suspend(life: life)
        recording.killedAt.append(say("the app is killed"))
        for act in recording.acts where act.ended == nil { act.isForgotten = true }
    }

    /// Starts the app again, with what the device has kept.
    ///
    /// - Throws: what making the client throws.
    public func restart() throws {
        _ = note(.restarted, "", 0)
        clientWorld.keepAlive(client)
        life += 1
        client = try clientWorld.simulation.asUser(UInt64(life)) {
            try clientWorld.startApp(life: life)
        }
    }

    /// Releases the client while its world still exists, so that what it closes ends there.
    func end() { client = DrillClient(signIn: { _ in }, call: {}) }

    /// How many refreshes were sent from one moment of virtual time until another.
    func refreshesSent(from start: Duration, until end: Duration) -> Int {
        let span = start.nanosecondsClamped..<end.nanosecondsClamped
        return history.events.count {
            $0.kind == .sent && $0.role == .refresh && span.contains($0.at)
        }
    }

    /// The number of changes that the server has made so far.
    public var writesDone: Int {
        let history = history
        return history.events.count {
            $0.isWriteDone && history.name($0.endpoint) != setting.client.logOut
        }
    }

    /// The number of calls that were refused as expired so far.
    public var refusals: Int { history.replies { $0.meaning == .expired } }

    /// How many calls were sent with an access token that was never issued.
    var forgedTokensSent: Int { history.events.count { $0.kind == .sent && $0.isForged } }

    /// The number of calls that were sent with a token of a user.
    func sends(by person: DrillPerson) -> Int {
        let history = history
        return history.events.count { event in
            event.kind == .sent && event.role == .ordinary
                && event.access.flatMap { history.tokens[$0].account } == person.account
        }
    }

    /// Checks a promise about what a user sees, with a fix of its own or the drill's; nothing is
    /// judged after a situation that did not come about, nor where an app makes as many calls as it
    /// likes.
    public func expect(_ condition: Bool, _ sentence: String, fix: String? = nil) {
        if !clientWorld.isLive { judge(condition, sentence, fix: fix) }
    }

    private func judge(_ condition: Bool, _ sentence: String, fix: String?) {
        guard !condition, recording.unseen == nil else { return }
        let text = "expected: \(sentence)"
        let place = say("✗ \(text)")
        recording.broken.append(
            Violation("expected", text, cause: sentence, events: [place], fix: fix))
    }

    /// Checks that all the actions succeeded.
    public func expectSuccess(_ acts: [DrillAct], _ sentence: String) {
        guard recording.unseen == nil, let failed = acts.first(where: { $0.error != nil }) else {
            return
        }
        let events = [failed.began, failed.ended].compactMap(\.self)
        let text = "expected: \(sentence); \(failed.name) failed with \(failed.error ?? "")"
        recording.broken.append(
            Violation("expected", text, cause: sentence, events: events, error: failed.error))
    }

    /// Checks the app's own state: signed in or not.
    ///
    /// Only where the client tells, and of a real app only that it has not signed in again.
    public func expectSignedIn(_ wanted: Bool, _ sentence: String) async throws {
        guard let isSignedIn = client.isSignedIn, wanted || !clientWorld.isLive else { return }
        do {
            // A session that the server has ended was not thrown away by the client.
            let isKept = wanted && history.refusedRefreshes == 0
            let fix = isKept ? Fix.staysSignedIn : nil
            judge(try await isSignedIn() == wanted, sentence, fix: fix)
        } catch {
            expect(false, "isSignedIn returns a value: it threw \(error)")
        }
    }

    /// Notes that time stands still while events go on without end.
    func spins() { recording.isEndless = true }

    /// Leaves the rest of the drill unjudged unless a condition came about.
    public func need(_ condition: Bool, _ sentence: String) {
        if !condition, recording.unseen == nil { recording.unseen = sentence }
    }

    /// Writes a line into the timeline, and returns its position.
    @discardableResult
    public func say(_ text: String) -> Int { note(.meanwhile, text, 0) }

    private func note(_ kind: RaceEvent.Kind, _ text: String, _ number: Int) -> Int {
        var event = recorder.event(kind, user: UInt64(life))
        event.text = recorder.name(text)
        event.attempt = number
        return recorder.note(event)
    }
}
