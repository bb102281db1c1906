import CVirtualClock

extension Simulation {
    /// Runs everything that is due until `end`, in order, and moves the clock there.
    ///
    /// - Throws: `SimulationError.noProgress` when time stands still for too long, `.escaped` when
    ///   the simulation is strict and a job turned up outside it.
    /// - Precondition: it is not running already, on this thread or another.
    public func run(until end: Instant) throws -> Pause {
        precondition(!isRunning, "a simulation that is running cannot be run")
        guard let system else { return try goOn(until: end) }
        return try system.run(until: end)
    }

    /// Runs what is due on another stack of this thread, while code that the simulation runs is
    /// blocked on one.
    ///
    /// - Throws: as ``run(until:)`` does.
    public func goOn(until end: Instant) throws -> Pause {
        runsUnderWay += 1
        strictness.begin()
        let wasDeaf = squall_set_deaf(1)
        defer {
            squall_set_deaf(wasDeaf)
            runsUnderWay -= 1
            strictness.end()
            state.pointee.agenda.identities.current = nil
        }
        return try inside {
            guard isFirstInFirstOut else { return try runChosen(until: end) }
            while true {
                try runReady()
                if state.pointee.isStopRequested {
                    state.pointee.isStopRequested = false
                    return .stopped
                }
                if let escape = strictness.escape(at: now) { throw escape }
                guard advance(upTo: end) else {
                    return try pause(at: end, hasMore: state.pointee.timers.count > 0)
                }
            }
        }
    }

    /// Moves time to an instant until which nothing happens, after a pause that was quiescent.
    ///
    /// - Precondition: it is not running, and nothing waits for its turn.
    public func rest(until end: Instant) {
        precondition(
            !isRunning && state.pointee.timers.count == 0, "something is due before \(end)")
        inside { move(to: max(now, end)) }
    }

    func pause(at end: Instant, hasMore: Bool) throws -> Pause {
        guard hasMore else {
            strictness.awaitForeignJobs()
            if let escape = strictness.escape(at: now) { throw escape }
            return .quiescent
        }
        move(to: max(now, end))
        return .reachedEnd
    }

    @inline(__always)
    private func runReady() throws {
        while state.pointee.ready.count > 0, !state.pointee.isStopRequested {
            var left = state.pointee.ready.count
            if let ran = state.pointee.stillness.round(of: left, limit: itemsPerInstantMax) {
                throw SimulationError.noProgress(at: now, ran: ran)
            }
            while left > 0, state.pointee.ready.count > 0, !state.pointee.isStopRequested {
                left &-= 1
                execute(state.pointee.ready.removeFirst())
                state.pointee.itemsRun &+= 1
                if state.pointee.itemsRun & Simulation.checkpointMask == 0 { checkpoint?() }
            }
        }
    }

    @inline(__always)
    func execute(_ item: ReadyItem) {
        squall_set_deaf(0)
        defer { squall_set_deaf(1) }
        switch item.kind {
        case ReadyItem.defaultJob: WorldExecutors.runDefault(item.payload)
        case ReadyItem.mainJob: runMain(item)
        default:
            state.pointee.handlers[Int(item.kind - ReadyItem.firstHandler)]
                ._withUnsafeGuaranteedRef { $0.call(item.payload) }
        }
    }

    @inline(__always)
    private func advance(upTo end: Instant) -> Bool {
        let limit = UInt64(end.nanoseconds)
        guard let next = state.pointee.drainNextInstant(upTo: limit) else { return false }
        move(to: Instant(nanoseconds: Int64(next)))
        return true
    }

    func move(to instant: Instant) {
        if instant > now { state.pointee.stillness = Stillness() }
        present.pointee = instant
        squall_set_virtual_clock(epoch.nanosecondsSince1970(at: instant))
    }

    /// Runs code on this thread as part of the simulation, then restores the thread's state.
    func inside<Value>(_ body: () throws -> Value) rethrows -> Value {
        let (outer, outerClock) = (squall_current_simulation(), squall_virtual_clock())
        let outerRandomness = squall_current_randomness()
        squall_set_current_simulation(Unmanaged.passUnretained(self).toOpaque())
        squall_set_virtual_clock(nanosecondsSince1970)
        squall_set_current_randomness(systemRandomness)
        defer {
            squall_set_current_simulation(outer)
            squall_set_virtual_clock(outerClock)
            squall_set_current_randomness(outerRandomness)
        }
        return try body()
    }

