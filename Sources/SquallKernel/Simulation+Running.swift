import CVirtualClock

/// The run loop.
extension Simulation {
    /// Lets everything happen that is due until `end`, in order, and moves the clock there.
    ///
    /// - Throws: `SimulationError.noProgress` when time stands still for too long, `.escaped` when
    ///   the simulation is strict and a job turned up outside it.
    /// - Precondition: it is not running already, on this thread or another.
    public func run(until end: Instant) throws -> Pause {
        precondition(!isRunning, "a simulation that is running cannot be run")
        isRunning = true
        strictness.begin()
        defer {
            isRunning = false
            strictness.end()
            state.pointee.identities.current = nil
        }
        return try inside {
            while true {
                try runReady()
                if state.pointee.isStopRequested {
                    state.pointee.isStopRequested = false
                    return .stopped
                }
                if let escape = strictness.escape(at: now) { throw escape }
                guard advance(upTo: end) else { return try pause(at: end) }
            }
        }
    }

    private func pause(at end: Instant) throws -> Pause {
        guard state.pointee.timers.count > 0 else {
            strictness.awaitForeignJobs()
            if let escape = strictness.escape(at: now) { throw escape }
            return .quiescent
        }
        move(to: max(now, end))
        return .reachedEnd
    }

    private func runReady() throws {
        while state.pointee.ready.count > 0, !state.pointee.isStopRequested {
            var left = state.pointee.ready.count
            if let ran = state.pointee.stillness.round(of: left, limit: itemsPerInstantMax) {
                throw SimulationError.noProgress(at: now, ran: ran)
            }
            while left > 0, state.pointee.ready.count > 0, !state.pointee.isStopRequested {
                left &-= 1
                execute(isFirstInFirstOut ? state.pointee.ready.removeFirst() : choose())
                state.pointee.itemsRun &+= 1
                if state.pointee.itemsRun & Simulation.checkpointMask == 0 { checkpoint?() }
            }
        }
    }

    private func choose() -> ReadyItem {
        let count = state.pointee.ready.count
        identifyReady()
        guard count > 1 else { return take(at: 0) }
        let ready = state.pointee.identities.ready
        let choice = policy.choose(among: ready)
        precondition(ready.indices.contains(choice), "the policy chose \(choice) of \(count)")
        if recordsChoices { state.pointee.choices.append(UInt16(clamping: choice)) }
        return take(at: choice)
    }

    private func take(at position: Int) -> ReadyItem {
        state.pointee.identities.run(at: position)
        return state.pointee.ready.remove(at: position)
    }

    /// Works out who has become ready since the last choice.
    private func identifyReady() {
        for position in state.pointee.identities.ready.count..<state.pointee.ready.count {
            state.pointee.identities.append(state.pointee.ready[position])
        }
    }

    @inline(__always)
    private func execute(_ item: ReadyItem) {
        switch item.kind {
        case ReadyItem.defaultJob: WorldExecutors.runDefault(item.payload)
        case ReadyItem.mainJob: runMain(item)
        default: state.pointee.handlers[Int(item.kind - ReadyItem.firstHandler)](item.payload)
        }
    }

    private func advance(upTo end: Instant) -> Bool {
        let limit = UInt64(end.nanoseconds)
        guard let next = state.pointee.drainNextInstant(upTo: limit) else { return false }
        move(to: Instant(nanoseconds: Int64(next)))
        return true
    }

    private func move(to instant: Instant) {
        if instant > now { state.pointee.stillness = Stillness() }
        state.pointee.now = instant
        squall_set_virtual_clock(instant.nanosecondsSince1970)
    }

    /// Runs code on this thread as part of the simulation, and leaves as it came.
    func inside<Value>(_ body: () throws -> Value) rethrows -> Value {
        let (outer, outerClock) = (squall_current_simulation(), squall_virtual_clock())
        let outerRandomness = squall_current_randomness()
        squall_set_current_simulation(Unmanaged.passUnretained(self).toOpaque())
        squall_set_virtual_clock(now.nanosecondsSince1970)
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
        if !isFirstInFirstOut { state.pointee.identities.noteSleep(in: sleeper) }
    }

    /// Called by the executors: a job became ready.
    func enqueue(_ job: UInt64, kind: UInt32) {
        if !isFirstInFirstOut { state.pointee.identities.note(job) }
        state.pointee.ready.append(ReadyItem(payload: job, kind: kind))
    }

    /// Called by the executors: a job is to become ready after a while.
    func enqueue(_ job: UInt64, kind: UInt32, afterNanoseconds delay: Int64) {
        if !isFirstInFirstOut { state.pointee.identities.note(job) }
        let (sum, overflow) = now.nanoseconds.addingReportingOverflow(delay)
        let item = ReadyItem(payload: job, kind: kind)
        _ = state.pointee.timers.insert(item, at: UInt64(overflow ? .max : sum))
    }
}
