import SquallKernel

/// Lets a world's time pass to the end of its profile, or until the run is stopped.
struct RunLoop {
    let profile: Profile
    let world: World
    private(set) var watch: ThresholdWatch
    /// True to end time when a threshold cannot be met any more.
    var stopsWhenLost = false
    /// The driver of time and responses for a real server; `nil` where time passes as fast as it
    /// can.
    var driver: (any LoadDriver)?
    /// The end of the load, and of the time for rates; `nil` while it lasts.
    private(set) var loadEnd: Int64?
    /// True if time was stopped in the middle of an instant, which then did not end.
    private(set) var isCutShort = false
    /// The reason for which time did not go on; `nil` in nearly every run.
    private(set) var standstill: StandstillError?
    /// The number of times that a stopped instant is checked before it is given up: after a quarter
    /// of a million events, which take a few seconds.
    private static let instantLooksMax = 64

    /// How the run ended.
    enum Ending {
        /// The profile's time passed, and running steps had their time to end.
        case whole
        /// The caller stopped it when told of the progress.
        case stopped
        /// A threshold that ends the run was crossed.
        case aborted
        /// A threshold cannot be met any more, and the caller asked for nothing else.
        case lost
        /// Time stood still, and would have done so for ever.
        case stoodStill
    }

    init(_ profile: Profile, in world: World) {
        self.profile = profile
        self.world = world
        watch = ThresholdWatch(profile.thresholds)
    }

    /// Lets time pass; `progress` is asked after every few thousand events, and can stop the run.
    mutating func pass(_ progress: (RunProgress) -> RunControl) throws -> Ending {
        do { return try world.naming { try passing(progress) } } catch let error as StandstillError
        {
            (standstill, isCutShort) = (error, true)
            return .stoodStill
        }
    }

    private mutating func passing(_ progress: (RunProgress) -> RunControl) throws -> Ending {
        // However it ends, visits that were offered and have not begun are reported.
        defer { endLoad() }
        for end in moments {
            guard try run(until: end, progress) else { return stopped() }
            if end == profile.warmUpNanoseconds {
                world.startMeasuring()
                watch.restart(at: end)
            }
            watch.reach(end, world.recorder.metrics)
            if watch.isCrossed(at: end, world.recorder.metrics) { return .aborted }
            if stopsWhenLost, isLost(at: end) { return .lost }
        }
        endLoad()
        var end = profile.durationNanoseconds
        let limit = end + profile.drainNanoseconds
        while world.fleet.runningSteps > 0, end < limit {
            end = min(limit, end + slice)
            guard try run(until: end, progress) else { return stopped() }
        }
        world.fleet.tellRunning()
        return .whole
    }

    /// Lets the instant at which time was stopped end, so that everything begun in it can be
    /// counted; gives up if it does not end.
    private mutating func stopped() -> Ending {
        let pause = world.endInstant(looksMax: RunLoop.instantLooksMax)
        isCutShort = pause == nil || pause == .stopped
        return .stopped
    }

    private mutating func endLoad() {
        guard loadEnd == nil else { return }
        let now = world.simulation.now.nanoseconds
        loadEnd = now
        watch.endLoad(at: now)
        world.endLoad()
    }

    private func isLost(at moment: Int64) -> Bool {
        moment > profile.warmUpNanoseconds
            && watch.isLost(at: moment, of: profile.durationNanoseconds, world.recorder.metrics)
    }

    private var slice: Int64 { max(1, profile.durationNanoseconds / 200) }

    /// The moments at which the run pauses: evenly, and where something begins or ends to count.
    private var moments: [Int64] {
        let end = profile.durationNanoseconds
        let even = stride(from: slice, to: end, by: Int64.Stride(slice))
        let edges = watch.edges + [profile.warmUpNanoseconds, end]
        return Set(even + edges.filter { (1...end).contains($0) }).sorted()
    }

    /// Lets time pass to a moment; returns false when it was stopped on the way.
    private func run(
        until end: Int64, _ progress: (RunProgress) -> RunControl
    ) throws -> Bool {
        let simulation = world.simulation
        return try withoutActuallyEscaping(progress) { progress in
            simulation.checkpoint = {
                if progress(report(at: simulation.now.nanoseconds)) == .stop { simulation.stop() }
            }
            defer { simulation.checkpoint = nil }
            let pause =
                try driver?.pass(until: Instant(nanoseconds: end)) {
                    progress(report(at: simulation.now.nanoseconds)) == .stop
                } ?? simulation.run(until: Instant(nanoseconds: end))
            // The measured time lasts as long as the load, even when nothing happens in it.
            if pause == .quiescent, loadEnd == nil {
                simulation.rest(until: Instant(nanoseconds: end))
            }
            return pause != .stopped && progress(report(at: end)) == .continue
        }
    }

    private func report(at nanoseconds: Int64) -> RunProgress {
        RunProgress(
            virtualNanoseconds: min(nanoseconds, profile.durationNanoseconds),
            totalNanoseconds: profile.durationNanoseconds,
            usersActive: world.recorder.found(by: VisitMetrics.self),
            requests: world.attemptsSent, refreshedTwice: world.recorder.refreshedTwice,
            events: world.simulation.itemsRun)
    }
}

extension Profile {
    /// The moment at which measuring begins; 0 when everything is measured or a rule has yet to
    /// decide.
    var warmUpNanoseconds: Int64 {
        if case .first(let nanoseconds) = warmUp { nanoseconds } else { 0 }
    }
}
