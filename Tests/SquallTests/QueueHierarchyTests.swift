import Dispatch
import Squall
import SquallKernel
import Synchronization
import Testing

@Suite("Queues that target a serial queue")
struct QueueHierarchyTests {
    private final class Log: Sendable {
        private let entries = Mutex<[Int]>([])

        func note(_ entry: Int) { entries.withLock { $0.append(entry) } }
        var all: [Int] { entries.withLock { $0 } }
    }

    @Test(
        "A target queue's work begins in the order of submission, in every schedule",
        arguments: 1...30)
    func order(seed: UInt64) throws {
        let log = Log()
        _ = try simulate(seed: 1, schedule: RandomSchedule(seed: seed)) { _ in
            let target = DispatchQueue(label: "target")
            let first = DispatchQueue(label: "first", target: target)
            let second = DispatchQueue(label: "second", target: target)
            target.async { log.note(1) }
            first.async { log.note(2) }
            second.async { log.note(3) }
            first.sync { log.note(4) }
        }
        #expect(log.all == [1, 2, 3, 4])
    }

    @Test("A suspended queue keeps nobody waiting but its own work", arguments: 1...10)
    func suspended(seed: UInt64) throws {
        let log = Log()
        _ = try simulate(seed: 1, schedule: RandomSchedule(seed: seed)) { _ in
            let target = DispatchQueue(label: "target")
            let held = DispatchQueue(label: "held", target: target)
            held.suspend()
            held.async { log.note(2) }
            target.sync { log.note(1) }
            held.resume()
            target.sync {}
            held.sync { log.note(3) }
        }
        #expect(log.all == [1, 2, 3])
    }
}
