import SquallKernel

/// The faults of a run, sorted by the place where they strike.
struct FaultPlan {
    private var wire: [(fault: ArmedFault, up: FaultEffect.WayUp?, down: FaultEffect.WayDown?)] = []
    private var work: [(fault: ArmedFault, failure: @Sendable (Exchange) -> FaultFailure?)] = []
    private var slow: [(fault: ArmedFault, stretch: @Sendable (inout Int64, FaultStroke) -> Void)] =
        []
    private var clocks: [(fault: ArmedFault, nanoseconds: Int64)] = []
    private var capacities: [(fault: ArmedFault, workers: Int)] = []
    private let skewNanoseconds: Int64
    private let workerClocks: RandomStream
    private let identity: StreamIdentity
    private let randomness: RandomStream
    /// What happens at an instant, or begins then, in the order of the profile.
    let announced: [ArmedFault]
    private let losses: [ArmedFault]
    /// What was begun while the backend ran, by number.
    private(set) var begun: [(number: Int, fault: ArmedFault)] = []
    private var nextNumber = 1

    init(_ plan: BackendPlan, _ randomness: RandomStream) {
        identity = plan.identity
        self.randomness = randomness.stream("fault")
        announced = ArmedFault.arm(plan.faults, of: identity, self.randomness)
        skewNanoseconds = plan.server.clockSkewNanoseconds
        workerClocks = randomness.stream("server.clock")
        losses = ArmedFault.arm(
            plan.network.losses, of: identity, randomness.stream("network.loss"))
        arrange()
    }

    /// Sorts the faults by the places where they strike.
    private mutating func arrange() {
        (wire, work, slow, clocks, capacities) = ([], [], [], [], [])
        for armed in losses + announced + begun.map(\.fault) {
            switch armed.effect {
            case .wire(let up, let down): wire.append((armed, up, down))
            case .work(let failure): work.append((armed, failure))
            case .service(let stretch): slow.append((armed, stretch))
            case .clocks(let skew): clocks.append((armed, skew))
            case .workers(let workers): capacities.append((armed, workers))
            case .phones(.offline): wire.append((armed, { trip, _ in trip.goOffline() }, nil))
            case .tokens, .phones: continue  // Done when it is announced, and over then.
            }
        }
    }

    /// Adds a fault; returns it, and the number that removes it.
    mutating func begin(_ fault: Fault) -> (number: Int, fault: ArmedFault) {
        let armed = ArmedFault.arm(
            [fault], behind: announced + begun.map(\.fault), of: identity, randomness)[0]
        begun.append((nextNumber, armed))
        nextNumber += 1
        arrange()
        return begun[begun.count - 1]
    }

    /// Removes what was begun under a number; `false` when there is none.
    mutating func end(_ number: Int) -> Bool {
        guard let place = begun.firstIndex(where: { $0.number == number }) else { return false }
        begun.remove(at: place)
        arrange()
        return true
    }

    /// Removes what was begun and is over by now.
    mutating func forget(before now: Instant) {
        let left = begun.filter { $0.fault.fault.end > now }
        guard left.count < begun.count else { return }
        begun = left
        arrange()
    }

    /// False where no fault can strike an exchange on its way: then each trip is a draw and nothing
    /// else.
    var touchesWire: Bool { !wire.isEmpty }
    /// False where no fault can replace the work on a request by an error.
    var touchesWork: Bool { !work.isEmpty }
    /// False where no fault can make the work on a request longer.
    var touchesService: Bool { !slow.isEmpty }
    /// False where all workers' clocks are right.
    var touchesClocks: Bool { skewNanoseconds > 0 || !clocks.isEmpty }

    /// The trip of a request that would take `delay`, or of the first bytes of its connection.
    func up(
        _ exchange: Exchange, delay: Int64, at now: Instant, opens: Bool = true
    ) -> Transmission {
        var transmission = Transmission(delay: delay, opensConnection: opens)
        for (armed, up, _) in wire where up != nil && armed.strikes(exchange, at: now) {
            up?(&transmission, FaultStroke(exchange: exchange, fault: armed))
        }
        return transmission
    }

    /// How long the server's part of a set-up travels that would take `delay`.
    func wayDown(_ exchange: Exchange, delay: Int64, at now: Instant) -> Int64 {
        var nothing = Answer(status: 200)
        return down(exchange, &nothing, delay: delay, at: now).delay
    }

    /// The trip that the faults leave of a response that would take `delay` nanoseconds; changes
    /// the response to what is left of it.
    func down(
        _ exchange: Exchange, _ answer: inout Answer, delay: Int64, at now: Instant
    ) -> Transmission {
        var transmission = Transmission(delay: delay)
        for (armed, _, down) in wire where down != nil && armed.strikes(exchange, at: now) {
            down?(&transmission, &answer, FaultStroke(exchange: exchange, fault: armed))
        }
        return transmission
    }

    /// The failure that replaces the work on a request; `nil` where no fault strikes it.
    func failure(_ exchange: Exchange, at now: Instant) -> FaultFailure? {
        for (armed, failure) in work {
            if let failure = failure(exchange), armed.strikes(exchange, at: now) { return failure }
        }
        return nil
    }

    /// The work's nanoseconds under the faults, where it would take `span` without them.
    func serviceTime(_ span: Int64, of exchange: Exchange, at now: Instant) -> Int64 {
        var span = span
        for (armed, stretch) in slow where armed.strikes(exchange, at: now) {
            stretch(&span, FaultStroke(exchange: exchange, fault: armed))
        }
        return span
    }

    /// How many workers there are, of `all`.
    func workers(of all: Int, at now: Instant) -> Int {
        capacities.filter { $0.fault.fault.isActive(at: now) }.map(\.workers).reduce(all, min)
    }

    /// By how much a worker's clock is ahead.
    func clockOffset(of worker: Int32, at now: Instant) -> Int64 {
        var offset = RandomStream.evenly(
            within: skewNanoseconds, workerClocks.stream(number: UInt64(worker)))
        for (armed, skew) in clocks where armed.fault.isActive(at: now) {
            offset += RandomStream.evenly(within: skew, armed.details(of: UInt64(worker)))
        }
        return offset
    }
}

extension RandomStream {
    /// A number from −`bound` to `bound`, the stream's first word deciding.
    fileprivate static func evenly(within bound: Int64, _ stream: RandomStream) -> Int64 {
        bound == 0 ? 0 : Int64(stream.integer(below: UInt64(bound) * 2 + 1, at: 0)) - bound
    }
}
