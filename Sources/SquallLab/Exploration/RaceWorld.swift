import SquallApps
import SquallBackend
import SquallClient
import SquallKernel
import SquallRaces
import SquallServices

/// The world of one run of a scenario: a few phones, a backend and the recorder of its history.
///
/// Smaller than a `World`: there is no load and no measurement, and only who does something has a
/// phone, so that thousands a second can be built, played and thrown away.
final class RaceWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let scenario: RaceScenario
    let simulation: Simulation
    let recorder: HistoryRecorder
    let tap: WireTap
    let backend: Backend
    private let installer: Installer
    /// The indices of the acts, sorted by when they begin.
    private let order: [Int]
    /// The phones of users with an act, sorted by user.
    @exclusivity(unchecked) private var phones: [ObservedPhone] = []
    /// The index of each user's phone.
    private let places: [Int: Int]
    private var begins: EventHandler?
    private var looks = 0
    /// Steps that are running.
    @exclusivity(unchecked) private var openSteps = 0
    private var wasStopped = false
    /// True if one user's code can change what another user's app has stored.
    private let appsMayShare: Bool

    /// The phone of one user, and the state that was noted of it last.
    private struct ObservedPhone {
        let user: Int
        let phone: Phone
        /// The app that is alive, which is looked at after every turn.
        let app: any InstalledApp
        var stored: TokenPair
        var needsSignIn: Bool
        var tasks: [Task<Void, Never>] = []

        init(_ phone: Phone, of user: Int) {
            (self.user, self.phone, app) = (user, phone, phone.app)
            (stored, needsSignIn) = (app.storedTokens, app.needsSignIn)
        }
    }

    init(_ scenario: RaceScenario, _ schedule: Schedule) {
        self.scenario = scenario
        simulation = Simulation(schedule)
        recorder = HistoryRecorder(simulation, schedule)
        order = scenario.acts.indices.sorted {
            (scenario.acts[$0].atNanoseconds, $0) < (scenario.acts[$1].atNanoseconds, $1)
        }
        let users = scenario.plan.populations.reduce(0) { $0 + $1.users }
        appsMayShare = scenario.plan.populations.contains(where: \.app.usesSystem)
        let players = Set(scenario.acts.map(\.user)).sorted()
        places = Dictionary(uniqueKeysWithValues: zip(players, players.indices))
        tap = WireTap(recorder: recorder, users: players)
        var backendPlan = scenario.plan.backend
        if scenario.drawsFaults {
            backendPlan.faults.removeAll { !schedule.strikes($0.name) }
        }
        installer = Installer(
            of: scenario.plan.populations.map(\.app), in: simulation, backendPlan,
            scenario.plan.services, users: users,
            randomness: RandomStream(seed: scenario.plan.seed), observer: tap)
        backend = installer.backend
        recorder.describe { $0 = .init(backendPlan, users: players.count) }
        begins = simulation.register(.timer("act begins") { .init(number: $0) }) {
            [unowned self] in
            begin(order[Int($0)])
            arrange(Int($0) + 1)
        }
    }

    /// A weak reference to an object of a user's app, by which it shows if it outlives the world.
    struct Holder {
        let user: Int
        private(set) weak var object: AnyObject?
    }

    /// Plays the scenario; returns its history, and the objects that must be gone with this world.
    func run() throws -> (History, [Holder]) {
        phones = places.keys.sorted().map(phone)
        arrange(0)
        simulation.turnEnded = { [unowned self] in look() }
        simulation.checkpoint = { [unowned self] in heedStop() }
        let ending = passTime()
        simulation.turnEnded = nil
        guard !wasStopped else {
            tearDown()
            throw StopRequested()
        }
        recorder.close(ending, audits())
        let history = recorder.history
        tearDown()
        let holders = phones.flatMap { phone in
            [Holder(user: phone.user, object: phone.app.holder)]
                + phone.phone.lives.map { Holder(user: phone.user, object: $0.environment) }
        }
        return (history, holders)
    }

    /// Schedules the next act at its time, but never before earlier acts have begun: a resume
    /// never overtakes its suspend, however late events are.
    private func arrange(_ place: Int) {
        guard let begins, order.indices.contains(place) else { return }
        let time = Instant(nanoseconds: scenario.acts[order[place]].atNanoseconds)
        if time > simulation.now || place == 0 {
            simulation.schedule(begins, argument: UInt64(place), at: time)
        } else {
            simulation.makeNext(begins, argument: UInt64(place))
        }
    }

    /// How many checks of a stop request are ignored, so that a short run of a finding can still
    /// finish.
    private static let looksMax = 16

    private func heedStop() {
        guard scenario.plan.services.isStopped() else { return }
        looks += 1
        guard looks > Self.looksMax else { return }
        wasStopped = true
        simulation.stop()
    }

    private func passTime() -> History.Ending {
        let end = Instant(nanoseconds: scenario.durationNanoseconds)
        do {
            return try simulation.run(until: end) == .quiescent ? .still : .outOfTime
        } catch {
            return .spinning
        }
    }

    private func tearDown() {
        let phones = phones.map(\.phone)
        installer.tearDown(
            phones.flatMap(\.lives).map(\.environment), isStopped: wasStopped
        ) {
            for phone in phones { phone.app.stepEnded() }
        } isOpen: {
            openSteps > 0
        }
    }
}

