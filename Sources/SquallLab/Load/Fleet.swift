import SquallApps
import SquallKernel

/// The users of a run: lets each of them arrive, think, act, give up, go away and come back.
///
/// It knows neither app nor measurement: it drives a `MobileApp` and tells a `FleetObserver`.
final class Fleet: @unchecked Sendable {
    // Safe because everything in it happens on the simulation's thread. Unchecked below: no access
    // lasts while other code runs, and checking each cost time in every step.

    let simulation: Simulation
    let populations: [Population]
    let numbers: UserNumbers
    let choices: Choices
    /// Maps a user to the key of its random streams.
    let identity: StreamIdentity
    @exclusivity(unchecked) var users: [UserState]
    /// Each user's copy of the app, from the user's arrival on.
    @exclusivity(unchecked) private(set) var apps: [(any InstalledApp)?]
    /// The free users and waiting sessions of each population with an open load.
    @exclusivity(unchecked) var pools: [SessionPool?]
    private(set) var sessionHandler: EventHandler?
    @exclusivity(unchecked) private(set) var isDraining = false
    /// The moment from which on no visit can begin.
    private(set) var loadEnd = Int64.max
    let observer: any FleetObserver
    /// The users who take part, where several load generators share a profile.
    let share: UserShare
    private let install: (_ user: Int, Population) -> any InstalledApp
    private var wakeHandler: EventHandler?
    private var patienceHandler: EventHandler?

    /// The number of steps that began, ended, and were given up so far.
    @exclusivity(unchecked) private(set) var stepCounts = StepCounts()
    /// Visits that began without a planned moment, by population.
    @exclusivity(unchecked) private(set) var unplannedVisits: [Int64]

    /// A fleet of users who have yet to arrive; `install` puts the app on a user's device then.
    init(
        simulation: Simulation, populations: [Population],
        identity: StreamIdentity = StreamIdentity(),
        randomness: RandomStream, observer: any FleetObserver, share: UserShare = .all,
        install: @escaping (_ user: Int, Population) -> any InstalledApp
    ) {
        self.simulation = simulation
        self.populations = populations
        self.identity = identity
        self.observer = observer
        self.share = share
        self.install = install
        choices = Choices(randomness)
        numbers = UserNumbers(populations.map(\.users.count))
        users = Array(
            repeating: UserState(), count: numbers.count, unless: simulation.isStopped)
        apps = Array(repeating: nil, count: numbers.count, unless: simulation.isStopped)
        pools = Array(repeating: nil, count: populations.count)
        unplannedVisits = Array(repeating: 0, count: populations.count)
        wakeHandler = simulation.register(
            .timer("user acts") { .init(user: $0) },
            prefetch: { [unowned(unsafe) self] in prefetchState(Int($0)) }
        ) {
            [unowned(unsafe) self] in wake(Int($0))
        }
        patienceHandler = simulation.register(.timer("patience ends") { .init(user: $0) }) {
            [unowned self] in giveUp(Int($0))
        }
        sessionHandler = simulation.register(.timer("session arrives")) {
            [unowned self] in sessionArrived(in: Int($0))
        }
        for index in populations.indices where !simulation.isStopped() {
            scheduleArrivals(of: index)
        }
    }

    var runningSteps: Int { Int(stepCounts.running) }

    /// Lets running steps end and begins no others; reports the visits that still wait.
    func drain() {
        guard !isDraining else { return }
        isDraining = true
        loadEnd = simulation.now.nanoseconds
        for index in populations.indices { tellWaiting(in: index) }
    }

    /// Puts the app on every user's device at once, as if all had arrived.
    func installEverybody() {
        for user in users.indices { _ = arrivedApp(of: user, population(of: user)) }
    }

    /// Tells apps with running steps that those are over, at the end of the world.
    func endSteps() {
        for user in users.indices where users[user].running != nil { apps[user]?.stepEnded() }
    }

    func wake(_ user: Int, afterNanoseconds delay: Int64) {
        wake(user, at: simulation.now.advanced(byNanoseconds: delay).nanoseconds)
    }

