/// What lies outside a simulation that follows real time: a clock, and what brings requests.
public protocol RealTimeSurroundings: AnyObject {
    /// Elapsed nanoseconds since some fixed moment.
    var nanoseconds: Int64 { get }
    /// True ends ``RealTimeDriver/run(until:)``; asked after every wait.
    var isOver: Bool { get }
    /// The longest wait, after which it is asked again whether all is over.
    var waitNanosecondsMax: Int64 { get }
    /// Comes back when something has arrived, at the latest after this span.
    func wait(nanoseconds: Int64)
    /// Lets what has arrived enter the simulation, at its present instant.
    func enter()
    /// Sends what the simulation has made since it was called last.
    func send()
    /// Called with the time by which something began later than it was due.
    func note(latenessNanoseconds: Int64)
}

extension RealTimeSurroundings {
    /// One second.
    public var waitNanosecondsMax: Int64 { 1_000_000_000 }
}

/// Lets a simulation's time follow a clock, and sleeps until something is due or has arrived.
///
/// Everything happens on the calling thread. While requests enter, the simulation rests at the
/// present instant, so nothing needs a lock.
public struct RealTimeDriver {
    private let simulation: Simulation
    private let surroundings: any RealTimeSurroundings
    private let speed: Double
    private let origin: Int64
    private let beginning: Int64
    /// A driver for which this is the moment at which the simulation stands now.
    ///
    /// - Precondition: `speed`, the simulated seconds in a second, is positive.
    public init(
        _ simulation: Simulation, in surroundings: any RealTimeSurroundings, speed: Double = 1
    ) {
        precondition(speed > 0 && speed.isFinite, "time cannot pass at speed \(speed)")
        (self.simulation, self.surroundings, self.speed) = (simulation, surroundings, speed)
        origin = simulation.now.nanoseconds
        beginning = surroundings.nanoseconds
    }

    /// Where the simulation should be by the clock.
    public var present: Instant {
        let elapsed = Double(surroundings.nanoseconds - beginning)
        return Instant(nanoseconds: origin + Int64(elapsed * speed))
    }

    /// Lets time pass until the surroundings say that all is over, or to a moment exactly.
    ///
    /// - Throws: what the simulation throws.
    public func run(until end: Instant = Instant(nanoseconds: .max)) throws {
        while simulation.now < end, !surroundings.isOver {
            surroundings.wait(nanoseconds: span(to: end))
            let now = min(present, end)
            if let due = simulation.nextDue, due < now {
                let late = Double(now.nanoseconds - due.nanoseconds) / speed
                surroundings.note(latenessNanoseconds: Int64(late))
            }
            // What is due comes before what has just arrived; what takes no time ends now.
            try simulation.follow(until: now)
            surroundings.enter()
            try simulation.follow(until: now)
            surroundings.send()
        }
    }

    /// How long nothing is due before the end, in nanoseconds of the clock.
    private func span(to end: Instant) -> Int64 {
        let due = min(simulation.nextDue ?? end, end)
        let span = Double(due.nanoseconds - present.nanoseconds) / speed
        return Int64(max(0, min(span.rounded(.up), Double(surroundings.waitNanosecondsMax))))
    }
}
