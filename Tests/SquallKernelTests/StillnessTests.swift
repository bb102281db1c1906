import Testing

@testable import SquallKernel

@Suite("Time that stands still")
struct StillnessTests {
    static let soon = Instant(nanoseconds: 1_000)

    @Test("Sleeping no time at all for ever is noticed")
    func zeroSleep() {
        let simulation = Simulation(itemsPerInstantMax: 1_000)
        simulation.spawn { while true { try? await Task.sleep(for: .zero) } }
        #expect(throws: SimulationError.self) { try simulation.run(until: Self.soon) }
        #expect(simulation.now == .start)
    }

    @Test("Events without a delay for ever are noticed")
    func zeroDelay() {
        let simulation = Simulation(itemsPerInstantMax: 1_000)
        let loop = Loop(simulation)
        loop.begin()
        #expect(throws: SimulationError.self) { try simulation.run(until: Self.soon) }
    }

    @Test("A task beside an endless loop still ends, and a second run ends as well")
    func tearDown() {
        let simulation = Simulation(itemsPerInstantMax: 1_000)
        Loop(simulation).begin()
        #expect(throws: SimulationError.self) { try simulation.run(until: Self.soon) }
        let ended = Ended()
        simulation.spawn { ended.isSet = true }
        #expect(throws: SimulationError.self) { try simulation.run(until: simulation.now) }
        #expect(ended.isSet)
    }

    @Test("A stop ends the loop before the limit does")
    func stop() throws {
        let simulation = Simulation()
        Loop(simulation).begin()
        simulation.checkpoint = { simulation.stop() }
        #expect(try simulation.run(until: Self.soon) == .stopped)
        #expect(simulation.itemsRun < 10_000)
    }

    @Test("A crowd at one instant may do far more than somebody alone")
    func crowd() throws {
        let simulation = Simulation(itemsPerInstantMax: 1_000)
        for _ in 0..<1_000 {
            simulation.spawn { for _ in 0..<100 { await Task.yield() } }
        }
        #expect(try simulation.run(until: Self.soon) == .quiescent)
        #expect(simulation.itemsRun > 100_000)
    }

    @Test("The count begins anew when time moves")
    func moves() throws {
        let simulation = Simulation(itemsPerInstantMax: 1_000)
        simulation.spawn {
            for _ in 0..<50 {
                for _ in 0..<300 { await Task.yield() }
                try? await Task.sleep(for: .seconds(1))
            }
        }
        let end = Instant(nanoseconds: 1_000_000_000_000)
        #expect(try simulation.run(until: end) == .quiescent)
    }

    @Test("Ten million at one instant are no loop, one at the same instant for ever is")
    func limits() {
        var crowd = Stillness()
        for _ in 0..<150 { #expect(crowd.round(of: 10_000_000, limit: 200_000) == nil) }
        var alone = Stillness()
        var rounds = 0
        while alone.round(of: 1, limit: 200_000) == nil { rounds += 1 }
        #expect(rounds == 200_000)
        // After a round of ten thousand each of them may do two hundred things, in whatever rounds.
        var rest = Stillness()
        #expect(rest.round(of: 10_000, limit: 200_000) == nil)
        rounds = 0
        while rest.round(of: 50, limit: 200_000) == nil { rounds += 1 }
        #expect(rounds == (200 * 10_000 - 10_000) / 50)
    }
}

/// An event that schedules itself at the same instant.
private final class Loop {
    private let simulation: Simulation
    private var handler: EventHandler?

    init(_ simulation: Simulation) {
        self.simulation = simulation
        handler = simulation.register { [self] _ in begin() }
    }

    func begin() {
        guard let handler else { return }
        simulation.schedule(handler, argument: 0, at: simulation.now)
    }
}

private final class Ended: @unchecked Sendable {
    // Safe because the simulation has one thread.
    var isSet = false
}
