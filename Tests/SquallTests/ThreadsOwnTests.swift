import CVirtualClock
import Dispatch
import Squall
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
}
