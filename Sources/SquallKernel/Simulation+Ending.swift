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
    ///   - isStopped: whether the world was stopped while it was built or ran.
    ///   - isOpen: whether something has begun that has an end, however late: an answer that takes
    ///     hours, a pause of days.
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
