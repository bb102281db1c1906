public import SquallBackend
import SquallKernel
import SquallReport
import SquallServices

/// A profile's run: builds the world, lets its time pass, and reports the results.
///
/// **Start here** to read this module: `World/` makes a world of a profile, `Load/` drives the
/// users, `Measurement/` listens, and this folder turns the measurements into a result.
///
/// ```swift
/// var run = LoadRun(profile: profile, named: "quick")
/// let result = try run.run { _ in .continue }
/// ```
public struct LoadRun {
    private let profile: Profile
    /// The expectations that this run cannot judge.
    private let notJudged: [String]
    private let name: String
    private let options: Options

    /// Options beside the profile; none of them changes a result.
    public struct Options {
        /// The command that repeats the run, as results quote it.
        var replayCommand: String
        /// True to end the run with an error when Swift jobs run outside the world; false where
        /// other code in the process uses Swift Concurrency.
        public var isStrict = false
        /// Gets every semantic event as a line, for finding the first difference of two runs.
        public var journal: ((String) -> Void)?
        /// Gets every reply of the server, as its log shows it.
        public var serverLog: ((ServerRecord) -> Void)?
        /// The users for whom every step and exchange is recorded; none when nil.
        var trace: TraceSelection?
        /// True to end the run when a threshold cannot be met any more; it is then partial.
        ///
        /// Searches set it: they only ask on which side of the limit a load is.
        public var stopsWhenLost = false
        /// The connection to a real server that responds in real time; `nil` for a simulated one.
        public var driver: (any LoadDriver)?
        /// Asked repeatedly while the world is built; once it returns true, the rest is not made.
        public var isStopped: @Sendable () -> Bool = { false }

        /// The options of a run that tells its users how to repeat it.
        public init(replayCommand: String, trace: TraceSelection? = nil) {
            self.replayCommand = replayCommand
            self.trace = trace
        }
    }

    /// A run of a profile under the name that results show.
    public init(profile: Profile, named name: String, options: Options) {
        self.profile = options.driver == nil ? profile : profile.driven
        notJudged = options.driver == nil ? [] : profile.unobservable
        self.name = name
        self.options = options
    }

    /// Lets the profile's time pass, then lets running steps end, and sums up.
    ///
    /// A profile with a warm-up that a rule finds is run twice.
    ///
    /// - Parameter progress: is told after every few thousand events how far the run is, and
    ///   decides whether it goes on; a stopped run is summed up as it is and marked partial.
    /// - Returns: the results; if time stood still, those until then.
    /// - Throws: when the toolchain does not keep Swift Concurrency inside the world, when code
    ///   escapes from a strict world, or when backend or measurement lost count; `StopRequested`
    ///   when it was stopped before its world was built.
    public func run(progress: (RunProgress) -> RunControl) throws -> RunResult {
        try ExecutorSelfTest.run()
        TrapReport.describe(
            "profile \(name), seed \(profile.seed)", replayCommand: options.replayCommand)
        guard profile.warmUp == .mser5 else {
            return try measure(profile, warmUp: nil, progress)
        }
        let pilot = try settled(progress)
        var profile = profile
        profile.warmUp = .first(nanoseconds: pilot?.end ?? 0)
        return try measure(profile, warmUp: SelfCheck(mser5: pilot), progress)
    }

    /// The moment at which everything that the profile measures has settled; `nil` when the pilot
    /// was stopped.
    private func settled(_ progress: (RunProgress) -> RunControl) throws -> WarmUpEnds? {
        var pilot = profile
        pilot.warmUp = .none
        pilot.expectations = []
        let world = try world(of: WorldPlan(pilot))
        defer { world.tearDown() }
        var loop = RunLoop(pilot, in: world)
        guard try loop.pass(progress) == .whole else { return nil }
        return WarmUpEnds(
            of: world.recorder.timeline.whole, world.recorder.latencies.log,
            measuredFrom: 0, until: pilot.durationNanoseconds, thresholds: profile.thresholds)
    }

    private func measure(
        _ profile: Profile, warmUp: SelfCheck?, _ progress: (RunProgress) -> RunControl
    ) throws -> RunResult {
        var run = try measured(profile, warmUp: warmUp, progress)
        // The world is gone.
        run.result.output.judge(isPartial: run.isPartial, with: run.leftBehind?.findings ?? [])
        return run.result
    }

    private func measured(
        _ profile: Profile, warmUp: SelfCheck?, _ progress: (RunProgress) -> RunControl
    ) throws -> (result: RunResult, isPartial: Bool, leftBehind: LeftBehind?) {
        var plan = WorldPlan(profile)
        plan.trace = options.trace
        let world = try world(of: plan)
        world.simulation.journal = options.journal
        world.recorder.serverLog = options.serverLog
        defer { world.tearDown() }
        var loop = RunLoop(profile, in: world)
        loop.stopsWhenLost = options.stopsWhenLost
        loop.driver = options.driver
        options.driver?.begin(world.simulation, world.backend)
        defer { options.driver?.end() }
        let ending = try loop.pass(progress)
        world.tellUnended()
        try world.backend.checkConservation()
        try world.checkMeasurement()
        var generator = options.driver?.generator
        generator?.notJudged = notJudged
        let builder = SummaryBuilder(
            loop: loop, name: name, replayCommand: options.replayCommand, warmUp: warmUp,
            generator: generator)
        let result = RunResult(
            output: builder.output, requests: world.attemptsSent,
            connectionWaitShare: world.recorder.wire.waitedShare, standstill: loop.standstill)
        // A stopped run does not wait until everything has ended.
        return (
            result, ending == .stopped || ending == .lost,
            ending == .stopped ? nil : LeftBehind(of: world)
        )
    }

    private func world(of plan: WorldPlan) throws -> World {
        var plan = plan
        plan.services.isStopped = options.isStopped
        if let epoch = options.driver?.epoch { plan.services.epoch = epoch }
        let world = World(
            plan, strictness: options.isStrict ? .strict : .tolerant, driver: options.driver)
        guard !options.isStopped() else { throw StopRequested() }
        return world
    }
}

extension SelfCheck {
    /// The result of MSER-5 for a pilot run.
    fileprivate init(mser5 settled: WarmUpEnds?) {
        self.init(
            name: "MSER-5 found where the warm-up ends", ok: settled?.end != nil,
            detail: settled?.detail ?? "the pilot run was stopped")
    }
}
