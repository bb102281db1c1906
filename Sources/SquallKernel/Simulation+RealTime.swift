import CVirtualClock

/// What a driver of real time asks of a simulation.
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
