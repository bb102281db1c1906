public import SquallApps
public import SquallBackend
import SquallClient
public import SquallKernel
import SquallReport
import SquallServices

/// One assembled simulation: its time, its backend, its users, and its listeners.
public final class World {
    /// Its time.
    public let simulation: Simulation
    let backend: Backend
    let fleet: Fleet
    let recorder: Recorder
    /// The surroundings of each population's sessions.
    let environments: [SessionEnvironment]
    private let installer: Installer
    /// Stands in for the system, where an app uses it directly.
    var system: (any ClientSystem)? { installer.system }

    /// Builds the world of a plan, at the beginning of its time.
    ///
    /// - Parameters:
    ///   - plan: what the world consists of.
    ///   - policy: decides among items that can run at the same instant.
    ///   - recordsChoices: true to keep the policy's choices for a replay.
    ///   - strictness: what to make of Swift jobs on threads that run no simulation.
    ///   - driver: the connection to a real server; `nil` for a simulated one.
    public init(
        _ plan: WorldPlan, policy: any SchedulingPolicy = FirstInFirstOut(),
        recordsChoices: Bool = false, strictness: Strictness = .tolerant,
        driver: (any LoadDriver)? = nil
    ) {
        let root = RandomStream(seed: plan.seed)
        let numbers = UserNumbers(plan.populations.map(\.users))
        simulation = Simulation(
            policy: policy, recordsChoices: recordsChoices, strictness: strictness,
            epoch: plan.services.epoch,
            systemRandomness: root.stream("system.randomness"))
        // One stop ends everything that is made after it.
        let asksToStop = plan.services.isStopped
        var isStopped = false
        simulation.isStopped = {
            isStopped = isStopped || asksToStop()
            return isStopped
        }
        let run = MeasuredRun(
            simulation: simulation,
            populations: plan.populations.enumerated().map { $1.measured(numbers.users(of: $0)) },
            intervals: Intervals(
                timelineNanoseconds: plan.timeseriesIntervalNanoseconds,
                durationNanoseconds: plan.durationNanoseconds),
            endpoints: ServiceKind.endpoints(of: plan.services), trace: plan.trace,
            hasFaults: !plan.backend.faults.isEmpty,
            hasConnections: plan.backend.network.connections != nil, isDriven: driver != nil)
        recorder = Recorder(run)
        var backendPlan = plan.backend
        backendPlan.identity = plan.identity
        let installer = Installer(
            of: plan.populations.map(\.app), in: simulation, backendPlan, plan.services,
            users: numbers.count, randomness: root, observer: recorder, driver: driver
        ) { [recorder] page in
            ProviderPage(page: page) { user, answer in
                recorder.paymentPageClosed(on: user, answer)
            }
        }
        self.installer = installer
        backend = installer.backend
        let tokens = plan.backend.tokens
        if backend.statesLifetimes {
            let life = tokens.statedLifetimeNanoseconds ?? tokens.accessLifetimeNanoseconds
            recorder.causes.expiries.statedLives = (
                signIn: life, refreshed: tokens.refreshedLifetimeNanoseconds ?? life
            )
        }
        if plan.populations.contains(where: { !$0.app.isolatesUsers }) {
            let phones = UInt64(numbers.count)
            recorder.tokenOwners.find = { [unowned backend] shown in
                backend.owner(of: shown).flatMap { $0 < phones ? $0 : nil }
            }
        }
        let decoder = plan.makeDecoder()
        environments = plan.populations.map { [simulation, recorder] population in
            installer.environment(
                of: population.settings, time: simulation,
                monitors: [ClientTap(recorder: recorder)], decoder: decoder)
        }
        let arrivals = root.stream("session.arrival")
        // Millions of users take seconds to make; a world that was given up has none.
        let pairs = simulation.isStopped() ? [] : Array(zip(plan.populations, environments))
        let populations = pairs.enumerated().map { index, pair in
            let population = Population(
                pair.0, users: numbers.users(of: index),
                services: installer.services(for: pair.0.app, pair.1),
                arrivals: arrivals.stream(named: plan.settings[index]))
            population.ages = TokenAges(
                of: population,
                lifetime: tokens.refreshedLifetimeNanoseconds ?? tokens.accessLifetimeNanoseconds,
                root.stream(named: plan.settings[index]))
            return population
        }
        fleet = Fleet(
            simulation: simulation, populations: populations, identity: backendPlan.identity,
            randomness: root, observer: recorder, share: driver?.share ?? .all,
            install: installer.install)
    }

    /// Attempts that clients have handed to their transport.
    public var attemptsSent: Int64 { recorder.totals.attemptsSent }

    /// Everything that has been counted so far.
    var metrics: Metrics { recorder.metrics }

    /// Lets this much virtual time pass.
    ///
    /// - Throws: when time stands still, or when a strict world is escaped from.
    @discardableResult
    func run(for span: Duration) throws -> Simulation.Pause {
        let nanoseconds = span.nanosecondsClamped
        return try simulation.run(until: simulation.now.advanced(byNanoseconds: nanoseconds))
    }

    /// Forgets what was measured so far, at the end of a warm-up.
    func startMeasuring() {
        recorder.restart()
        backend.startMeasuring()
    }

    /// Puts the app on every user's device at once, as if all had arrived.
    public func installEverybody() { fleet.installEverybody() }

    /// Lets running steps end and begins no others.
    public func drain() { fleet.drain() }

    /// Lets running steps end, and excludes later events from rates and means over time.
    func endLoad() {
        drain()
        recorder.run.endLoad()
        backend.stopMeasuring()
    }

    /// Reports every attempt that a client still waits for, when the run is over.
    func tellUnended() {
        for record in backend.unended { recorder.exchangeEnded(record) }
    }

    /// Lets everything that still waits or runs end, so that no task stays behind: each would keep
    /// the whole world.
    public func tearDown() {
        simulation.journal = nil
        recorder.close()
        installer.tearDown(environments, isStopped: simulation.isStopped()) { [fleet] in
            fleet.endSteps()
        } isOpen: {
            fleet.stepCounts.open > 0
        }
    }
}

extension StoredAccount {
    /// The account that a phone keeps of a sign-in in a world that began at an epoch.
    public init(_ user: SignedInUser, epoch: Epoch = .standard) {
        self.init(
            userID: user.userID, email: user.email, nick: user.nick,
            accessToken: user.accessToken, refreshToken: user.refreshToken,
            accessExpiry: user.accessExpiry.map(epoch.nanosecondsSince1970(at:)))
    }
}
