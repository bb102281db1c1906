import CVirtualClock
import Foundation
import Squall
import Synchronization
import Testing

@Suite("What a world leaves behind on the thread that ran it")
struct ThreadsOwnTests {
    @Test("Code that blocks leaves the thread its own time and its own randomness")
    func restored() throws {
        _ = try simulate(seed: 1) { _ in
            let queue = DispatchQueue(label: "work")
            // The code waits on one stack while another goes round the loop.
            for _ in 0..<3 {
                let isDone = DispatchSemaphore(value: 0)
                queue.asyncAfter(deadline: .now() + 1) { isDone.signal() }
                isDone.wait()
            }
        }
        #expect(squall_current_randomness() == nil)
        #expect(squall_current_simulation() == nil)
        #expect(squall_virtual_clock() < 0)
    }

    private final class Shared: Sendable {
        let lock = Mutex(0)
        let isHeld = Atomic(false)
        let isWanted = Atomic(false)
        let isGot = DispatchSemaphore(value: 0)
    }

    @Test("A thread that waits for a lock gets it when a world's code lets it go")
    func lockOfAnotherThread() throws {
        let shared = Shared()
        Thread.detachNewThread {
            while !shared.isHeld.load(ordering: .acquiring) {}
            shared.isWanted.store(true, ordering: .releasing)
            shared.lock.withLock { $0 += 1 }
            shared.isGot.signal()
        }
        _ = try simulate(seed: 1) { _ in
            shared.lock.withLock { count in
                shared.isHeld.store(true, ordering: .releasing)
                while !shared.isWanted.load(ordering: .acquiring) {}
                // Long enough for the other thread to fall asleep.
                for _ in 0..<3_000_000 { count &+= 1 }
            }
        }
        #expect(shared.isGot.wait(timeout: .now() + 20) == .success)
    }
}
