import Foundation
import Testing

@testable import SquallKernel

@Suite("Executor")
struct ExecutorTests {
    @Test(
        "Every construct of Swift Concurrency stays inside and takes exact virtual time",
        arguments: ExecutorSelfTest.probes.map(\.name))
    func construct(name: String) throws {
        let probe = try #require(ExecutorSelfTest.probes.first { $0.name == name })
        #expect(ExecutorSelfTest.failure(of: probe) == nil)
    }

    @Test("A probe that does not wait its hour is reported")
    func shortProbe() {
        let probe = ExecutorSelfTest.Probe(name: "nothing") { $0.note() }
        #expect(ExecutorSelfTest.failure(of: probe)?.contains("took") == true)
    }

    @Test("A probe whose work never comes back is reported")
    func lostProbe() {
        let probe = ExecutorSelfTest.Probe(name: "lost") { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
        #expect(ExecutorSelfTest.failure(of: probe) == "was not captured")
    }

    @Test("A probe that notes nothing of what it saw is reported")
    func silentProbe() {
        let probe = ExecutorSelfTest.Probe(name: "silent") { _ in
            try await Task.sleep(for: .seconds(3_600))
        }
        #expect(ExecutorSelfTest.failure(of: probe) == "was not captured")
    }

    @Test("Worlds on several threads at once keep their own exact time", arguments: 1...20)
    func parallelWorlds(hours: Int) async throws {
        let finalTime = try simulate {
            async let first: Void = pause(hours: hours)
            async let second: Void = pause(hours: 1)
            _ = await (first, second)
        }
        #expect(finalTime.nanoseconds == Int64(hours) * 3_600_000_000_000)
    }

    @Test("A test on the stock executor waits real time beside simulated worlds", arguments: 1...5)
    func stockExecutor(_: Int) async throws {
        let before = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(5))
        #expect(before.duration(to: .now) >= .milliseconds(5))
    }

    @Test("Task groups, actors and streams run inside")
    func mixedConstructs() throws {
        let results = Recorder<Int>()
        _ = try simulate {
            let sum = await withTaskGroup(of: Int.self) { group in
                for index in 1...4 {
                    group.addTask {
                        await pause(hours: index)
                        return index
                    }
                }
                return await group.reduce(0, +)
            }
            results.append(sum)
        }
        #expect(results.values == [10])
    }

    @Test("A cancelled simulation sleep leaves no event behind")
    func cancelledSleep() throws {
        let simulation = Simulation()
        simulation.spawn {
            let sleeper = Task { try? await simulation.sleep(nanoseconds: 3_600_000_000_000) }
            await Task.yield()
            sleeper.cancel()
            await sleeper.value
        }
        #expect(try simulation.run(until: Instant(nanoseconds: .max)) == .quiescent)
        #expect(simulation.now == .start)
    }

    @Test("A simulated sleep ends exactly on time, also beside cancelled ones")
    func sleep() throws {
        let simulation = Simulation()
        simulation.spawn { try? await simulation.sleep(nanoseconds: 123_456_789) }
        #expect(try simulation.run(until: Instant(nanoseconds: .max)) == .quiescent)
        #expect(simulation.now.nanoseconds == 123_456_789)
    }

    @Test("A continuation resumed by a real queue is detected and named in a strict world")
    func escape() async {
        await #expect(processExitsWith: .success) {
            let simulation = Simulation(strictness: .strict)
            let (isWaiting, isResumed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            simulation.spawn {
                await withCheckedContinuation { continuation in
                    DispatchQueue(label: "rogue.queue").async {
                        isWaiting.wait()
                        continuation.resume()
                        isResumed.signal()
                    }
                }
            }
            // Runs when the continuation waits, and keeps the world from ending before it goes on.
            let handler = simulation.register { _ in
                isWaiting.signal()
                isResumed.wait()
            }
            simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: 1_000_000))
            do {
                _ = try simulation.run(until: Instant(nanoseconds: 1_000_000_000))
                exit(1)
            } catch let error as SimulationError {
                guard case .escaped = error else { exit(2) }
                exit("\(error)".contains("outside") ? 0 : 3)
            }
        }
    }

    @Test("A strict world with nothing left to do waits in real time for what a real timer resumes")
    func waitsForEscapes() async {
        await #expect(processExitsWith: .success) {
            let simulation = Simulation(strictness: .strict)
            let start = ContinuousClock.now
            let pause = try? simulation.run(until: Instant(nanoseconds: 1))
            let waited = start.duration(to: .now)
            exit(pause == .quiescent && waited >= .milliseconds(50) ? 0 : 1)
        }
    }

    @Test("A loop that never waits ends with an error that says when")
    func runaway() {
        let simulation = Simulation(itemsPerInstantMax: 1_000)
        simulation.spawn { while true { await Task.yield() } }
        #expect(throws: SimulationError.noProgress(at: .start, ran: 1_000)) {
            try simulation.run(until: Instant(nanoseconds: 1))
        }
    }
}

/// Runs a body in a fresh world until nothing is left to do, and tells when that was.
func simulate(_ body: @escaping @Sendable () async -> Void) throws -> Instant {
    let simulation = Simulation()
    simulation.spawn(body)
    let end = Instant(nanoseconds: 1_000_000_000_000_000)
    #expect(try simulation.run(until: end) == .quiescent)
    return simulation.now
}

/// Sleeps for virtual hours by the standard library's clock.
func pause(hours: Int) async {
    try? await Task.sleep(for: .seconds(3600 * hours))
}

/// A list that tasks of one simulation append to.
final class Recorder<Value: Sendable>: @unchecked Sendable {
    // Safe because only the tasks of one simulation, and then its owner, touch it.
    private(set) var values: [Value] = []

    func append(_ value: Value) { values.append(value) }
}
