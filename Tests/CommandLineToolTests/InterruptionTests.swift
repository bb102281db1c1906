import SquallKernel
import Synchronization
import Testing

@testable import CommandLineTool

@Suite("Cleaning up after a signal")
struct InterruptionTests {
    @Test("A signal removes what was made, the newest first, and nothing is made after it")
    func making() throws {
        let interruption = Interruption()
        let gone = Mutex<[Int]>([])
        for number in 1...3 {
            _ = try interruption.making {
                number
            } onExit: { number in
                gone.withLock { $0.append(number) }
            }
        }
        interruption.cleanUp()
        #expect(gone.withLock(\.self) == [3, 2, 1])
        #expect(throws: StopRequested.self) {
            _ = try interruption.making {
                Issue.record("made while the process ends")
            } onExit: {
            }
        }
    }
}
