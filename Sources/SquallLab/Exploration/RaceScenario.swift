import SquallApps
import SquallBackend
import SquallClient
import SquallKernel
public import SquallRaces

/// A few users of a world, their acts and the faults meanwhile: a subject of exploration.
///
/// ```swift
/// var plan = WorldPlan(populations: [PopulationPlan(app, users: 1, journeys: ["visit": 1])])
/// let scenario = RaceScenario(
///     plan, acts: [ScenarioAct(.call, "model"), ScenarioAct(.call, "model")],
///     invariants: RaceInvariant.all)
/// ```
public struct RaceScenario: RaceSubject {
    /// The world.
    public var plan: WorldPlan
    /// The users' acts.
    public var acts: [ScenarioAct]
    /// The most virtual time that a run may take, in nanoseconds.
    public var durationNanoseconds: Int64
    /// True if the schedule decides which faults strike.
    public var drawsFaults: Bool
    /// The invariants to check.
    public var invariants: [RaceInvariant]
    /// True if the profile or the command line names the invariants, so that each must be judged;
    /// otherwise only those for every client must be.
    public var namesInvariants = false
    /// Decodes the bodies of all schedules, which are largely the same ones.
    let decoder: any DataDecoder
    /// The profile it comes from, and what is left of it so far.
    public internal(set) var saved = SavedScenario()

    /// A scenario in a world.
    public init(
        _ plan: WorldPlan, acts: [ScenarioAct], durationNanoseconds: Int64 = 60_000_000_000,
        drawsFaults: Bool = false, invariants: [RaceInvariant] = RaceInvariant.all
    ) {
        self.plan = plan
        decoder = plan.makeDecoder()
        self.acts = acts
        self.durationNanoseconds = durationNanoseconds
        self.drawsFaults = drawsFaults
        self.invariants = invariants
        (saved.acts, saved.faults) = (Array(acts.indices), Array(plan.backend.faults.indices))
    }

    /// Plays the scenario once and judges its history.
    ///
    /// - Throws: what keeps the world from being built.
    public func play(_ schedule: Schedule) throws -> Played {
        let (history, holders) = try RaceWorld(reduced, schedule).run()
        var played = Played(schedule, history, invariants)
        // The world is gone.
        played.leftBehind = Set(holders.lazy.filter { $0.object != nil }.map(\.user))
        return played
    }

    /// The scenario without what was left out.
    var reduced: RaceScenario {
        var scenario = self
        scenario.acts = saved.acts.map { acts[$0] }
        scenario.plan.backend.faults = saved.faults.map { plan.backend.faults[$0] }
        guard saved.equalLatencies else { return scenario }
        let network = plan.backend.network
        scenario.plan.backend.network.up = .constant(nanoseconds: network.up.wholeMean)
        scenario.plan.backend.network.down = .constant(nanoseconds: network.down.wholeMean)
        scenario.plan.backend.server.serviceTime = .constant(
            nanoseconds: plan.backend.server.serviceTime.wholeMean)
        scenario.plan.backend.server.serviceTimes = [:]
        scenario.plan.backend.server.refusalTime = nil
        return scenario
    }

    /// The mean time of a request and its response on the network, in nanoseconds.
    public var roundTripNanoseconds: Int64 {
        plan.backend.network.up.wholeMean + plan.backend.network.down.wholeMean
    }

    /// Smaller scenarios: one user less, one act less, one fault less, or constant latencies.
    public var simpler: [any RaceSubject] {
        var all: [RaceScenario] = []
        func add(_ cut: (inout SavedScenario) -> Void) {
            var scenario = self
            cut(&scenario.saved)
            all.append(scenario)
        }
        let users = Set(saved.acts.map { acts[$0].user }).sorted()
        for user in users where users.count > 1 {
            add { $0.acts.removeAll { acts[$0].user == user } }
        }
        for place in saved.acts.indices.reversed() {
            let leaving = [place] + (opening(of: place).map { [$0] } ?? [])
            // An act that opens a pair is only left out together with the one that closes it.
            guard closing(of: place) == nil, leaving.count < saved.acts.count else { continue }
            add { for place in leaving.sorted(by: >) { $0.acts.remove(at: place) } }
        }
        for place in saved.faults.indices.reversed() { add { $0.faults.remove(at: place) } }
        if !saved.equalLatencies { add { $0.equalLatencies = true } }
        return all
    }