extension RaceWorld {
    private func phone(of user: Int) -> ObservedPhone {
        let population = population(of: user)
        let phone = Phone(installer, population, decoder: scenario.decoder)
        start(phone, of: user)
        let isSignedIn = population.settings.startsSignedIn
        if isSignedIn {
            phone.signIn(
                UInt64(user), expired: population.settings.initialTokens == .expired)
            note(phone.app.storedTokens, of: user)
        }
        return ObservedPhone(phone, of: user)
    }

    private func start(_ phone: Phone, of user: Int) {
        phone.start(
            as: UInt64(user), over: backend.transport,
            monitors: [RequestTap(tap: tap, life: phone.lives.count)])
    }

    /// Records what the turn has changed on the phone of the user whose code ran.
    ///
    /// After a turn of no user, and with apps of one's own, which may share a store, it looks at
    /// all phones.
    private func look() {
        let ran = appsMayShare ? nil : simulation.subject?.user
        for place in phones.indices where ran == nil || ran == UInt64(phones[place].user) {
            look(at: place)
        }
    }

    private func look(at place: Int) {
        let app = phones[place].app
        let (stored, needsSignIn) = (app.storedTokens, app.needsSignIn)
        if stored != phones[place].stored {
            phones[place].stored = stored
            note(stored, of: phones[place].user)
        }
        guard needsSignIn != phones[place].needsSignIn else { return }
        phones[place].needsSignIn = needsSignIn
        recorder.note(
            recorder.event(
                needsSignIn ? .signedOut : .signedIn, user: UInt64(phones[place].user)))
    }

    private func place(of user: Int) -> Int {
        guard let place = places[user] else { preconditionFailure("user \(user) does nothing") }
        return place
    }

    private func note(_ stored: TokenPair, of user: Int) {
        let isEmpty = stored.access.isEmpty && stored.refresh.isEmpty
        var event = recorder.event(isEmpty ? .erased : .stored, user: UInt64(user))
        event.access = recorder.token(stored.access)
        event.refresh = recorder.token(stored.refresh)
        recorder.note(event)
    }

    private func population(of user: Int) -> PopulationPlan {
        var first = 0
        for population in scenario.plan.populations {
            first += population.users
            if user < first { return population }
        }
        preconditionFailure("there is no user \(user)")
    }

    /// Kills the app from outside; it starts again from what is on the disk.
    private func kill(_ user: Int) {
        simulation.killTasks(of: UInt64(user))
        let place = place(of: user)
        let phone = phones[place].phone
        start(phone, of: user)
        phones[place] = ObservedPhone(phone, of: user)
        note(.restarted, user, "")
    }
}

extension RaceWorld {
    private func begin(_ index: Int) {
        let act = scenario.acts[index]
        let user = act.user
        switch act.kind {
        case .suspend:
            note(.meanwhile, user, act.name)
            simulation.suspendDevice(of: UInt64(user))
        case .resume:
            simulation.resumeDevice(of: UInt64(user))
            note(.cameBack, user, act.name)
        case .kill:
            note(.meanwhile, user, act.name)
            kill(user)
        case .cancel:
            note(.meanwhile, user, act.name)
            let tasks = phones[place(of: user)].tasks
            simulation.spawn(of: UInt64(user)) { for task in tasks { task.cancel() } }
        case .clock:
            note(.meanwhile, user, act.name)
            phones[place(of: user)].phone.clock.set(aheadBy: act.aheadNanoseconds)
        case .call, .step, .journey, .signIn:
            simulation.spawn(of: UInt64(user)) { [self] in await perform(act, index) }
        }
    }

    private func perform(_ act: ScenarioAct, _ index: Int) async {
        let app = phones[place(of: act.user)].app
        guard scenario.acts.contains(where: { $0.kind == .cancel }) else {
            return await follow(act, index, app)
        }
        let task = Task { await follow(act, index, app) }
        phones[place(of: act.user)].tasks.append(task)
        await task.value
    }

