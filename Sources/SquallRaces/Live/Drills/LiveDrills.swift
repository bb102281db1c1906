public import SquallBackend
import SquallFormat
public import SquallKernel

/// The drills that are played with a real app, and the time that it is waited for.
public struct LiveDrillPlan: Sendable {
    /// The drills, in the order in which they are played.
    public var drills = Drill.all
    /// The rules for refresh tokens to play with; only the served ones where it is empty.
    public var servers: [DrillServer] = []
    /// How long the app, or its user, is awaited, in real nanoseconds.
    public var waitNanoseconds: Int64 = 60_000_000_000
    /// True to leave out drills that need more than using the app; true where each drill has its
    /// own client.
    public var (skipsManual, replacesClient) = (false, false)
    /// True where waiting takes no real time, so that the stated end of a token is waited for,
    /// however far.
    public var isVirtual = false

    /// Every drill, on the server as it is.
    public init() {}
}

/// A real app as drills know it: by the API that it calls.
public struct LiveDrillService: ClientUnderTest, @unchecked Sendable {
    // Safe because it is used on the simulation's thread only.

    private let calls: () -> [EndpointDescription]
    /// The call that signs out, by its name; `nil` where there is none.
    public let logOut: String?
    private let expired: () -> Int
    /// False for a real server, whose token rules cannot be changed.
    let hasOwnTokens: Bool
    /// The simulated seconds that pass in a real one.
    let speed: Double
    /// True if a client can tell when its token ends: by what came with it, or by the token itself.
    let statesLifetime: Bool
    /// The policy that is served between drills.
    public fileprivate(set) var tokens = TokenPolicy.standard

    /// A service by its parts; a proxy learns its calls and the status of the expired response.
    public init(
        endpoints: @escaping () -> [EndpointDescription], logOut: String?,
        expiredStatus: @escaping () -> Int, hasOwnTokens: Bool, statesLifetime: Bool, speed: Double
    ) {
        (calls, self.logOut, expired) = (endpoints, logOut, expiredStatus)
        (self.hasOwnTokens, self.speed) = (hasOwnTokens, speed)
        self.statesLifetime = statesLifetime
    }

    /// None: the reader has brought the app.
    public var name: String? { nil }
    /// Its calls so far.
    public var endpoints: [EndpointDescription] { calls() }
    /// The status that says that an access token has expired.
    public var expiredStatus: Int { expired() }
    /// None beside those of a person with a phone.
    public var abilities: Set<Drill.Ability> { [] }
    /// True: it is not known which calls anyone may make.
    public func needsToken(_ endpoint: String) -> Bool { true }

    /// Cannot be made: the app is outside the simulation.
    ///
    /// - Throws: always.
    public func world(
        _ setting: ServerConfiguration, _ schedule: Schedule, _ plan: ExplorationPlan
    ) throws -> any ClientWorld { throw OutsideWorld() }

    /// The command that plays a drill with the app.
    public func replay(
        _ drill: Drill, before server: DrillServer, choices: [UInt16]?, _ plan: ExplorationPlan
    ) -> String { "squall serve … --drill \(drill.id)" }

    private struct OutsideWorld: Error {}
}

/// An action that an app's user is asked for.
public enum LiveDrillRequest: Hashable, Sendable {
    case call, write, signIn, signInAsOther, signOut
    /// To end the app.
    case kill
    /// To start it again.
    case start
    /// To set the device's clock, ahead or back.
    case clock(aheadBy: Duration)
    /// To set the clock right again.
    case clockBack

    /// The sentence that a person is shown.
    public var text: String {
        switch self {
        case .call: "Use the app, so that it makes a call."
        case .write: "Change something in the app, such as a like or a comment."
        case .signIn: "Sign in again in the app."
        case .signInAsOther: "Sign in in the app as another user."
        case .signOut: "Sign out in the app."
        case .kill: "Kill the app, then confirm."
        case .start: "Start the app again."
        case .clockBack: "Set the device's clock right again, then confirm."
        case .clock(let span): Self.clock(aheadBySeconds: Int64(span / .seconds(1)))
        }
    }

