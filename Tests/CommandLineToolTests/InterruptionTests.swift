import SquallKernel
import Synchronization
import Testing

@testable import CommandLineTool

@Suite("Cleaning up after a signal")
struct InterruptionTests {
    @Test("Signals within a second are one, and a later one ends at once")
    func together() {
        let interruption = Interruption()
        #expect(interruption.request(.interrupt, at: 5) == .endsAtOnce)
        let awaited = Interruption()
        awaited.awaited {
            // A body within another leaves the outer one waiting.
            awaited.awaited {}
            #expect(awaited.request(.interrupt, at: 5) == .ends)
            #expect(awaited.request(.terminate, at: 999_999_999) == .wasAsked)
            #expect(awaited.request(.interrupt, at: 1_000_000_005) == .endsAtOnce)
        }
        #expect(awaited.exitCode == .interrupted)
    }

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
