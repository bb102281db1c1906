import Foundation
import SquallKernel
import Testing

@Suite("What client code asks the system for")
struct EscapeTests {
    @Test("Every clock of the C library shows virtual time, to the second, and no work")
    func clocks() throws {
        let seen = Recorder<Int>()
        let simulation = Simulation()
        simulation.spawn {
            try? await simulation.sleep(nanoseconds: 3_600_500_000_000)
            seen.append(time(nil))
            var day = timeval()
            gettimeofday(&day, nil)
            seen.append(day.tv_sec)
            seen.append(Int(day.tv_usec))
            var moment = timespec()
            timespec_get(&moment, TIME_UTC)
            seen.append(moment.tv_sec)
            seen.append(Int(clock()))
        }
        _ = try simulation.run(until: Instant(nanoseconds: .max / 2))
        let hour = Int(simulation.epoch.nanosecondsSince1970 / 1_000_000_000) + 3_600
        #expect(seen.values == [hour, hour, 500_000, hour, 0])
        #expect(time(nil) > hour)
    }

    @Test(
        "Every clock of the system shows virtual time, by whatever name it is asked",
        arguments: [
            CLOCK_REALTIME, CLOCK_REALTIME_COARSE, CLOCK_MONOTONIC, CLOCK_MONOTONIC_COARSE,
            CLOCK_MONOTONIC_RAW, CLOCK_BOOTTIME, CLOCK_TAI,
        ])
    func elapsed(_ clock: clockid_t) throws {
        let start = try #require(try nanoseconds(of: clock, after: 0))
        #expect(start == Epoch.standard.nanosecondsSince1970)
        #expect(try nanoseconds(of: clock, after: 90_000_000_001) == start + 90_000_000_001)
    }

    @Test(
        "No processor time is used in virtual time, whatever was done",
        arguments: [CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID])
    func work(_ clock: clockid_t) throws {
        #expect(try nanoseconds(of: clock, after: 1) == 0)
        var outside = timespec()
        clock_gettime(clock, &outside)
        #expect(outside.tv_sec > 0 || outside.tv_nsec > 0)
    }

    /// What a clock shows to a task that has slept for a while.
    private func nanoseconds(of clock: clockid_t, after span: Int64) throws -> Int64? {
        let seen = Recorder<Int64>()
        let simulation = Simulation()
        simulation.spawn {
            try? await simulation.sleep(nanoseconds: span)
            var moment = timespec()
            clock_gettime(clock, &moment)
            seen.append(Int64(moment.tv_sec) * 1_000_000_000 + Int64(moment.tv_nsec))
        }
        _ = try simulation.run(until: Instant(nanoseconds: .max / 2))
        return seen.values.first
    }

    @Test(
        "Random numbers, identifiers and shuffles follow the simulation's own stream",
        arguments: [1, 2] as [UInt64])
    func randomness(seed: UInt64) throws {
        #expect(try draws(seed) == draws(seed))
        #expect(try draws(seed) != draws(seed + 1))
    }

    /// What a task gets that asks the system for randomness in several ways.
    private func draws(_ seed: UInt64) throws -> [String] {
        let seen = Recorder<String>()
        let simulation = Simulation(systemRandomness: RandomStream(seed: seed))
        simulation.spawn {
            seen.append(UUID().uuidString)
            seen.append("\(UInt64.random(in: 0...UInt64.max))")
            seen.append("\((0..<30).shuffled())")
            var generator = SystemRandomNumberGenerator()
            seen.append("\(generator.next() as UInt64)")
        }
        _ = try simulation.run(until: Instant(nanoseconds: 1))
        return seen.values
    }

    @Test("Two threads outside any simulation still get the system's randomness")
    func outside() {
        #expect(UUID() != UUID())
        #expect(UInt64.random(in: 0...UInt64.max) != UInt64.random(in: 0...UInt64.max))
    }

    @Test("A running simulation that a thread uses from outside stops the program")
    func thread() async {
        await #expect(processExitsWith: .failure) {
            let simulation = Simulation()
            let handler = simulation.register { _ in }
            let used = DispatchSemaphore(value: 0)
            simulation.spawn {
                Thread.detachNewThread {
                    simulation.schedule(handler, argument: 0, at: .start)
                    used.signal()
                }
                used.wait()
            }
            _ = try? simulation.run(until: Instant(nanoseconds: 1))
        }
    }
}

@Suite("The report of a trap")
struct TrapReportTests {
    @Test("The report of a trap has seed, time, user and the replay command, and exit code 70")
    func report() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(70), observing: [\.standardErrorContent]
        ) {
            TrapReport.install()
            TrapReport.describe("profile storm, seed 7", replayCommand: "squall run storm --seed 7")
            let simulation = Simulation()
            simulation.spawn {
                try? await simulation.sleep(nanoseconds: 12_345_678_901)
                TrapReport.note(user: 17)
                precondition(simulation.now == .start, "never")
            }
            _ = try? simulation.run(until: Instant(nanoseconds: .max / 2))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("at virtual time 12.345678901 s, with user 17 last at work"))
        #expect(text.contains("profile storm, seed 7"))
        #expect(text.contains("repeats it:\n  squall run storm --seed 7\n"))
    }

    @Test("Recursion without end is told of, although the stack is full")
    func overflow() async throws {
        let result = await #expect(
            processExitsWith: .exitCode(70), observing: [\.standardErrorContent]
        ) {
            TrapReport.install()
            func deeper(_ depth: Int) -> Int { depth < 0 ? 0 : deeper(depth + 1) + depth }
            exit(Int32(truncatingIfNeeded: deeper(0)))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("recursed without end (signal 11)"))
    }
}
