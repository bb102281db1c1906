import Synchronization
import Testing

@testable import SquallKernel

@Suite("Choosing among what is not due yet")
struct WindowTests {
    /// Two events, ten nanoseconds apart, under a policy that prefers the newest: their arguments
    /// and the moments at which they happened.
    private func order(window: Int64) throws -> [[UInt64]] {
        let simulation = Simulation(policy: NewestFirst(), windowNanoseconds: window)
        let seen = Mutex<[[UInt64]]>([])
        let handler = simulation.register { argument in
            seen.withLock { $0.append([argument, UInt64(simulation.now.nanoseconds)]) }
        }
        simulation.schedule(handler, argument: 1, at: Instant(nanoseconds: 10))
        simulation.schedule(handler, argument: 2, at: Instant(nanoseconds: 20))
        _ = try simulation.run(until: Instant(nanoseconds: 100))
        return seen.withLock { $0 }
    }

    static let windows: [Int64] = [0, 9, 10, .max]
    static let orders: [[[UInt64]]] = [
        [[1, 10], [2, 20]], [[1, 10], [2, 20]], [[2, 20], [1, 20]], [[2, 20], [1, 20]],
    ]

    @Test(
        "An event may be overtaken by those within the window and be late, never early",
        arguments: zip(windows, orders))
    func window(nanoseconds: Int64, expected: [[UInt64]]) throws {
        #expect(try order(window: nanoseconds) == expected)
    }

    @Test("An event moved to the front keeps the window of the oldest one")
    func front() throws {
        let simulation = Simulation(policy: NewestFirst(), windowNanoseconds: 20)
        let seen = Mutex<[UInt64]>([])
        let other = simulation.register { argument in seen.withLock { $0.append(argument) } }
        let handler = simulation.register { argument in
            seen.withLock { $0.append(argument) }
            if argument == 2 { simulation.makeNext(other, argument: 3) }
        }
        for (argument, instant) in [(1, 10), (2, 20), (4, 40)] as [(UInt64, Int64)] {
            simulation.schedule(
                handler, argument: argument, at: Instant(nanoseconds: instant))
        }
        _ = try simulation.run(until: Instant(nanoseconds: 100))
        #expect(seen.withLock { $0.first == 2 && $0.last == 4 })
    }

    @Test("First in, first out is the same whether a policy is asked or not", arguments: 1...20)
    func sameAsWithout(seed: UInt64) throws {
        let lines = try [false, true].map { records in
            let simulation = Simulation(recordsChoices: records)
            let log = Mutex<[String]>([])
            let stream = RandomStream(seed: seed)
            for user in 0..<5 as Range<UInt64> {
                simulation.spawn(of: user) {
                    for step in 0..<4 as Range<UInt64> {
                        let span = stream.stream(number: user).integer(below: 3, at: step)
                        try? await simulation.sleep(nanoseconds: Int64(span))
                        log.withLock { $0.append("\(user) \(simulation.now.nanoseconds)") }
                        await Task.yield()
                    }
                }
            }
            _ = try simulation.run(until: Instant(nanoseconds: 50))
            return log.withLock { $0 }
        }
        #expect(lines[0] == lines[1] && lines[0].count == 20)
    }

    @Test("On a suspended device nothing happens until it is resumed, and then at once")
    func suspension() throws {
        let simulation = Simulation(policy: RandomSchedule(seed: 1))
        let woke = Mutex<[Int64]>([])
        for user in 0..<2 as Range<UInt64> {
            simulation.spawn(of: user) {
                try? await simulation.sleep(nanoseconds: 10)
                woke.withLock { $0.append(Int64(user) * 1_000 + simulation.now.nanoseconds) }
            }
        }
        _ = try simulation.run(until: Instant(nanoseconds: 5))
        simulation.suspendDevice(of: 1)
        let resume = simulation.register { _ in simulation.resumeDevice(of: 1) }
        simulation.schedule(resume, argument: 0, at: Instant(nanoseconds: 50))
        _ = try simulation.run(until: Instant(nanoseconds: 49))
        #expect(woke.withLock { $0 } == [10])
        _ = try simulation.run(until: Instant(nanoseconds: 60))
        #expect(woke.withLock { $0 } == [10, 1_050])
    }