    /// The index of the remaining act that the one at `place` closes: the same user's last suspend
    /// before a resume, or the log-out before a sign-in.
    private func opening(of place: Int) -> Int? {
        let act = acts[saved.acts[place]]
        return saved.acts[..<place].lastIndex {
            acts[$0].user == act.user && opens(acts[$0], act)
        }
    }

    /// True for two acts of which each is meaningless without the other.
    private func opens(_ first: ScenarioAct, _ second: ScenarioAct) -> Bool {
        switch (first.kind, second.kind) {
        case (.suspend, .resume): true
        case (.step, .signIn): leaves(by: first)
        default: false
        }
    }

    private func leaves(by act: ScenarioAct) -> Bool {
        let names = act.what.split(separator: ".", maxSplits: 1)
        return plan.populations.lazy.flatMap(\.app.journeys).contains { journey in
            journey.name == names.first ?? ""
                && journey.steps.contains { $0.name == names.last ?? "" && $0.leaves }
        }
    }

    /// The index of the remaining act that closes the one at `place`.
    private func closing(of place: Int) -> Int? {
        saved.acts.indices.first { opening(of: $0) == place }
    }

    /// The scenario cut as it was when it was saved.
    public func cut(to saved: SavedScenario) -> RaceScenario {
        var scenario = self
        scenario.saved.acts = saved.acts.filter(acts.indices.contains)
        scenario.saved.faults = saved.faults.filter(plan.backend.faults.indices.contains)
        scenario.saved.equalLatencies = saved.equalLatencies
        return scenario
    }
}

extension RaceScenario {
    /// The invariants to check, and which of them must be judged: those that the profile or the
    /// command line names, or else those for every client.
    ///
    /// Showing no refresh token twice is required only where the server takes each token once.
    public var questions: [RaceQuestion] {
        let isRotating = plan.backend.tokens.refresh.usesUp
        return invariants.map { invariant in
            let isStanding =
                RaceInvariant.standing.contains(invariant.id)
                && (isRotating || !invariant.needs.contains(.rotation))
            return RaceQuestion(invariant, isAskedFor: namesInvariants || isStanding)
        }
    }

    /// The differences between the schedules of a scenario.
    ///
    /// A hop to a free actor is a choice only where the app's clients run on a virtual system.
    public var variation: ScheduleVariation {
        var varied = [
            "the order of tasks", "of messages", "of timers",
            "of calls that wait for a busy actor",
        ]
        if drawsFaults, !plan.backend.faults.isEmpty { varied.append("which faults strike") }
        var fixed = ["the order in which acts begin"]
        if plan.populations.contains(where: \.app.usesSystem) {
            varied.append("hops to an actor that is free")
        } else {
            fixed.append("hops to an actor that is free")
        }
        return ScheduleVariation(
            varied: varied, fixed: fixed + ["preemption between two awaits"])
    }
}

extension Distribution {
    /// The mean in whole nanoseconds; a day where it is more or infinite.
    fileprivate var wholeMean: Int64 { Int64(min(mean, 86_400e9)) }
}

extension RaceEvent.ActResult {
    /// What a screen's outcome means to the promises: how the action went, as a value.
    init(_ outcome: StepOutcome) {
        self =
            switch outcome {
            case .rendered, .charged, .nothingToDo, .loggedOut: .fine
            case .stale: .stale
            case .duplicates: .repeated
            case .wrong: .wrong
            case .lost: .lost
            case .crashed: .crashed
            case .toast, .alert, .missing, .stuck, .chargedTwice: .failed
            }
    }
}