    private static func clock(aheadBySeconds seconds: Int64) -> String {
        let words = Units.exact(nanoseconds: abs(seconds) * 1_000_000_000)
        return "Set the device's clock \(seconds < 0 ? "back" : "ahead") by \(words), then confirm."
    }
}

/// Plays the server's side of drills with a real app outside the simulation.
///
/// **Start here** to read this folder. A drill is the one of the catalogue: its setting and its
/// play are those of a world. What is otherwise a client's action is here a wait for what the app
/// does (``LiveDrillWorld``), and promises are judged by the ``LiveJudge`` alone, since how
/// many calls a user makes is not known.
public final class LiveDrills: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let simulation: Simulation
    let backend: Backend
    let app: LiveDrillApp
    let judge: LiveJudge
    private(set) var service: LiveDrillService
    let plan: LiveDrillPlan
    private let expires: (TokenMint.Kind) -> Void
    /// The drills so far, played or not, in order.
    public private(set) var cells: [LiveDrillCell] = []
    private var told = 0
    private var isPlaying = false
    private(set) var isAborted = false
    private var confirmations = 0
    /// The reason for which the present drill is given up; `nil` where it is not.
    private(set) var skipReason: String?
    private var asked: [LiveDrillRequest] = []
    private var begun: [LiveDrillCell] = []
    /// True if its client was seen to renew at the stated end of its token alone, false if not even
    /// then; `nil` as long as it was not waited for.
    var watchesClock: Bool?

    /// The time between two looks for events, in simulated nanoseconds.
    static let pollNanoseconds: Int64 = 10_000_000

    /// A player for the app that uses a backend; `expires` lets every token of a kind expire.
    public init(
        _ plan: LiveDrillPlan, _ service: LiveDrillService, judge: LiveJudge, backend: Backend,
        in simulation: Simulation, expires: @escaping (TokenMint.Kind) -> Void
    ) {
        (self.plan, self.service, self.judge) = (plan, service, judge)
        (self.backend, self.simulation, self.expires) = (backend, simulation, expires)
        self.service.tokens = backend.tokenPolicy
        app = LiveDrillApp(simulation, backend) { [unowned judge] in judge.isSignOut($0, $1) }
    }

    /// Plays all drills of the plan, with each of its servers.
    public func begin() {
        let own = [DrillServer(ownName, refresh: service.tokens.refresh)]
        let servers = plan.servers.isEmpty ? own : plan.servers
        for drill in plan.drills { for server in servers { add(drill, server) } }
    }

    /// The name of the served policy in cells.
    private var ownName: String {
        guard service.hasOwnTokens else { return "as it is" }
        return DrillServer.all.first { $0.refresh == service.tokens.refresh }?.name ?? "as it is"
    }

    /// The plan's drill of a name, or any other of the catalogue.
    public func drill(named id: String) -> Drill? {
        (plan.drills + Drill.all).first { $0.id == id }
    }

    /// Plays a drill when those before it have ended; on the server as it is unless named.
    public func add(_ drill: Drill, _ server: DrillServer? = nil) {
        let server = server ?? DrillServer(ownName, refresh: service.tokens.refresh)
        let place = cells.count
        cells.append(LiveDrillCell(drill: drill, server: server.name))
        cells[place].usualSeconds = usualSeconds(of: drill, server)
        queue.append((place, server))
        guard !isPlaying else { return }
        (isPlaying, isAborted) = (true, false)
        judge.follower = app
        simulation.spawn { [self] in await playAll() }
    }

    private var queue: [(place: Int, server: DrillServer)] = []

    /// True as soon as every drill has ended.
    public var isOver: Bool { !isPlaying }

    /// The action that the user is asked for now.
    public var awaits: String? { cells.lazy.compactMap(\.awaits).first }

    /// The drills that have ended since this was last asked.
    public func newCells() -> [LiveDrillCell] {
        var new: [LiveDrillCell] = []
        while told < cells.count, cells[told].outcome != nil {
            new.append(cells[told])
            told += 1
        }
        return new
    }

    /// The actions that the user was asked for since this was last asked.
    public func newRequests() -> [LiveDrillRequest] {
        defer { asked = [] }
        return asked
    }

    /// The drills that have begun since this was last asked.
    public func newBeginnings() -> [LiveDrillCell] {
        defer { begun = [] }
        return begun
    }

    /// Tells that the user has done what was asked.
    public func confirm() { confirmations += 1 }

    /// Gives up the drill that is played; it is not judged for this reason.
    public func skip(because reason: String) { skipReason = skipReason ?? reason }

    /// Gives up all drills.
    public func abort() {
        isAborted = true
        queue = []
    }

    private func playAll() async {
        while !queue.isEmpty {
            let (place, server) = queue.removeFirst()
            skipReason = nil
            let start = simulation.now.nanoseconds
            let outcome = await played(cells[place].drill, server, place)
            (cells[place].outcome, cells[place].awaits) = (outcome, nil)
            if case .notPlayed = outcome { continue }
            let span = Double(simulation.now.nanoseconds - start) / service.speed
            cells[place].seconds = Int((span / 1e9).rounded())
            backend.tokenPolicy = service.tokens
            app.tap = nil
        }
        isPlaying = false
        judge.follower = nil
    }
}