    func wake(_ user: Int, at moment: Int64) {
        guard let wakeHandler else { return }
        simulation.schedule(
            wakeHandler, argument: UInt64(user), at: Instant(nanoseconds: moment))
    }

    /// Asks for the memory of a user who acts soon.
    private func prefetchState(_ user: Int) {
        users.withUnsafeBufferPointer { users in
            guard let state = users.baseAddress.map({ $0 + user }) else { return }
            prefetch(UInt(bitPattern: state), byteCount: MemoryLayout<UserState>.size)
        }
        apps.withUnsafeBytes { apps in
            // It begins with the object, which the user's other ones lie near.
            let place = user * MemoryLayout<(any InstalledApp)?>.stride
            prefetch(apps.load(fromByteOffset: place, as: UInt.self), byteCount: 1_024)
        }
    }

    func streamKey(_ user: Int) -> UInt64 { identity.key(of: UInt64(user)) }

    private func population(of user: Int) -> Population {
        populations[numbers.population(of: user)]
    }
}

extension Fleet {
    func wake(_ user: Int) {
        guard !isDraining else { return }
        TrapReport.note(user: user)
        let population = population(of: user)
        let app = arrivedApp(of: user, population)
        if !users[user].isVisiting {
            if opensAnew(user, population) { app.processStarted() }
            beginVisit(of: user)
        }
        if app.needsSignIn {
            endJourney(of: user)
            return begin(user, population, app, .signIn, leadsOn: true)
        }
        guard let (journey, step) = nextStep(of: user, population) else {
            return leave(user, population)
        }
        let leadsOn = population.journeys[journey].journey.steps[step].leadsOn
        let id = StepID.step(UInt16(step), ofJourney: UInt16(journey))
        begin(user, population, app, id, leadsOn: leadsOn)
    }

    private func beginVisit(of user: Int) {
        users[user].isVisiting = true
        let population = numbers.population(of: user)
        guard users[user].isIntended else {
            unplannedVisits[population] += 1
            observer.visitOffered(in: population)
            return observer.visitBegan(user: user, lateByNanoseconds: nil)
        }
        if case .closed = populations[population].load {
            observer.visitOffered(in: population)
        }
        observer.visitBegan(
            user: user, lateByNanoseconds: simulation.now.nanoseconds - users[user].intended)
    }

    private func arrivedApp(of user: Int, _ population: Population) -> any InstalledApp {
        if let app = apps[user] { return app }
        let app = install(user, population)
        apps[user] = app
        observer.userArrived(user)
        return app
    }

    /// The next journey and step; `nil` when the journey is over.
    private func nextStep(of user: Int, _ population: Population) -> (journey: Int, step: Int)? {
        if users[user].journey == nil { chooseJourney(for: user, population) }
        let journey = Int(users[user].journey ?? 0)
        let steps = population.journeys[journey].journey.steps
        let beginning = beginning(of: user, population.journeys[journey].journey.launch)
        while Int(users[user].nextStep) < steps.count {
            let step = Int(users[user].nextStep)
            users[user].nextStep += 1
            guard steps[step].condition.applies(to: beginning) else { continue }
            let ordinal = UInt64(users[user].journeysBegun) << 16 | UInt64(step)
            let stream = choices.step.stream(number: streamKey(user))
            if stream.chance(steps[step].probability, at: ordinal) { return (journey, step) }
        }
        return nil
    }

    private func beginning(of user: Int, _ launch: Launch) -> VisitBeginning {
        if users[user].hasSignedIn { return .signIn }
        return users[user].isOpen && launch == .open ? .openScreen : .coldStart
    }

    /// True for a visit that begins with a start of the app.
    private func opensAnew(_ user: Int, _ population: Population) -> Bool {
        let next = population.journeys[nextJourney(of: user, population)].journey
        return !users[user].isOpen || next.launch == .start
    }

    private func nextJourney(of user: Int, _ population: Population) -> Int {
        let stream = choices.journey.stream(number: streamKey(user))
        return population.journey(at: stream.unit(at: UInt64(users[user].journeysBegun)))
    }