    /// Called by a task that is about to sleep, with the argument of the event that will wake it.
    func fallsAsleep(in sleeper: UInt64) {
        if !isFirstInFirstOut { state.pointee.agenda.identities.noteSleep(in: sleeper) }
    }

    /// Called by the executors: a job became ready.
    func enqueue(_ job: UInt64, kind: UInt32) {
        let item = ReadyItem(payload: job, kind: kind)
        if isFirstInFirstOut { return state.pointee.ready.append(item) }
        let wasDeaf = squall_set_deaf(1)
        defer { squall_set_deaf(wasDeaf) }
        state.pointee.agenda.identities.note(job)
        state.pointee.agenda.append(item, at: UInt64(now.nanoseconds))
    }

    /// Called by the executors: a job is to become ready after a while.
    func enqueue(_ job: UInt64, kind: UInt32, afterNanoseconds delay: Int64) {
        let wasDeaf = squall_set_deaf(1)
        defer { squall_set_deaf(wasDeaf) }
        let (sum, overflow) = now.nanoseconds.addingReportingOverflow(delay)
        let item = ReadyItem(payload: job, kind: kind)
        let time = UInt64(overflow ? .max : sum)
        guard isFirstInFirstOut else {
            state.pointee.agenda.identities.note(job)
            _ = state.pointee.agenda.insert(item, at: time)
            return
        }
        _ = state.pointee.timers.insert(item, at: time)
    }
}

/// The end of a world.
extension Simulation {
    /// How long everything that still runs may take to end, unless something is open.
    private static let endingNanoseconds: Int64 = 600_000_000_000
    /// How many jobs and events it may run at least.
    private static let endingItems = 65_536

    /// Lets everything that still waits or runs end when the world is over.
    ///
    /// A task that stayed behind would keep the whole world. Each wait that began asks its app once
    /// more, so there may be twice as many jobs and events as there were; a world that was given up
    /// has a fraction of a second for them.
    ///
    /// - Parameters:
    ///   - isStopped: true for a world that was stopped while it was built or ran.
    ///   - isOpen: true while something has begun that has an end, however late: a response that
    ///     takes hours, a pause of days.
    public func comeToEnd(isStopped: Bool = false, isOpen: () -> Bool) {
        let itemsMax = Self.endingItems + (isStopped ? itemsRun : 3 * itemsRun)
        checkpoint = { [unowned self] in
            if itemsRun > itemsMax { stop() }
        }
        defer { checkpoint = nil }
        _ = try? run(until: now.advanced(byNanoseconds: Self.endingNanoseconds))
        let latest = Instant(nanoseconds: .max / 2)
        if now < latest, isOpen() { _ = try? run(until: latest) }
    }
}

extension Simulation {
    /// When the next event is due: now where something waits for its turn, `nil` where nothing is
    /// pending.
    ///
    /// - Precondition: it is not running.
    public var nextDue: Instant? {
        precondition(!isRunning, "a simulation that is running cannot be asked what comes next")
        let due: UInt64?
        if isFirstInFirstOut {
            if state.pointee.ready.count > 0 { return now }
            due = state.pointee.timers.nextDue
        } else {
            if state.pointee.agenda.readyCount > 0 { return now }
            due = state.pointee.agenda.nextDue
        }
        return due.map { Instant(nanoseconds: Int64($0)) }
    }

    /// Runs everything that is due until `end` and moves time there, also where nothing is pending.
    ///
    /// From then on only the calling thread may use the simulation, whether it runs or rests.
    ///
    /// - Throws: as ``run(until:)`` does.
    @discardableResult
    public func follow(until end: Instant) throws -> Pause {
        if owner == nil { owner = UnsafeRawPointer(squall_this_thread()) }
        checkThread()
        let pause = try run(until: end)
        if pause == .quiescent { rest(until: end) }
        return pause
    }
}