extension LiveDrills {
    private func played(
        _ drill: Drill, _ server: DrillServer, _ place: Int
    ) async -> DrillOutcome<[LiveDrillCell.Broken]> {
        var setting = ServerConfiguration(service, server)
        let usual = setting.tokens
        let isManual = !drill.needs.isDisjoint(with: Self.manual)
        if isManual { setting.personsPace = .seconds(15) }
        if let reason = reason(against: drill, server, setting, isManual) {
            return .notPlayed(reason)
        }
        if plan.replacesClient { judge.clientWasReplaced() }
        begun.append(cells[place])
        if let reason = await settled(place) { return .notJudged(reason) }
        drill.setting(&setting)
        judge.beginChapter()
        let clientWorld = LiveDrillWorld(self)
        app.tap = clientWorld.tap
        clientWorld.plays(setting)
        defer { clientWorld.end() }
        if setting.tokens.accessLifetimeNanoseconds != usual.accessLifetimeNanoseconds {
            // Its new tokens are of the drill's.
            expire(.access)
            let before = app.calls
            _ = await awaits(.call) { [app] in app.calls > before }
            await quiet()
        }
        return await judged(drill, setting, clientWorld, place)
    }

    private func judged(
        _ drill: Drill, _ setting: ServerConfiguration, _ clientWorld: LiveDrillWorld,
        _ place: Int
    ) async -> DrillOutcome<[LiveDrillCell.Broken]> {
        var problem: String?
        var recording: DrillRecording?
        let (refusals, refreshes) = (app.refusals, app.refreshes)
        do {
            let world = try DrillWorld(setting, on: clientWorld)
            do {
                try await drill.play(world)
                await world.sleep(.seconds(2))
            } catch DrillWorld.Stop.cannotSignIn(let text) {
                problem = "signing in failed: \(text)"
            }
            world.end()
            recording = world.recording
        } catch { problem = "\(error)" }
        await clientWorld.undo()
        if judge.wasRenewedByClock { watchesClock = true }
        let isDeaf =
            app.refusals > refusals && judge.chapter.isEmpty
            && (app.refreshes == refreshes || judge.wasRenewedByClock)
        if isDeaf, await looksAtClock() {
            judge.release(asFound: false)
            return .notJudged(Self.deafness)
        }
        judge.release(asFound: true)
        let names = Set(app.users.map { judge.name(ofUser: $0) })
        // A request with a word in place of a token does not tell whose it is.
        let found = judge.chapter.filter {
            names.contains($0.user) || $0.promise == .issuedTokens
        }
        var broken = found.map {
            LiveDrillCell.Broken(text: $0.sentence, fix: $0.promise.fix ?? drill.fix)
        }
        // What is missing where the app does nothing any more says nothing of its own.
        if clientWorld.unseen == nil {
            broken += (recording?.broken ?? []).map {
                LiveDrillCell.Broken(text: $0.text, fix: $0.fix ?? drill.fix)
            }
        }
        if !broken.isEmpty { return .broken(broken) }
        if isAborted { return .notJudged("interrupted") }
        if let reason = clientWorld.unseen ?? problem ?? recording?.unseen {
            return .notJudged(reason)
        }
        let doubt =
            judge.doubts[RaceInvariant.refreshIsNeeded.id] ?? (renewsBySignIn ? Self.signsIn : nil)
        cells[place].isArguable = doubt != nil
        return doubt.map { .notJudged($0) } ?? .passes
    }

