import Foundation
import SquallKernel
import Testing

@Suite("What an own app does in a load run, which has no Dispatch of its own")
struct LoadRunEscapeTests {
    @Test("A thread that resumes a task before it waits is detected every time")
    func thread() async {
        await #expect(processExitsWith: .success) {
            for _ in 0..<20 {
                let simulation = Simulation(strictness: .strict)
                simulation.spawn {
                    let isResumed = DispatchSemaphore(value: 0)
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            continuation.resume()
                            isResumed.signal()
                        }
                        isResumed.wait()
                    }
                }
                do {
                    _ = try simulation.run(until: Instant(nanoseconds: 1))
                    exit(1)
                } catch let error as SimulationError {
                    guard "\(error)".contains("a thread of its own") else { exit(2) }
                }
            }
        }
    }

    @Test(
        "Code that would stop the thread is stopped and told what to use",
        arguments: ["Thread.sleep", "sleep", "usleep"])
    func sleeping(way: String) async throws {
        let result = await #expect(
            processExitsWith: .exitCode(70), observing: [\.standardErrorContent]
        ) { [way] in
            TrapReport.install()
            let simulation = Simulation()
            simulation.spawn { stopThread(by: way) }
            _ = try? simulation.run(until: Instant(nanoseconds: 1))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("sleep was called in a load run") && text.contains("Use Task.sleep"))
    }
}

private func stopThread(by way: String) {
    switch way {
    case "sleep": _ = sleep(1)
    case "usleep": usleep(1_000)
    default: Thread.sleep(forTimeInterval: 1)
    }
}
