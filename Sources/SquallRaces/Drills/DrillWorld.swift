import SquallFormat
import SquallBackend
import SquallKernel

/// Where a drill is played: a device, the persons who use it, and the service.
///
/// What a person does ends, or the drill does: each action waits until it has come to its end, but
/// no longer than ``patience``, and no longer than the service takes ``DrillTape/requestsMax``
/// requests.
final class DrillWorld: @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.

    let stage: any DrillStage
    let setting: DrillSetting
    private(set) var client: DrillClient
    /// What the client can do.
    let abilities: Set<Drill.Ability>
    /// Which start of the app is alive, from 0.
    private(set) var life = 0
    private(set) var tape = DrillTape()
    /// Who waits for something to end.
    private var waiting: [UInt64: CheckedContinuation<Void, Never>] = [:]
    private var waitsEver: UInt64 = 0
    /// Waits that the end of an action ends too.
    private var interruptible: Set<UInt64> = []
    private var alarm: EventHandler?

    /// How long something may take that a person waits for.
    static let patience: Duration = .seconds(600)

    init(_ setting: DrillSetting, on stage: any DrillStage) throws {
        self.stage = stage
        self.setting = setting
        client = try stage.startApp(life: 0)
        abilities = client.abilities
        alarm = stage.simulation.register(.timer("a person waits")) { [unowned self] number in
            waiting.removeValue(forKey: number)?.resume()
        }
    }

    var ada: DrillPerson { stage.person("Ada", account: 0) }
    var ben: DrillPerson { stage.person("Ben", account: 1) }

    private var recorder: HistoryRecorder { stage.tap.recorder }
    /// How much time has passed.
    var now: Duration { .nanoseconds(stage.simulation.now.nanoseconds) }
    /// What came to the service so far.
    var far: DrillFar { DrillFar(history: recorder.history) }

    /// Why a drill ends before its time.
    enum Stop: Error { case hung, endless, cannotSignIn(String) }

    // MARK: What a person does

    /// Signs somebody in.
    ///
    /// - Throws: ``Stop`` when that fails, because nothing could be said of the rest.
    func signIn(_ person: DrillPerson? = nil) async throws {
        let person = person ?? ada
        let act = begin("\(person.name)'s sign-in", .signIn(person.account)) { [client] in
            try await client.signIn(person)
        }
        try await finish(act)
        if let error = act.error { throw Stop.cannotSignIn(error) }
    }

    /// Begins something, which goes on beside whatever else happens.
    func begin(
        _ name: String, _ kind: DrillAct.Kind = .call, _ body: @escaping DrillClient.Action
    ) -> DrillAct {
        let act = DrillAct(number: tape.acts.count, name: name, kind: kind)
        act.began = note(.actBegan, name, act.number)
        tape.acts.append(act)
        act.task = Task { [self] in
            do {
                try await DrillAct.$current.withValue(act, operation: body)
            } catch {
                act.error = "\(error)"
            }
            let word = act.error.map { "\(name): \($0)" } ?? name
            act.ended = note(.actEnded, word, act.number)
            wakeAll()
        }
        return act
    }

    /// Begins a call, the first kind of the client's unless told.
    func beginCall(_ kind: Int = 0) -> DrillAct {
        let number = tape.acts.count { $0.kind == .call } + 1
        return begin("call \(number)", .call, client.calls[kind % client.calls.count])
    }

    /// Begins so many calls at this instant, one kind after the other.
    func beginCalls(_ count: Int) -> [DrillAct] { (0..<count).map { beginCall($0) } }

    /// Makes a call and waits for its end.
    @discardableResult
    func call() async throws -> DrillAct {
        let act = beginCall()
        try await finish(act)
        return act
    }

    /// Begins a call that has an access token of its own.
    func beginOtherScope() -> DrillAct {
        tape.hasOtherScope = true
        return begin("a call of the other scope", .call, client.otherScope ?? {})
    }

    /// Begins a change on the server.
    func beginWrite() -> DrillAct { begin("a write", .write, client.write ?? {}) }

    /// Signs the person out; a client that cannot is not asked such a drill.
    func signOut() async throws {
        guard let signOut = client.signOut else { return }
        let act = begin("Ada's sign-out", .signOut, signOut)
        try await finish(act)
    }

    /// Has the client refresh for itself.
    func beginRefresh() -> DrillAct { begin("the app refreshes", .refresh, client.refresh ?? {}) }

    /// Waits for the ends of actions.
    func finish(_ acts: DrillAct...) async throws { try await finish(acts) }

    /// Waits for the ends of actions.
    func finish(_ acts: [DrillAct]) async throws {
        let end = now + DrillWorld.patience
        while acts.contains(where: { $0.ended == nil }) {
            guard now < end else {
                tape.hung = acts.filter { $0.ended == nil }
                throw Stop.hung
            }
            guard far.requestCount <= DrillTape.requestsMax else {
                tape.isEndless = true
                throw Stop.endless
            }
            await nextEnd(until: end)
        }
    }

    /// Waits until something has ended, or for a while.
    private func nextEnd(until end: Duration) async {
        // Often enough to notice that something goes round and round.
        await pause(min(end - now, .seconds(5)), isSleep: false)
    }

    private func pause(_ span: Duration, isSleep: Bool) async {
        guard let alarm else { return }
        waitsEver += 1
        let number = waitsEver
        let end = stage.simulation.now.advanced(byNanoseconds: Int64(span / .nanoseconds(1)))
        let timer = stage.simulation.schedule(alarm, argument: number, at: end)
        if !isSleep { interruptible.insert(number) }
        await withCheckedContinuation { waiting[number] = $0 }
        if interruptible.remove(number) != nil { _ = stage.simulation.cancel(timer) }
    }

    private func wakeAll() {
        for number in interruptible.sorted() {
            waiting.removeValue(forKey: number)?.resume()
        }
    }

    // MARK: What happens meanwhile

    /// Lets time pass until the access token of a sign-in just now is over.
    func tokenExpires() async { await sleep(setting.lifetime + .seconds(1)) }

    /// Lets time pass until a moment of the world's time.
    func wait(until moment: Duration) async {
        if moment > now { await sleep(moment - now) }
    }

    func sleep(_ span: Duration) async {
        await pause(span, isSleep: true)
        if span >= .seconds(1) { say("\(DrillWorld.text(span)) later") }
    }

    private static func text(_ span: Duration) -> String {
        Units.exact(nanoseconds: Int64(span / .seconds(1)) * 1_000_000_000)
    }

    /// The server accepts none of the access tokens any more that it has issued.
    func revokeAccessTokens() { stage.expireAccessTokens() }

    /// Kills the app: nothing that it has begun reaches anybody any more.
    func kill() {
        stage.kill(life: life)
        tape.killedAt.append(say("the app is killed"))
        for act in tape.acts where act.ended == nil { act.isForgotten = true }
    }

    /// Starts the app again, with what the device has kept.
    func restart() throws {
        say(AttemptReader.restart)
        life += 1
        client = try stage.startApp(life: life)
    }

    /// Lets go of the client while its world is still there, in which what it closes ends.
    func end() { client = DrillClient(signIn: { _ in }, call: {}) }

    // MARK: What was seen

    /// How many refreshes have gone out since a moment of the world's time, until another one.
    func refreshesSent(from start: Duration, until end: Duration) -> Int {
        let span = Int64(start / .nanoseconds(1))..<Int64(end / .nanoseconds(1))
        return recorder.history.events.count {
            $0.kind == .sent && $0.role == .refresh && span.contains($0.at)
        }
    }

    /// How many changes the server has made.
    var writesDone: Int {
        let history = recorder.history
        return history.events.count { event in
            event.kind == .served && event.isWrite && event.role == .ordinary
                && event.meaning == .success
                && history.name(event.endpoint) != setting.ground.logOut
        }
    }

    /// How many calls were told that their token has expired.
    var refusals: Int { far.log.count { $0.meaning == .expired } }

    /// How many calls have gone out with a token of somebody's.
    func sends(by person: DrillPerson) -> Int {
        recorder.history.events.count { event in
            event.kind == .sent && event.role == .ordinary
                && event.access.flatMap { stage.tap.accounts[$0] } == person.account
        }
    }

    // MARK: What is promised

    /// A promise about what a person sees.
    func expect(_ condition: Bool, _ sentence: String) {
        guard !condition else { return }
        let place = say("✗ \(sentence)")
        tape.broken.append(Violation("expected", sentence, cause: sentence, events: [place]))
    }

    /// Each of the actions had to come to a good end.
    func expectSuccess(_ acts: [DrillAct], _ sentence: String) {
        guard let failed = acts.first(where: { $0.error != nil }) else { return }
        let events = [failed.began, failed.ended].compactMap(\.self)
        let text = "\(sentence): \(failed.name) failed with \(failed.error ?? "")"
        tape.broken.append(Violation("expected", text, cause: sentence, events: events))
    }

    /// The app had to show, or not to show, somebody as signed in; asked of clients that tell.
    func expectSignedIn(_ wanted: Bool, _ sentence: String) async throws {
        guard let isSignedIn = client.isSignedIn else { return }
        do {
            expect(try await isSignedIn() == wanted, sentence)
        } catch {
            expect(false, "isSignedIn says something: it threw \(error)")
        }
    }

    /// Time stands still, and things go on and on.
    func spins() { tape.isEndless = true }

    /// Nothing was seen of the drill unless this came about.
    func need(_ condition: Bool, _ sentence: String) {
        if !condition, tape.unseen == nil { tape.unseen = sentence }
    }

    // MARK: What is written down

    @discardableResult
    func say(_ text: String) -> Int { note(.meanwhile, text, 0) }

    private func note(_ kind: RaceEvent.Kind, _ text: String, _ number: Int) -> Int {
        var event = recorder.event(kind, user: UInt64(life))
        event.text = recorder.name(text)
        event.attempt = number
        return recorder.note(event)
    }
}