    /// The abilities of a user who holds a phone.
    static let manual: Set<Drill.Ability> = [.signOut, .restart, .clock, .write]

    /// Waits until the app makes a call that succeeds; returns the reason when it does not.
    private func settled(_ place: Int) async -> String? {
        cells[place].awaits = LiveDrillRequest.call.text
        app.forget()
        let (before, refused, refreshes) = (app.successes, app.refusals, app.refreshes)
        let isDeaf = { [self] in
            app.refusals - refused >= Self.refusalsMax && app.refreshes == refreshes
                && (watchesClock != nil || !isEndNear)
        }
        let isDone = await awaits(.call, until: { [app] in app.successes > before || isDeaf() })
        guard isDone, app.successes > before else {
            judge.release(asFound: watchesClock == false)
            if app.refusals > refused, app.refreshes == refreshes {
                return watchesClock == false ? Self.neverRenews : Self.deafness
            }
            return isAborted
                ? "interrupted" : skipReason ?? "no call of the app succeeded within \(waitWords)"
        }
        await quiet()
        app.settle()
        return nil
    }

    func expire(_ kind: TokenMint.Kind) { expires(kind) }

    /// The time that the app is waited for, in words.
    var waitWords: String { Units.exact(nanoseconds: plan.waitNanoseconds) }

    /// Lets a span of simulated time pass.
    func pause(_ nanoseconds: Int64) async {
        guard nanoseconds > 0 else { return }
        try? await simulation.sleep(nanoseconds: nanoseconds)
    }

    func simulated(_ nanoseconds: Int64) -> Int64 {
        Int64(Double(nanoseconds) * service.speed)
    }

    /// Asks for an action, and waits until it is done or said to be done; false where it is not.
    func awaits(
        _ request: LiveDrillRequest?, isShort: Bool = false, atLeast span: Int64 = 0,
        until isDone: @escaping () -> Bool
    ) async -> Bool {
        let place = cells.firstIndex { $0.outcome == nil }
        if let place { cells[place].awaits = request?.text ?? "Waiting until the app is quiet." }
        let said = confirmations
        let start = simulation.now.nanoseconds
        let wait = simulated(isShort ? Self.shortNanoseconds : plan.waitNanoseconds)
        let end = start + max(wait, span)
        // An app in use needs no word; the rest cannot be guessed.
        var tellsAt = request == .call ? start + simulated(Self.shortNanoseconds) : start
        while !isDone() {
            guard !isAborted, skipReason == nil, simulation.now.nanoseconds < end else {
                return false
            }
            if confirmations > said { return true }
            if let request, simulation.now.nanoseconds >= tellsAt {
                asked.append(request)
                tellsAt = .max
            }
            await pause(max(Self.pollNanoseconds, simulated(Self.pollNanoseconds)))
        }
        return true
    }

    static let shortNanoseconds: Int64 = 2_000_000_000
}