    private func chooseJourney(for user: Int, _ population: Population) {
        let journey = nextJourney(of: user, population)
        users[user].journey = UInt16(journey)
        users[user].nextStep = 0
        users[user].journeysBegun += 1
        observer.journeyBegan(user: user, journey: journey)
    }

    func endJourney(of user: Int) {
        users[user].hasSignedIn = false
        guard users[user].journey != nil else { return }
        users[user].journey = nil
        observer.journeyEnded(user: user)
    }

    private func begin(
        _ user: Int, _ population: Population, _ app: any InstalledApp, _ step: StepID,
        leadsOn: Bool
    ) {
        let ordinal = users[user].stepsBegun
        users[user].stepsBegun += 1
        app.beginStep(ordinal)
        users[user].running = RunningStep(
            startedAt: simulation.now, intendedAt: takeIntention(of: user),
            patience: schedulePatience(of: user, population), isSignIn: step == .signIn,
            leadsOn: leadsOn)
        stepCounts.begun += 1
        observer.stepBegan(user: user, ordinal: ordinal, step: step)
        let place: (step: Int, journey: Int)? =
            switch step {
            case .signIn: nil
            case .step(let step, let journey):
                (Int(step), population.journeys[Int(journey)].index)
            }
        simulation.spawn(of: UInt64(user)) { [unowned self] in
            let outcome =
                if let place {
                    await app.perform(step: place.step, ofJourney: place.journey)
                } else {
                    await app.signIn()
                }
            end(user, ordinal: ordinal, outcome: outcome)
        }
    }

    /// The planned moment of the user's next step: earlier than now if the journey is late.
    private func takeIntention(of user: Int) -> Int64 {
        guard users[user].isIntended else { return simulation.now.nanoseconds }
        users[user].isIntended = false
        return users[user].intended
    }

    private func schedulePatience(of user: Int, _ population: Population) -> Timer {
        guard let patienceHandler else { preconditionFailure("a fleet without handlers") }
        return simulation.schedule(
            patienceHandler, argument: UInt64(user),
            at: simulation.now.advanced(byNanoseconds: population.settings.patienceNanoseconds))
    }

    private func end(_ user: Int, ordinal: UInt32, outcome: StepOutcome) {
        guard users[user].stepsBegun == ordinal + 1, let step = users[user].running else {
            stepCounts.endedLate += 1
            return observer.stepEndedLate(user: user, ordinal: ordinal)
        }
        simulation.cancel(step.patience)
        users[user].running = nil
        apps[user]?.stepEnded()
        stepCounts.ended += 1
        observer.stepEnded(user: user, ordinal: ordinal, step: step, outcome: outcome)
        let population = population(of: user)
        if outcome.endsVisit { return leave(user, population, isForced: true) }
        if step.isSignIn { users[user].hasSignedIn = outcome.isSuccess }
        if step.leadsOn, outcome.isDone { return wake(user, afterNanoseconds: 0) }
        wake(user, afterNanoseconds: think(user, population))
    }

    private func giveUp(_ user: Int) {
        guard let step = users[user].running else { return }
        users[user].running = nil
        apps[user]?.stepEnded()
        stepCounts.hung += 1
        observer.stepEnded(
            user: user, ordinal: users[user].stepsBegun - 1, step: step, outcome: nil)
        leave(user, population(of: user), isForced: true, isGivenUp: true)
    }

    private func think(_ user: Int, _ population: Population) -> Int64 {
        let stream = choices.think.stream(number: streamKey(user))
        let law =
            users[user].journey.map { journey in
                // The state has the step after the one that ended.
                population.settings.thinkTime(
                    after: population.journeys[Int(journey)].journey
                        .steps[Int(users[user].nextStep) - 1])
            } ?? population.settings.thinkTime
        return law.sample(stream, at: pauseNumber(of: user))
    }

    /// The number of the pause after the newest step, by its place in its journey: one more step or
    /// sign-in changes no other pause.
    private func pauseNumber(of user: Int) -> UInt64 {
        // By part: the state as a whole would be copied.
        guard users[user].journey != nil else { return 1 << 63 | UInt64(users[user].stepsBegun) }
        return UInt64(users[user].journeysBegun) << 16 | UInt64(users[user].nextStep)
    }
}
