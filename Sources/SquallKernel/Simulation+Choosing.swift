import CVirtualClock

/// The run loop where a policy decides.
extension Simulation {
    /// Runs what the policy chooses, one item after another, up to an end.
    ///
    /// It can choose all that is ready, and all that is due within the window after the oldest due
    /// item. Choosing an item from the window moves time there: items that were due before are then
    /// late, but no item is ever early.
    func runChosen(until end: Instant) throws -> Pause {
        let limit = UInt64(max(end, now).nanoseconds)
        var left = 0
        while !state.pointee.isStopRequested {
            if state.pointee.agenda.readyCount == 0 {
                guard let due = state.pointee.agenda.nextDue, due <= limit else {
                    let hasMore = state.pointee.agenda.nextDue != nil
                    return try pause(at: end, hasMore: hasMore)
                }
                go(to: due)
                if state.pointee.agenda.readyCount == 0 { continue }
                left = 0
            }
            if left <= 0 { left = try beginRound() }
            left -= 1
            state.pointee.agenda.open(window: UInt64(windowNanoseconds), end: limit)
            execute(chosen())
            turnEnded?()
            state.pointee.agenda.identities.current = nil
            state.pointee.itemsRun &+= 1
            if state.pointee.itemsRun & Simulation.checkpointMaskChoosing == 0 { checkpoint?() }
            if let escape = strictness.escape(at: now) { throw escape }
        }
        state.pointee.isStopRequested = false
        return .stopped
    }

    private func beginRound() throws -> Int {
        let width = state.pointee.agenda.readyCount
        if let ran = state.pointee.stillness.round(of: width, limit: itemsPerInstantMax) {
            throw SimulationError.noProgress(at: now, ran: ran)
        }
        return width
    }

    private func go(to due: UInt64) {
        move(to: Instant(nanoseconds: Int64(due)))
        state.pointee.agenda.advance(to: due)
    }

    private func chosen() -> ReadyItem {
        let choice = choice()
        let event = state.pointee.agenda.events[choice]
        state.pointee.agenda.identities.current = event.subject
        state.pointee.agenda.running = event
        let (item, due) = state.pointee.agenda.take(at: choice)
        if due > UInt64(now.nanoseconds) { go(to: due) }
        return item
    }

    /// A function of its own, so that the list of events is not held, and copied, beyond it.
    @inline(never)
    private func choice() -> Int {
        let events = state.pointee.agenda.events
        guard events.count > 1 else { return 0 }
        let choice = policy.choose(among: events)
        precondition(
            events.indices.contains(choice), "the policy chose \(choice) of \(events.count)")
        if recordsChoices { state.pointee.choices.append(UInt16(clamping: choice)) }
        return choice
    }

    /// What runs now, or ran last, where a policy decides; `nil` elsewhere.
    public var running: ReadyEvent? { state.pointee.agenda.running }

    /// The subject that runs now; for code that blocks one and goes on with another.
    public var subject: ReadyEvent.Subject? {
        get { state.pointee.agenda.identities.current }
        set { state.pointee.agenda.identities.current = newValue }
    }

    /// True if a policy decides and there is something that it could choose now.
    public var hasChoice: Bool {
        guard !isFirstInFirstOut else { return false }
        let (limit, _) = UInt64(now.nanoseconds).addingReportingOverflow(UInt64(windowNanoseconds))
        return state.pointee.agenda.hasAny(upTo: limit)
    }

    /// Calls a handler before everything else that can run now, unless the policy decides
    /// otherwise; does so only where a policy decides.
    public func makeNext(_ handler: EventHandler, argument: UInt64) {
        let wasDeaf = squall_set_deaf(1)
        defer { squall_set_deaf(wasDeaf) }
        let item = ReadyItem(payload: argument, kind: handler.number + ReadyItem.firstHandler)
        state.pointee.agenda.append(item, at: UInt64(now.nanoseconds), isFirst: true)
    }
}

extension Simulation {
    /// Runs code from outside as a user: tasks that it starts belong to that user.
    public func asUser<Value>(_ user: UInt64, _ body: () throws -> Value) rethrows -> Value {
        let outer = state.pointee.agenda.identities.current
        state.pointee.agenda.identities.current = ReadyEvent.Subject(user: user)
        defer { state.pointee.agenda.identities.current = outer }
        return try inside(body)
    }
}

/// Devices that do nothing for a while; for worlds in which a policy decides.
extension Simulation {
    /// Holds everything on a user's device, as while its app is in the background: no task goes on,
    /// no response arrives, no time-out fires.
    public func suspendDevice(of user: UInt64) { state.pointee.agenda.suspend(user) }

    /// Resumes a device; what was held meanwhile happens now.
    public func resumeDevice(of user: UInt64) {
        state.pointee.agenda.resume(user, at: UInt64(now.nanoseconds))
    }

    /// True while a device is suspended; an event of it waits however long time goes on.
    public var hasSuspended: Bool { state.pointee.agenda.hasSuspended }

    /// True while a user's device is suspended; false for events of no user.
    public func isSuspended(_ user: UInt64?) -> Bool {
        user.map { state.pointee.agenda.isSuspended($0) } ?? false
    }

    /// Stops all tasks that a user has now, as when an app is ended from outside; tasks that start
    /// later run.
    public func killTasks(of user: UInt64) { state.pointee.agenda.kill(user) }

    /// Resumes all suspended devices and stopped tasks, so that nothing of them stays behind when
    /// the world is thrown away.
    public func releaseDevices() { state.pointee.agenda.release(at: UInt64(now.nanoseconds)) }
}
