import SquallHTTP
import SquallKernel

/// The faults of a run, sorted by the place where they strike.
struct FaultPlan {
    private let wire: [ArmedFault]
    private let work: [ArmedFault]
    private let clocks: [ArmedFault]
    private let capacities: [Fault]
    private let skewNanoseconds: Int64
    private let workerClocks: RandomStream
    /// What happens at an instant, or begins then, in the order of the profile.
    let announced: [ArmedFault]

    init(_ configuration: BackendPlan, _ randomness: RandomStream) {
        let armed = ArmedFault.arm(configuration.faults, randomness.stream("fault"))
        let losses = ArmedFault.arm(
            configuration.network.losses, randomness.stream("network.loss"))
        announced = armed
        wire = (losses + armed).filter(\.fault.kind.isOnTheWire)
        work = armed.filter(\.fault.kind.replacesWork)
        clocks = armed.filter { if case .clockSkew = $0.fault.kind { true } else { false } }
        capacities = configuration.faults.filter { $0.kind.workers != nil }
        skewNanoseconds = configuration.server.clockSkewNanoseconds
        workerClocks = randomness.stream("server.clock")
    }

    /// Whether anything can happen to an exchange on its way.
    var touchesWire: Bool { !wire.isEmpty }
    /// Whether the work on a request can be replaced by an error.
    var touchesWork: Bool { !work.isEmpty }
    /// Whether workers' clocks can be off.
    var touchesClocks: Bool { skewNanoseconds > 0 || !clocks.isEmpty }

    /// The way of a request, which would take `delay`.
    func up(_ exchange: Exchange, delay: Int64, at now: Instant) -> Trip {
        var trip = Trip(delay: delay)
        for armed in wire where armed.strikes(exchange, at: now) {
            switch armed.fault.kind {
            case .latency(let factor, let added):
                let details = armed.details(of: exchange.cause.user)
                trip.stretch(by: factor, plus: added.sample(details, at: exchange.ordinal))
            case .dropRequest(let notice): trip.lose(notice)
            case .refuseConnection: trip.end = .breaks(.cannotConnectToHost)
            case .duplicate: trip.isDoubled = true
            default: continue
            }
        }
        return trip
    }

    /// The way of an answer, which would take `delay`, and what is left of the answer.
    func down(
        _ exchange: Exchange, _ answer: inout Answer, delay: Int64, at now: Instant
    ) -> Trip {
        var trip = Trip(delay: delay)
        for armed in wire where armed.strikes(exchange, at: now) {
            switch armed.fault.kind {
            case .latency(let factor, _): trip.stretch(by: factor, plus: 0)
            case .dropAnswer(let notice): trip.lose(notice)
            case .partialBody: answer.body = answer.body.firstHalf
            case .corruptBody:
                let details = armed.details(of: exchange.cause.user)
                answer.body = answer.body.corrupted(details.stream(number: exchange.ordinal))
            default: continue
            }
        }
        return trip
    }

    /// The status that a worker answers instead of doing the work.
    func errorStatus(_ exchange: Exchange, at now: Instant) -> Int? {
        for armed in work {
            if case .tokenOutage = armed.fault.kind, !exchange.endpoint.issuesTokens {
                continue
            }
            guard armed.strikes(exchange, at: now) else { continue }
            if case .serverError(let status) = armed.fault.kind { return status }
            return 503
        }
        return nil
    }

    /// How many workers there are, of `all`.
    func workers(of all: Int, at now: Instant) -> Int {
        capacities.filter { $0.isActive(at: now) }.compactMap(\.kind.workers).reduce(all, min)
    }

    /// By how much a worker's clock is ahead.
    func clockOffset(of worker: Int32, at now: Instant) -> Int64 {
        var offset = RandomStream.evenly(
            within: skewNanoseconds, workerClocks.stream(number: UInt64(worker)))
        for armed in clocks where armed.fault.isActive(at: now) {
            guard case .clockSkew(let skew) = armed.fault.kind else { continue }
            offset += RandomStream.evenly(within: skew, armed.details(of: UInt64(worker)))
        }
        return offset
    }
}

/// One way through the network.
struct Trip: Equatable {
    var delay: Int64
    var end = End.arrives
    /// Whether the same bytes arrive twice.
    var isDoubled = false

    /// What comes at its end.
    enum End: Equatable {
        case arrives
        /// Nothing, ever.
        case vanishes
        /// The connection breaks, and the client is told so.
        case breaks(TransportError.Code)
    }

    init(delay: Int64) { self.delay = delay }

    mutating func lose(_ notice: LossNotice) {
        end = notice == .timeout ? .vanishes : .breaks(.networkConnectionLost)
    }

    /// Makes it take longer, but not longer than a year: no run lasts that long.
    mutating func stretch(by factor: Double, plus added: Int64) {
        let year = 31_536_000_000_000_000.0
        delay = Int64(min(year, Double(delay) * factor)) + added
    }
}

extension Fault.Kind {
    fileprivate var isOnTheWire: Bool {
        switch self {
        case .latency, .dropRequest, .dropAnswer, .refuseConnection, .duplicate, .partialBody,
            .corruptBody:
            true
        default: false
        }
    }

    fileprivate var replacesWork: Bool {
        switch self {
        case .serverError, .tokenOutage: true
        default: false
        }
    }

    fileprivate var workers: Int? {
        if case .capacity(let workers) = self { workers } else { nil }
    }
}

extension Endpoint {
    /// Whether a success brings tokens.
    fileprivate var issuesTokens: Bool { role != .ordinary }
}

extension RandomStream {
    /// A number from −`bound` to `bound`, the stream's first word deciding.
    fileprivate static func evenly(within bound: Int64, _ stream: RandomStream) -> Int64 {
        bound == 0 ? 0 : Int64(stream.integer(below: UInt64(bound) * 2 + 1, at: 0)) - bound
    }
}
