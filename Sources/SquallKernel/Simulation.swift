import CVirtualClock

/// One thread's virtual world: its clock, what will happen, and what can run now.
///
/// **Start here** to read this module. While `run(until:)` works, Swift tasks, actors, sleeps and
/// clocks used on that thread live in virtual time. Everything happens on that one thread, so
/// nothing here is locked.
///
/// ```swift
/// let simulation = Simulation()
/// simulation.spawn { try? await Task.sleep(for: .seconds(3600)) }
/// try simulation.run(until: Instant(nanoseconds: 7_200_000_000_000))  // takes microseconds
/// ```
public final class Simulation: @unchecked Sendable {
    // Safe because it is used by one thread at a time: the one that built it or, while it runs, the
    // one that runs it; enqueueing from any other thread is routed away before it gets here.

    /// Why a call of `run(until:)` came back.
    public enum Pause: Hashable, Sendable {
        /// Virtual time has reached the end that was asked for.
        case reachedEnd
        /// Nothing more can happen unless code outside the simulation causes it.
        case quiescent
        /// `stop()` was called.
        case stopped
    }

    /// Gets one line, without a line break, for every recorded event; for finding differences.
    @exclusivity(unchecked) public var journal: ((String) -> Void)?

    /// Is called about every 4,096 jobs and events, or every 256 where a policy decides, so that
    /// the caller can look in and call `stop()`; it must change nothing in the world.
    @exclusivity(unchecked) public var checkpoint: (() -> Void)?

    /// Asked while the world is built: once it returns true, the rest need not be made.
    public var isStopped: () -> Bool = { false }

    /// Is called after each job and event while a policy decides; it must change nothing in the
    /// world.
    @exclusivity(unchecked) public var turnEnded: (() -> Void)?

    /// Stands in for the system while the simulation runs; its creator keeps it alive.
    public weak var system: (any VirtualSystem)?

    /// Everything that changes while a simulation runs, behind a pointer.
    ///
    /// The run loop reads and writes it several times per job. As properties of a class each of
    /// these would be checked for overlapping access at run time, which took a sixth of the loop.
    /// No access here lasts while code from outside runs.
    let state = UnsafeMutablePointer<SimulationState>.allocate(capacity: 1)
    /// The present moment, which other modules read without a call.
    @usableFromInline let present = UnsafeMutablePointer<Instant>.allocate(capacity: 1)
    /// False where a policy decides what happens when.
    public let isFirstInFirstOut: Bool
    let recordsChoices: Bool
    /// How much later than due something may happen while a policy decides, in nanoseconds.
    let windowNanoseconds: Int64
    let itemsPerInstantMax: Int
    /// Where it begins in the calendar.
    public let epoch: Epoch
    let strictness: Strictness
    /// Supplies the random numbers that code asks the system for.
    let systemRandomness = UnsafeMutablePointer<squall_randomness>.allocate(capacity: 1)
    /// Decides among items that can run at the same instant; what it has learnt can be read when
    /// the run is over.
    @exclusivity(unchecked) public var policy: any SchedulingPolicy
    /// Running code, or code of another stack, is inside ``run(until:)``: a second call would run
    /// events twice.
    var isRunning: Bool { runsUnderWay > 0 }
    /// The thread that lets it follow real time, the only one that may use it; `nil` elsewhere.
    ///
    /// Such a simulation rests most of the time, and a callback would not be noticed then.
    @exclusivity(unchecked) var owner: UnsafeRawPointer?
    /// One, or more where code is blocked on stacks of its own.
    var runsUnderWay = 0
    static let checkpointMask = 4_095
    /// A smaller one where a policy chooses, because each job then takes longer.
    static let checkpointMaskChoosing = 255
    /// The handler that wakes sleepers; always the first one.
    let sleeperHandler = EventHandler(number: 0)

    /// A simulation at the beginning of its time.
    ///
    /// - Parameters:
    ///   - policy: decides among things that can run at the same instant.
    ///   - windowNanoseconds: how much later than it is due something may happen, so that the
    ///     policy may let others overtake it; nothing is ever early. 0 for not at all, the largest
    ///     number for any order of messages and timers.
    ///   - recordsChoices: true to keep the policy's choices for a replay.
    ///   - itemsPerInstantMax: how many items one may cause to run before virtual time must move;
    ///     more for a crowd.
    ///   - strictness: what to make of Swift jobs on threads that run no simulation.
    ///   - epoch: where it begins in the calendar, as clocks and dates show it.
    ///   - systemRandomness: what `SystemRandomNumberGenerator`, `UUID()` and all other callers of
    ///     the system's random numbers get in this simulation, word by word.
    public init(
        policy: any SchedulingPolicy = FirstInFirstOut(), windowNanoseconds: Int64 = 0,
        recordsChoices: Bool = false, itemsPerInstantMax: Int = 200_000,
        strictness: Strictness = .tolerant, epoch: Epoch = .standard,
        systemRandomness: RandomStream = RandomStream(seed: 0)
    ) {
        self.policy = policy
        isFirstInFirstOut = policy is FirstInFirstOut && !recordsChoices
        self.recordsChoices = recordsChoices
        precondition(windowNanoseconds >= 0, "a window cannot be \(windowNanoseconds) ns")
        self.windowNanoseconds = windowNanoseconds
        self.itemsPerInstantMax = itemsPerInstantMax
        self.epoch = epoch
        self.strictness = strictness
        self.systemRandomness.initialize(
            to: squall_randomness(key: systemRandomness.key, ordinal: 0))
        state.initialize(to: SimulationState(isFirstInFirstOut: isFirstInFirstOut))
        present.initialize(to: .start)
        _ = register(.timer(.sleep, onDevice: true), Sleeper.wake)
        WorldExecutors.install()
    }

