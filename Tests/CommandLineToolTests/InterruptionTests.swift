import SquallKernel
import Synchronization
import Testing

@testable import CommandLineTool

@Suite("What a signal leaves")
struct InterruptionTests {
    @Test("What was made is taken away, the newest first, and nothing is made after that")
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
