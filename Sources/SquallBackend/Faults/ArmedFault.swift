import SquallHTTP
import SquallKernel

/// A fault with random streams of its own.
///
/// The streams are named by the fault's kind and beginning, and their words are numbered by user,
/// request and attempt. So another fault beside it, before or after it in the list, does not change
/// which attempts this one strikes.
struct ArmedFault {
    let fault: Fault
    let effect: FaultEffect
    private let choice: RandomStream
    private let members: RandomStream
    private let details: RandomStream
    private let identity: StreamIdentity
    /// Numbers the calls where the fault strikes only some of them.
    private let turns: TurnCounter?

    /// Arms faults; those of one kind and beginning are told apart by their order, the ones that
    /// are armed already first.
    static func arm(
        _ faults: [Fault], behind armed: [ArmedFault] = [], of identity: StreamIdentity,
        _ randomness: RandomStream
    ) -> [ArmedFault] {
        let all = armed.map(\.fault) + faults
        return faults.indices.map { index in
            let fault = faults[index]
            let twins = all[..<(armed.count + index)].count {
                $0.start == fault.start && $0.kind.name == fault.kind.name
            }
            return ArmedFault(fault, of: identity, twin: twins, randomness)
        }
    }

    private init(
        _ fault: Fault, of identity: StreamIdentity, twin: Int, _ randomness: RandomStream
    ) {
        self.fault = fault
        self.identity = identity
        effect = fault.kind.effect
        turns = fault.scope.turns.map { TurnCounter(struck: $0) }
        let own = randomness.stream(named: fault.kind.name)
            .stream(number: UInt64(fault.start.nanoseconds)).stream(number: UInt64(twin))
        choice = own.stream("choice")
        members = own.stream("members")
        details = own.stream("details")
    }

    /// True if the fault is under way, concerns the exchange's call and user, and its draw or turn
    /// hits it.
    func strikes(_ exchange: Exchange, at now: Instant) -> Bool {
        guard fault.isActive(at: now), concerns(exchange), turns?.strikes(exchange) ?? true
        else { return false }
        return fault.probability >= 1
            || choice.stream(number: exchange.streamKey)
                .chance(fault.probability, at: exchange.draw)
    }

    /// True for users of the fault's scope, and among them for the share that its fraction draws.
    func concerns(user: UInt64) -> Bool {
        let users = fault.scope.users
        guard users.isEmpty || users.contains(where: { $0.contains(user) }) else { return false }
        return fault.scope.fraction >= 1
            || members.stream(number: identity.key(of: user)).chance(fault.scope.fraction, at: 0)
    }

    /// The stream that decides what exactly it does to a user, request or worker.
    func details(of number: UInt64) -> RandomStream { details.stream(number: number) }

    private func concerns(_ exchange: Exchange) -> Bool {
        let endpoints = fault.scope.endpoints
        guard endpoints.isEmpty || endpoints.contains(exchange.endpoint.name) else { return false }
        return concerns(user: exchange.cause.user)
    }
}

/// Numbers the calls that a fault concerns, from 1, in the order in which they reach it.
private final class TurnCounter: @unchecked Sendable {
    // Safe because it is touched on the simulation's thread only.

    private let struck: ClosedRange<Int>
    private var turns: [Turn: Int] = [:]

    private struct Turn: Hashable {
        let user, ordinal: UInt64
        let isRepetition: Bool
    }

    init(struck: ClosedRange<Int>) { self.struck = struck }

    /// True for a turn of the fault's range; asked again about an attempt, it gives the same
    /// result.
    func strikes(_ exchange: Exchange) -> Bool {
        let turn = Turn(
            user: exchange.cause.user, ordinal: exchange.ordinal,
            isRepetition: exchange.isRepetition)
        let number = turns[turn] ?? turns.count + 1
        turns[turn] = number
        return struck.contains(number)
    }
}
