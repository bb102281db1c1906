import Dispatch
import Foundation
import Squall
import Testing

/// The Swift runtime makes metadata when it is first needed, under locks of its own.
///
/// In a process of its own each of these is the first use, in the midst of the world's work, while
/// another stack waits for a lock: giving back the runtime's lock must not ask the world.
@Suite("A world's own work is heard by no world")
struct DeafnessTests {
    @Test("No world hears the first use of queues") func queues() async {
        await #expect(processExitsWith: .success) {
            try DeafnessTests.besideALockThatIsWaitedFor { done in
                let queue = DispatchQueue(label: "a", target: DispatchQueue(label: "b"))
                DispatchQueue.global().async { queue.sync(flags: .barrier) {} }
                DispatchQueue.concurrentPerform(iterations: 3) { _ in usleep(5) }
                queue.suspend()
                queue.asyncAfter(deadline: .now() + 1) { done() }
                queue.resume()
            }
        }
    }

    @Test("No world hears the first use of groups, semaphores and sleeps") func waits() async {
        await #expect(processExitsWith: .success) {
            try DeafnessTests.besideALockThatIsWaitedFor { done in
                let (group, gate) = (DispatchGroup(), DispatchSemaphore(value: 0))
                DispatchQueue.global().async(group: group) { gate.signal() }
                gate.wait()
                _ = group.wait(timeout: .now() + 1)
                Thread.sleep(forTimeInterval: 1)
                group.notify(queue: .main) { done() }
            }
        }
    }

    @Test("No world hears the first use of timers and of work that escapes") func timers() async {
        await #expect(processExitsWith: .success) {
            try DeafnessTests.besideALockThatIsWaitedFor { done in
                let timer = DispatchSource.makeTimerSource()
                timer.schedule(deadline: .now() + 1, repeating: 1)
                timer.setEventHandler {
                    timer.cancel()
                    done()
                }
                timer.activate()
            }
        }
    }

    @Test("No world hears the first use of tasks, actors and requests") func tasks() async {
        await #expect(processExitsWith: .success) {
            try DeafnessTests.besideALockThatIsWaitedFor { done in
                Task {
                    async let first: Void = Task.sleep(for: .seconds(1))
                    let box = Box()
                    for _ in 0..<3 { await box.add() }
                    try await first
                    await Task { @MainActor in await Task.yield() }.value
                    done()
                }
            }
        }
    }

    private actor Box {
        private var all: [Int] = []
        func add() { all.append(all.count) }
    }

    /// Does something in worlds of several schedules while a stack stands in a lock.
    static func besideALockThatIsWaitedFor(
        _ body: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
    ) throws {
        for seed in UInt64(1)...3 {
            try simulate(schedule: RandomSchedule(seed: seed), window: .seconds(2)) { _ in
                let lock = NSLock()
                DispatchQueue(label: "holds").async {
                    lock.lock()
                    sleep(10)
                    lock.unlock()
                }
                DispatchQueue(label: "waits").asyncAfter(deadline: .now() + 0.1) {
                    lock.lock()
                    lock.unlock()
                }
                try await Task.sleep(for: .seconds(0.2))
                await withCheckedContinuation { done in body { done.resume() } }
            }
        }
    }
}