    @Test("Tasks of a killed device never go on, and those begun after the restart do")
    func kill() throws {
        let simulation = Simulation(policy: RandomSchedule(seed: 1))
        let lines = Mutex<[String]>([])
        let life = { @Sendable (name: String) in
            simulation.spawn(of: 3) {
                try? await simulation.sleep(nanoseconds: 10)
                lines.withLock { $0.append(name) }
            }
        }
        life("first")
        _ = try simulation.run(until: Instant(nanoseconds: 5))
        simulation.killTasks(of: 3)
        life("second")
        _ = try simulation.run(until: Instant(nanoseconds: 50))
        #expect(lines.withLock { $0 } == ["second"])
        simulation.releaseDevices()
        _ = try simulation.run(until: Instant(nanoseconds: 60))
        #expect(lines.withLock { $0 } == ["second", "first"])
    }

    @Test("A task that becomes ready runs before one due later that could already be chosen")
    func readyFirst() throws {
        let simulation = Simulation(policy: OldestFirst(), windowNanoseconds: 1_000)
        let seen = Mutex<[String]>([])
        let note = { @Sendable (name: String) in
            seen.withLock { $0.append("\(name) \(simulation.now.nanoseconds)") }
        }
        let later = simulation.register { _ in note("later") }
        let first = simulation.register { _ in note("first") }
        let second = simulation.register { _ in
            note("second")
            simulation.spawn { note("task") }
        }
        simulation.schedule(later, argument: 0, at: Instant(nanoseconds: 50))
        // With this one all three can be chosen; only the next becomes due before the last.
        simulation.schedule(first, argument: 0, at: Instant(nanoseconds: 10))
        simulation.schedule(second, argument: 0, at: Instant(nanoseconds: 20))
        _ = try simulation.run(until: Instant(nanoseconds: 100))
        #expect(seen.withLock { $0 } == ["first 10", "second 20", "task 20", "later 50"])
    }

    @Test(
        "A sleep that is taken back in the background ends in front, and leaves nothing behind"
    )
    func cancelledInBackground() throws {
        weak var left: Simulation?
        do {
            let simulation = Simulation(policy: RandomSchedule(seed: 1))
            left = simulation
            try cancelsInBackground(simulation)
        }
        #expect(left == nil)
    }

    private func cancelsInBackground(_ simulation: Simulation) throws {
        let (ends, tasks) = (Recorder<String>(), Recorder<Task<Void, Never>>())
        simulation.spawn(of: 1) {
            tasks.append(
                Task {
                    do {
                        try await simulation.sleep(nanoseconds: 10)
                        ends.append("woke")
                    } catch { ends.append("cancelled") }
                })
        }
        _ = try simulation.run(until: Instant(nanoseconds: 5))
        simulation.suspendDevice(of: 1)
        _ = try simulation.run(until: Instant(nanoseconds: 20))
        simulation.spawn { for task in tasks.values { task.cancel() } }
        _ = try simulation.run(until: Instant(nanoseconds: 30))
        #expect(ends.values.isEmpty)
        simulation.resumeDevice(of: 1)
        _ = try simulation.run(until: Instant(nanoseconds: 40))
        #expect(ends.values == ["cancelled"])
    }

    @Test("Taking back an event that could be chosen keeps it from happening")
    func cancelling() throws {
        let simulation = Simulation(policy: NewestFirst())
        let seen = Mutex<[UInt64]>([])
        let handler = simulation.register { argument in seen.withLock { $0.append(argument) } }
        let first = simulation.schedule(handler, argument: 1, at: Instant(nanoseconds: 10))
        let second = simulation.register { _ in #expect(simulation.cancel(first)) }
        simulation.schedule(second, argument: 0, at: Instant(nanoseconds: 10))
        _ = try simulation.run(until: Instant(nanoseconds: 20))
        #expect(seen.withLock { $0 }.isEmpty)
    }
}

/// First in, first out, as a policy that is asked.
private struct OldestFirst: SchedulingPolicy {
    func choose(among ready: [ReadyEvent]) -> Int { 0 }
}

/// Prefers whatever came last.
private struct NewestFirst: SchedulingPolicy {
    func choose(among ready: [ReadyEvent]) -> Int { ready.count - 1 }
}
