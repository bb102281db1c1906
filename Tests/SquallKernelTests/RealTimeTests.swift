import Foundation
import Testing

@testable import SquallKernel

@Suite("Real time")
struct RealTimeTests {
    @Test("Time follows the clock, and what is due comes at its instant", arguments: [1.0, 4])
    func follow(speed: Double) throws {
        let simulation = Simulation()
        let world = ScriptedWorld(simulation, turns: 4)
        let seen = Recorder<Int64>()
        let handler = simulation.register { _ in seen.append(simulation.now.nanoseconds) }
        for time in [400, 1_200] as [Int64] {
            simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: time))
        }
        try RealTimeDriver(simulation, in: world, speed: speed).run()
        #expect(seen.values == [400, 1_200])
        let waits = [Int64(400 / speed), Int64(800 / speed)]
        #expect(world.waits.prefix(2) == waits[...])
        #expect(simulation.now.nanoseconds == Int64(Double(world.nanoseconds - 1_000) * speed))
    }

    @Test("A wait that ends late is measured, and what was due still sees its own instant")
    func lateness() throws {
        let simulation = Simulation()
        let world = ScriptedWorld(simulation, turns: 1)
        world.oversleeps = 70
        let seen = Recorder<Int64>()
        let handler = simulation.register { _ in seen.append(simulation.now.nanoseconds) }
        simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: 50))
        try RealTimeDriver(simulation, in: world).run()
        #expect(seen.values == [50])
        #expect(world.lateness == [70])
        #expect(simulation.now.nanoseconds == 120)
    }

    @Test("An event from outside enters at the present instant, after those due before")
    func arrivals() throws {
        let simulation = Simulation()
        let world = ScriptedWorld(simulation, turns: 1)
        let seen = Recorder<String>()
        let due = simulation.register { _ in seen.append("due \(simulation.now.nanoseconds)") }
        let arrives = simulation.register { _ in
            seen.append("arrived \(simulation.now.nanoseconds)")
        }
        simulation.schedule(due, argument: 0, at: Instant(nanoseconds: 30))
        world.oversleeps = 5
        world.entering = { simulation.makeReady(arrives, argument: 0) }
        try RealTimeDriver(simulation, in: world).run()
        #expect(seen.values == ["due 30", "arrived 35"])
    }

    @Test("The next event due is found at any distance", arguments: 1...20)
    func nextDue(seed: Int) throws {
        let stream = RandomStream(seed: UInt64(seed)).stream("due")
        let simulation = Simulation()
        let handler = simulation.register { _ in }
        let times = (0..<50).map { Int64(stream.bits(at: $0) >> (24 + $0 % 3 * 12)) }
        for time in times {
            simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: time))
        }
        for time in times.sorted() {
            #expect(try #require(simulation.nextDue).nanoseconds <= time)
            _ = try simulation.run(until: Instant(nanoseconds: time))
            #expect(simulation.nextDue.map { $0.nanoseconds > time } ?? true)
        }
        #expect(simulation.nextDue == nil)
        simulation.makeReady(handler, argument: 0)
        #expect(simulation.nextDue == simulation.now)
    }

    @Test("The next event due is the same where a policy decides")
    func nextDueChosen() throws {
        let simulation = Simulation(recordsChoices: true)
        let handler = simulation.register { _ in }
        simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: 90))
        #expect(simulation.nextDue == Instant(nanoseconds: 90))
        #expect(try simulation.follow(until: Instant(nanoseconds: 100)) == .quiescent)
        #expect(simulation.now == Instant(nanoseconds: 100))
    }

    @Test("A simulation that follows real time ends the program where another thread uses it")
    func owner() async {
        await #expect(processExitsWith: .failure) {
            let simulation = Simulation()
            let handler = simulation.register { _ in }
            try simulation.follow(until: Instant(nanoseconds: 5))
            let thread = Thread {
                simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: 9))
            }
            thread.start()
            while !thread.isFinished { await Task.yield() }
        }
    }
}

/// A clock that moves only while it is waited for.
private final class ScriptedWorld: RealTimeSurroundings {
    let simulation: Simulation
    private(set) var nanoseconds: Int64 = 1_000
    private var turns: Int
    var oversleeps: Int64 = 0
    var entering: () -> Void = {}
    private(set) var waits: [Int64] = []
    private(set) var lateness: [Int64] = []

    init(_ simulation: Simulation, turns: Int) {
        (self.simulation, self.turns) = (simulation, turns)
    }

    var isOver: Bool { turns == 0 }

    func wait(nanoseconds span: Int64) {
        turns -= 1
        waits.append(span)
        nanoseconds += span + oversleeps
    }

    func enter() { entering() }
    func send() {}
    func note(latenessNanoseconds late: Int64) { lateness.append(late) }
}
