import SquallBackend
import SquallHTTP
import SquallKernel

/// The world of a live drill: a real app, and a backend whose faults and tokens the drill decides.
///
/// Its time is the simulation's, but it stands still while the app is awaited, and jumps where a
/// drill lets a token expire.
final class LiveDrillWorld: ClientWorld, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let tap: WireTap
    let storage: (any DrilledStorage)? = nil
    private let drills: LiveDrills
    private var setting: ServerConfiguration?
    /// The simulation's time at which the drill began, minus what was skipped since.
    private var startedAt: Int64
    /// Since when the app is awaited, and by how many actions.
    private var standsSince: Int64?
    private var awaiting = 0
    /// How many actions wait until the app is quiet.
    private var following = 0
    /// The numbers of faults under way, by their places in the setting.
    private var begun: [Int: Int] = [:]
    private var over: Set<Int> = []
    /// The action that the user is asked for now, and before which nothing else happens.
    private var request: LiveDrillRequest?
    private var hasSetClock = false
    /// The reason for which the drill cannot be judged.
    private(set) var unseen: String?

    /// A span that is really waited for.
    private static let shortSpan: Duration = .seconds(3)
    /// How long an app gets at most to recover from a fault, before time is skipped.
    private static let recoveryMax: Duration = .seconds(60)

    init(_ drills: LiveDrills) {
        self.drills = drills
        tap = WireTap(
            drilling: drills.simulation, Schedule(FirstInFirstOut(), windowNanoseconds: 0))
        startedAt = drills.simulation.now.nanoseconds
        tap.recorder.skippedNanoseconds = -startedAt
    }

    var simulation: Simulation { drills.simulation }
    var backend: Backend { drills.backend }
    /// The people's accounts are known by what the app shows.
    let origin = ""
    var isLive: Bool { true }

    var elapsed: Duration {
        .nanoseconds((standsSince ?? simulation.now.nanoseconds) - startedAt)
    }

    /// Lets the faults of a setting come and go by the drill's time.
    func plays(_ setting: ServerConfiguration) {
        self.setting = setting
        backend.tokenPolicy = setting.tokens
        for (name, value) in setting.failureHeaders.sorted(by: { $0.key < $1.key }) {
            backend.failureHeaders.add(name: name, value: value)
        }
        updateFaults()
        simulation.spawn { [self] in
            while self.setting != nil {
                await drills.pause(Self.tickNanoseconds)
                updateFaults()
            }
        }
    }

    private static let tickNanoseconds: Int64 = 20_000_000

    private func updateFaults() {
        guard let setting else { return }
        let now = elapsed.nanosecondsClamped
        for (place, fault) in setting.faults.enumerated() where !over.contains(place) {
            if let number = begun[place] {
                guard fault.end.nanoseconds <= now else { continue }
                _ = backend.endFault(number)
                (begun[place], _) = (nil, over.insert(place))
            } else if fault.start.nanoseconds <= now {
                var open = fault
                open.end = Instant(nanoseconds: .max)
                begun[place] = backend.beginFault(open)
            }
        }
    }

    /// Ends everything that the drill has begun.
    func end() {
        setting = nil
        for number in begun.values { _ = backend.endFault(number) }
        backend.failureHeaders = []
    }

    /// Time stands still until the app has done what an action awaits.
    func stands() {
        if awaiting == 0 { standsSince = simulation.now.nanoseconds }
        awaiting += 1
    }

    /// Time goes on.
    func goesOn() {
        awaiting -= 1
        guard awaiting == 0, let since = standsSince else { return }
        standsSince = nil
        skip(since - simulation.now.nanoseconds)
    }

    private func skip(_ nanoseconds: Int64) {
        startedAt -= nanoseconds
        tap.recorder.skippedNanoseconds = -startedAt
    }

    func pass(_ span: Duration) async -> Duration {
        // Actions that were begun just now come first.
        await drills.pause(1)
        await ready()
        while awaiting > 0, !drills.isAborted { await drills.pause(LiveDrills.pollNanoseconds) }
        guard !drills.isAborted, unseen == nil else { return .zero }
        guard span > Self.shortSpan, let setting else { return span }
        let hasFailed = !begun.isEmpty || !over.isEmpty
        let real = hasFailed ? min(span, Self.recoveryMax) : .zero
        await drills.pause(real.nanosecondsClamped)
        skip((span - real).nanosecondsClamped)
        if span >= setting.lifetime { drills.expire(.access) }
        if span >= .nanoseconds(setting.tokens.refreshLifetimeNanoseconds) {
            drills.expire(.refresh)
        }
        updateFaults()
        return .zero
    }

    func startApp(life: Int) -> DrillClient {
        if life > 0 { request = LiveDrillRequest.start }
        return DrillClient(
            signIn: { [self] in try await signIn($0) }, call: { [self] in try await call() },
            write: { [self] in try await call(writes: true) },
            signOut: { [self] in try await signOut() },
            isSignedIn: { [self] in !drills.app.hadToSignIn || drills.renewsBySignIn },
            list: { [self] in
                try await call()
                return []
            })
    }

    func kill(life: Int) { request = LiveDrillRequest.kill }
    func suspend(life: Int) {}
    func resume(life: Int) {}

    func setClock(aheadBy span: Duration) {
        hasSetClock = true
        request = LiveDrillRequest.clock(aheadBy: span)
    }

    func person(_ name: String, account: Int) -> DrillPerson {
        let app = drills.app
        return DrillPerson(
            name, account: account == 0 ? app.account : app.otherAccount, credentials: ("", "")
        ) { preconditionFailure("a real app has tokens of its own") }
    }

    func expireAccessTokens() { drills.expire(.access) }
    func revokeRefreshTokens() { drills.expire(.refresh) }

    /// Asks the user for an action, and waits until it is said to be done.
    private func ready() async {
        guard let asked = request else { return }
        request = nil
        let calls = drills.app.calls
        let isStart = asked == LiveDrillRequest.start
        let isDone = await drills.awaits(asked) { [drills] in
            isStart && drills.app.calls > calls
        }
        if !isDone { give(up: "this was not done: \(asked.text)") }
    }

    private func give(up reason: String) { unseen = unseen ?? drills.skipReason ?? reason }

    private func signIn(_ person: DrillPerson) async throws {
        let app = drills.app
        let isOther = person.account != app.account
        guard app.isSignedOut || isOther else { return }
        let before = app.signIns
        app.expectsSignIn()
        let asked = isOther ? LiveDrillRequest.signInAsOther : LiveDrillRequest.signIn
        try await waits(asked, otherwise: "there was no sign-in") { app.signIns > before }
    }

    private func signOut() async throws {
        let app = drills.app
        let before = app.signOuts
        try await waits(LiveDrillRequest.signOut, otherwise: "there was no sign-out") {
            app.signOuts > before
        }
        app.hasSignedOut()
    }

    private func waits(
        _ asked: LiveDrillRequest, otherwise: String, until isDone: @escaping () -> Bool
    ) async throws {
        await ready()
        guard unseen == nil else { throw Failure(description: unseen ?? "") }
        stands()
        let isDone = await drills.awaits(asked, until: isDone)
        goesOn()
        guard isDone else {
            give(up: "\(otherwise) within \(drills.waitWords)")
            throw Failure(description: otherwise)
        }
        await drills.quiet()
    }

    /// Waits for calls of the app, and until they have ended.
    private func call(writes: Bool = false) async throws {
        let app = drills.app
        let (calls, changes, signOuts) = (app.calls, app.writes, app.isSignedOut)
        let began = simulation.now.nanoseconds
        // What begins while others are under way need not wait for a call of its own.
        let joins = following > 0
        stands()
        await ready()
        guard unseen == nil else {
            goesOn()
            throw Failure(description: unseen ?? "")
        }
        let asked = writes ? LiveDrillRequest.write : LiveDrillRequest.call
        let hasCome = await drills.awaits(
            signOuts ? nil : asked, isShort: signOuts
        ) { joins || (writes ? app.writes > changes : app.calls > calls) }
        goesOn()
        guard hasCome else {
            guard !app.isSignedOut else { throw Failure(description: "no user is signed in") }
            give(up: "the app made no \(writes ? "write" : "call") within \(drills.waitWords)")
            throw Failure(description: "no call")
        }
        following += 1
        await drills.quiet()
        following -= 1
        if let problem = app.problem(since: began) { throw Failure(description: problem) }
    }

    /// Asks the user to undo what was done to the device.
    func undo() async {
        guard hasSetClock, !drills.isAborted else { return }
        _ = await drills.awaits(LiveDrillRequest.clockBack) { false }
    }

    private struct Failure: Error, CustomStringConvertible { let description: String }
}
