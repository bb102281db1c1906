import SquallKernel
import Synchronization
import TestSupport

@testable import SquallRaces

/// Programs so small that every schedule of theirs is known.
enum Programs {
    /// Some tasks that are ready at once; wrong when the last of them runs first.
    static func crowd(_ count: UInt64) -> ClosureSubject {
        ClosureSubject { schedule in
            let order = try play(schedule) { simulation, note in
                for number in 0..<count { simulation.spawn(of: number) { note(number) } }
            }
            let isWrong = order.first == count - 1
            return Played(
                schedule, violations: isWrong ? [Violation("X1", "the last came first")] : [],
                serverView: hash(order), digest: hash(order))
        }
    }

    /// Messages ten nanoseconds apart; wrong when the last but one overtakes the first, and the
    /// last the second.
    static func messages(_ count: UInt64) -> ClosureSubject {
        ClosureSubject { schedule in
            let order = try play(schedule) { simulation, note in
                let handler = simulation.register(.message("message") { .init(number: $0) }, note)
                for number in 0..<count {
                    simulation.schedule(
                        handler, argument: number, at: Instant(nanoseconds: Int64(number) * 10))
                }
            }
            let place = { (number: UInt64) in order.firstIndex(of: number) ?? 0 }
            let isWrong = place(count - 2) < place(0) && place(count - 1) < place(1)
            return Played(
                schedule, violations: isWrong ? [Violation("X2", "two overtook two")] : [],
                serverView: hash(order), digest: hash(order))
        }
    }

    private static func play(
        _ schedule: Schedule,
        _ begin: (Simulation, _ note: @escaping @Sendable (UInt64) -> Void) -> Void
    ) throws -> [UInt64] {
        let simulation = Simulation(schedule)
        let order = Mutex<[UInt64]>([])
        begin(simulation) { number in order.withLock { $0.append(number) } }
        _ = try simulation.run(until: Instant(nanoseconds: 1_000_000))
        return order.withLock { $0 }
    }

    private static func hash(_ order: [UInt64]) -> UInt64 {
        order.reduce(1) { $0 &* 31 &+ $1 }
    }
}
