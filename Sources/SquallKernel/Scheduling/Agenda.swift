/// All items that can run or will run, while a scheduling policy decides.
///
/// The ready ones come first, in the order in which a simulation without a policy runs them. Behind
/// them stand those that the window lets run already, by the time at which they are due. It is not
/// made for crowds: an insertion moves every item behind it.
struct Agenda {
    private struct Entry {
        let item: ReadyItem
        /// When it is due, or became ready.
        let due: UInt64
        let sequence: UInt64
    }

    /// Tells which task or event each item is.
    var identities = Identities()
    /// What runs now, or ran last.
    var running: ReadyEvent?
    /// What can be chosen, as a policy sees it.
    private(set) var events: [ReadyEvent] = []
    private var enabled: [Entry] = []
    /// How many of those are due.
    private(set) var readyCount = 0
    /// What is not enabled yet, the next one last.
    private var later: [Entry] = []
    private var held = HeldDevices()
    /// Items that are held, because they happen on suspended devices or belong to stopped tasks.
    private var asleep: [(entry: Entry, event: ReadyEvent)] = []
    private var sequence: UInt64 = 0

    /// When the next thing is due that is not ready; `nil` when there is none.
    var nextDue: UInt64? {
        guard readyCount < enabled.count else { return later.last?.due }
        return min(enabled[readyCount].due, later.last?.due ?? .max)
    }

    /// Adds an item that is due at a time.
    mutating func insert(_ item: ReadyItem, at due: UInt64) -> Timer {
        if sequence == 0 { makeRoom() }
        sequence += 1
        var place = later.count
        while place > 0, later[place - 1].due <= due { place -= 1 }
        later.insert(Entry(item: item, due: due, sequence: sequence), at: place)
        return Timer(index: Int32(sequence & 0x7FFF_FFFF), generation: UInt32(sequence >> 31))
    }

    /// Removes an item that has not run yet; `false` when it has.
    mutating func cancel(_ timer: Timer) -> Bool {
        let sequence = UInt64(timer.generation) << 31 | UInt64(timer.index)
        if let place = later.lastIndex(where: { $0.sequence == sequence }) {
            later.remove(at: place)
            return true
        }
        if let place = enabled.firstIndex(where: { $0.sequence == sequence }) {
            _ = take(at: place)
            return true
        }
        guard let place = asleep.firstIndex(where: { $0.entry.sequence == sequence }) else {
            return false
        }
        asleep.remove(at: place)
        return true
    }

    /// False where nothing can run before virtual time has moved beyond `limit`.
    func hasAny(upTo limit: UInt64) -> Bool {
        !enabled.isEmpty || (later.last?.due ?? .max) <= limit
    }

    /// Adds a ready item, behind the others or before them.
    mutating func append(_ item: ReadyItem, at now: UInt64, isFirst: Bool = false) {
        if sequence == 0 { makeRoom() }
        sequence += 1
        // What stands first is the oldest, or the window would move away from what is older.
        let due = isFirst ? min(now, enabled.first?.due ?? now) : now
        let entry = Entry(item: item, due: due, sequence: sequence)
        let event = identities.event(of: item)
        guard !isHeld(entry, event) else { return asleep.append((entry, event)) }
        place(entry, event, at: isFirst ? 0 : readyCount)
        readyCount += 1
    }

    /// Makes ready what is due by a time.
    mutating func advance(to now: UInt64) {
        enable(upTo: now)
        while readyCount < enabled.count, enabled[readyCount].due <= now { readyCount += 1 }
    }

    /// Enables what may run within a window of time beside what is due, up to an end.
    mutating func open(window: UInt64, end: UInt64) {
        guard window > 0 else { return }
        // Enabled things stand in the order in which they were due: the first is the oldest.
        let oldest = min(enabled.first?.due ?? end, later.last?.due ?? end)
        let (limit, overflow) = oldest.addingReportingOverflow(window)
        enable(upTo: overflow ? end : min(limit, end))
    }