    private func follow(_ act: ScenarioAct, _ index: Int, _ app: any InstalledApp) async {
        for (part, step) in steps(of: act).enumerated() {
            let number = index << 8 | part
            app.beginStep(UInt32(number))
            if step.leaves {
                note(.leaves, act.user, step.name, attempt: number)
            }
            note(.actBegan, act.user, step.name, attempt: number)
            openSteps += 1
            let outcome = await step.action(app)
            openSteps -= 1
            app.stepEnded()
            note(.actEnded, act.user, outcome.label, attempt: number, .init(outcome))
            if outcome.endsVisit { return }
        }
    }

    private func note(
        _ kind: RaceEvent.Kind, _ user: Int, _ text: String, attempt number: Int = 0,
        _ result: RaceEvent.ActResult? = nil
    ) {
        var event = recorder.event(kind, user: UInt64(user))
        event.attempt = number
        (event.text, event.result) = (recorder.name(text), result)
        recorder.note(event)
    }

    private typealias StepAction = (
        name: String, leaves: Bool, action: @Sendable (any InstalledApp) async -> StepOutcome
    )

    private func steps(of act: ScenarioAct) -> [StepAction] {
        let journeys = population(of: act.user).app.journeys
        switch act.kind {
        case .call:
            let kind = CallKind(rawValue: act.what) ?? .model
            return [(act.name, false, { await $0.call(kind) })]
        case .signIn: return [(act.name, false, { await $0.signIn() })]
        case .step:
            let names = act.what.split(separator: ".", maxSplits: 1).map(String.init)
            guard let place = journeys.firstIndex(where: { $0.name == names.first }),
                let number = journeys[place].steps.firstIndex(where: { $0.name == names.last })
            else { return [] }
            let leaves = journeys[place].steps[number].leaves
            return [(act.name, leaves, { await $0.perform(step: number, ofJourney: place) })]
        case .journey:
            guard let place = journeys.firstIndex(where: { $0.name == act.what }) else { return [] }
            return journeys[place].steps.indices.filter {
                journeys[place].steps[$0].condition.applies(to: .coldStart)
            }.map { number in
                (
                    "\(act.what).\(journeys[place].steps[number].name)",
                    journeys[place].steps[number].leaves,
                    { await $0.perform(step: number, ofJourney: place) }
                )
            }
        case .suspend, .resume, .kill, .cancel, .clock: return []
        }
    }
}

extension RaceWorld {
    private func audits() -> [AuditFinding] {
        let audits = backend.audits
        var found = audits.flatMap { $0.findings() }
        for phone in phones {
            let app = phone.app
            let snapshot = app.snapshot
            if !snapshot.lists.isEmpty { recorder.saw(.list) }
            let screen = UserScreen(
                user: phone.user, isSignedIn: !app.needsSignIn, snapshot)
            for audit in audits { found += audit.findings(on: screen) }
            for (kind, count) in snapshot.findings where count > 0 {
                guard let fault = ScreenFault.all.first(where: { $0.name == kind }) else {
                    continue
                }
                found.append(AuditFinding(AuditKind(fault), user: phone.user, count: count))
            }
        }
        return found.filter { $0.count > 0 }
    }
}

extension History.Setting {
    init(_ plan: BackendPlan, users: Int) {
        self.init()
        isRotating = plan.tokens.refresh.usesUp
        hasFaults = !plan.faults.isEmpty
        calmFrom = plan.faults.map { min($0.end.nanoseconds, 1 << 60) }.max() ?? 0
        self.users = users
    }
}

/// Observes the client's requests; one for each life of an app.
final class RequestTap: EventMonitor {
    private let tap: WireTap
    private let life: Int

    init(tap: WireTap, life: Int) { (self.tap, self.life) = (tap, life) }

    func requestDidResume(_ request: Request) { note(.callBegan, request) }

    func requestDidFinish(_ request: Request, error: AFError?) {
        note(error == nil ? .callEnded : .callFailed, request, text: error?.label)
    }

    func requestDidCancel(_ request: Request) { note(.cancelled, request) }

    func request(_ request: Request, didLose completion: LostCompletion) {
        note(.completionLost, request, text: place(of: completion))
    }

    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        note(.completionRepeated, request, text: place(of: completion))
    }

    private func place(of completion: LostCompletion) -> String {
        "\(completion.interceptor).\(completion.place.rawValue)"
    }

    private func note(_ kind: RaceEvent.Kind, _ request: Request, text: String? = nil) {
        var event = tap.recorder.event(kind, user: request.session.user)
        event.request = Int(request.number + Phone.requestOffset(ofLife: life))
        event.text = text.map(tap.recorder.name)
        tap.recorder.note(event)
    }
}