    deinit {
        state.deinitialize(count: 1)
        state.deallocate()
        present.deallocate()
        systemRandomness.deallocate()
    }

    /// The present moment.
    ///
    /// Inlined, as a call takes longer and each request asks two dozen times.
    @inlinable public var now: Instant {
        @inline(__always) get { present.pointee }
    }

    /// The present moment in nanoseconds since 1970, as the virtual clocks show it.
    public var nanosecondsSince1970: Int64 { epoch.nanosecondsSince1970(at: now) }

    /// The hash of everything recorded so far.
    public var digest: EventDigest { state.pointee.digest }

    /// How many jobs and events have run.
    public var itemsRun: Int { state.pointee.itemsRun }

    /// The choices of the schedule so far, if they were to be recorded.
    public var choices: [UInt16] { state.pointee.choices }

    /// Adds a handler of events; its number is what events are scheduled for.
    ///
    /// What they mean is asked only when a scheduling policy looks. `prefetch` gets the arguments
    /// of events that are due soon, to load what the handler will touch; it must change nothing.
    public func register(
        _ meaning: EventMeaning = .timer("event"), prefetch: ((UInt64) -> Void)? = nil,
        _ handle: @escaping (UInt64) -> Void
    ) -> EventHandler {
        state.pointee.add(Handler(handle: handle, prefetch: prefetch))
        state.pointee.agenda.identities.meanings.append(meaning)
        return EventHandler(number: UInt32(state.pointee.handlers.count - 1))
    }

    /// Calls a handler with an argument at an instant, now at the earliest; no allocation.
    @discardableResult
    public func schedule(_ handler: EventHandler, argument: UInt64, at instant: Instant) -> Timer {
        checkThread()
        let item = ReadyItem(payload: argument, kind: handler.number + ReadyItem.firstHandler)
        let time = UInt64(max(instant, now).nanoseconds)
        // Neither wheel nor ring, here and below, calls a function that is replaced.
        if isFirstInFirstOut { return state.pointee.timers.insert(item, at: time) }
        let wasDeaf = squall_set_deaf(1)
        defer { squall_set_deaf(wasDeaf) }
        return state.pointee.agenda.insert(item, at: time)
    }

    /// Calls a handler with an argument at this instant, behind everything that can run now.
    public func makeReady(_ handler: EventHandler, argument: UInt64) {
        let item = ReadyItem(payload: argument, kind: handler.number + ReadyItem.firstHandler)
        if isFirstInFirstOut { return state.pointee.ready.append(item) }
        let wasDeaf = squall_set_deaf(1)
        defer { squall_set_deaf(wasDeaf) }
        state.pointee.agenda.append(item, at: UInt64(now.nanoseconds))
    }

    /// Cancels a scheduled event; `false` when its instant has already come.
    ///
    /// An event of this very instant may already be among the items about to run: it then still
    /// runs, unless a policy decides what runs.
    @discardableResult
    public func cancel(_ timer: Timer) -> Bool {
        checkThread()
        if isFirstInFirstOut { return state.pointee.timers.cancel(timer) }
        let wasDeaf = squall_set_deaf(1)
        defer { squall_set_deaf(wasDeaf) }
        return state.pointee.agenda.cancel(timer)
    }

    /// Stops the program when a thread, queue or callback of the system uses a running simulation,
    /// or one that follows real time on another thread: it would be torn out of its time.
    @inline(__always)
    public func checkThread() {
        guard squall_current_simulation() != Unmanaged.passUnretained(self).toOpaque() else {
            return
        }
        precondition(
            !isRunning,
            "a running simulation was used from another thread than its own, as by an object that"
                + " worlds share; with threads: 1 they are played one after the other")
        precondition(
            owner == nil || owner == squall_this_thread(),
            "a simulation that follows real time was used from another thread than its own")
    }

    /// Starts a task inside the simulation, by default for the caller's user.
    public func spawn(
        of user: UInt64? = nil, _ operation: @escaping @Sendable () async -> Void
    ) {
        checkThread()
        guard let user, !isFirstInFirstOut else {
            return inside { _ = Task.detached(operation: operation) }
        }
        let starter = state.pointee.agenda.identities.current
        state.pointee.agenda.identities.current = ReadyEvent.Subject(user: user)
        inside { _ = Task.detached(operation: operation) }
        state.pointee.agenda.identities.current = starter
    }

    /// Starts a task inside the simulation that has the task-local values of its caller.
    public func spawnInheriting(_ operation: @escaping @Sendable () async -> Void) {
        inside { _ = Task(operation: operation) }
    }

    /// Takes an event into the digest, and into the journal if there is one.
    public func record(_ kind: EventKind, user: UInt64, request: UInt64, outcome: UInt64) {
        state.pointee.digest.record(
            kind, at: now, user: user, request: request, outcome: outcome)
        journal?(
            "\(now.nanoseconds) \(kind.name) user=\(user) request=\(request) outcome=\(outcome)")
    }

    /// Makes `run(until:)` come back before the next job or event.
    public func stop() { state.pointee.isStopRequested = true }
}

/// Names a registered handler of events.
public struct EventHandler: Hashable, Sendable {
    let number: UInt32
}