    /// Removes the item at a position and returns it with the time at which it was due.
    mutating func take(at position: Int) -> (item: ReadyItem, due: UInt64) {
        let entry = enabled.remove(at: position)
        events.remove(at: position)
        if position < readyCount { readyCount -= 1 }
        return (entry.item, entry.due)
    }

    /// Reserves memory for a small world at once, so that it need not double again and again.
    private mutating func makeRoom() {
        events.reserveCapacity(16)
        enabled.reserveCapacity(16)
        later.reserveCapacity(16)
        identities.makeRoom()
    }

    private mutating func enable(upTo limit: UInt64) {
        while let next = later.last, next.due <= limit {
            later.removeLast()
            let event = identities.event(of: next.item)
            if isHeld(next, event) { asleep.append((next, event)) } else { enable(next, event) }
        }
    }

    private mutating func enable(_ entry: Entry, _ event: ReadyEvent) {
        var place = enabled.count
        while place > readyCount, enabled[place - 1].due > entry.due { place -= 1 }
        self.place(entry, event, at: place)
    }

    /// Appends in most cases; an insertion costs several times as much.
    private mutating func place(_ entry: Entry, _ event: ReadyEvent, at place: Int) {
        guard place < enabled.count else {
            enabled.append(entry)
            return events.append(event)
        }
        enabled.insert(entry, at: place)
        events.insert(event, at: place)
    }
}

/// Devices that are suspended, or tasks of theirs that are stopped for ever.
extension Agenda {
    /// Holds everything on a user's device until it is resumed.
    mutating func suspend(_ user: UInt64) {
        held.suspended.insert(user)
        putToSleep()
    }

    var hasSuspended: Bool { !held.suspended.isEmpty }
    func isSuspended(_ user: UInt64) -> Bool { held.suspended.contains(user) }

    /// Resumes a device: what was held is ready now.
    mutating func resume(_ user: UInt64, at now: UInt64) {
        held.suspended.remove(user)
        wake(at: now) { $0.user == user }
    }

    /// Stops the tasks that a device has so far for ever; new ones run.
    mutating func kill(_ user: UInt64) {
        held.deadBelow[user] = identities.taskCount
        putToSleep()
    }

    /// Releases everything that was held, so that it can end.
    mutating func release(at now: UInt64) {
        held = HeldDevices()
        wake(at: now) { _ in true }
    }

    private func isHeld(_ entry: Entry, _ event: ReadyEvent) -> Bool {
        guard !held.isNothing else { return false }
        return held.holds(event, isOnDevice: identities.isOnDevice(entry.item))
    }

    private mutating func putToSleep() {
        for position in enabled.indices.reversed()
        where isHeld(enabled[position], events[position]) {
            asleep.append((enabled[position], events[position]))
            _ = take(at: position)
        }
        asleep.sort { $0.entry.sequence < $1.entry.sequence }
    }

    private mutating func wake(at now: UInt64, _ isMeant: (ReadyEvent) -> Bool) {
        let sleepers = asleep
        asleep.removeAll()
        for (entry, event) in sleepers {
            guard isMeant(event), !isHeld(entry, event) else {
                asleep.append((entry, event))
                continue
            }
            let entry = Entry(item: entry.item, due: now, sequence: entry.sequence)
            place(entry, event, at: readyCount)
            readyCount += 1
        }
    }
}

/// The devices and tasks whose items are held.
private struct HeldDevices {
    var suspended: Set<UInt64> = []
    /// For each user the number below which its tasks are stopped.
    var deadBelow: [UInt64: UInt64] = [:]

    var isNothing: Bool { suspended.isEmpty && deadBelow.isEmpty }

    func holds(_ event: ReadyEvent, isOnDevice: Bool) -> Bool {
        guard isOnDevice, let user = event.user else { return false }
        if suspended.contains(user) { return true }
        guard let bound = deadBelow[user] else { return false }
        switch event.kind {
        case .task, .mainTask, .actor: return event.number < bound
        case .timer: return event.label == .sleep && event.number < bound
        case .message: return false
        }
    }
}
