import Testing

@testable import SquallKernel

@Suite("Simulation")
struct SimulationTests {
    @Test("A moment beyond the last one is the last one")
    func lastMoment() {
        let late = Instant(nanoseconds: .max - 1).advanced(byNanoseconds: 5)
        #expect(late == Instant(nanoseconds: .max))
    }

    @Test("Events of one instant run in the order in which they were scheduled")
    func instantOrder() throws {
        let simulation = Simulation()
        let seen = Recorder<UInt64>()
        let handler = simulation.register { seen.append($0) }
        for argument in [3, 1, 2] as [UInt64] {
            simulation.schedule(handler, argument: argument, at: Instant(nanoseconds: 5))
        }
        #expect(try simulation.run(until: Instant(nanoseconds: 9)) == .quiescent)
        #expect(seen.values == [3, 1, 2])
    }

    @Test("A run stops at the asked-for end and goes on from there")
    func slices() throws {
        let simulation = Simulation()
        let seen = Recorder<Int64>()
        let handler = simulation.register { _ in seen.append(simulation.now.nanoseconds) }
        for time in [10, 20] {
            simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: Int64(time)))
        }
        #expect(try simulation.run(until: Instant(nanoseconds: 15)) == .reachedEnd)
        #expect(simulation.now.nanoseconds == 15)
        #expect(try simulation.run(until: Instant(nanoseconds: 30)) == .quiescent)
        #expect(seen.values == [10, 20])
    }

    @Test("A checkpoint comes after every few thousand things, and can stop the run there")
    func checkpoint() throws {
        let simulation = Simulation()
        let handler = simulation.register { _ in }
        for time in 0..<10_000 {
            simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: Int64(time)))
        }
        simulation.checkpoint = { if simulation.itemsRun > 5_000 { simulation.stop() } }
        #expect(try simulation.run(until: Instant(nanoseconds: 20_000)) == .stopped)
        #expect((5_001...10_000).contains(simulation.itemsRun))
        simulation.checkpoint = nil
        #expect(try simulation.run(until: Instant(nanoseconds: 20_000)) == .quiescent)
        #expect(simulation.itemsRun == 10_000)
    }

    @Test("A stopped run comes back at once and can go on")
    func stop() throws {
        let simulation = Simulation()
        let handler = simulation.register { _ in simulation.stop() }
        simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: 10))
        simulation.schedule(handler, argument: 0, at: Instant(nanoseconds: 20))
        #expect(try simulation.run(until: Instant(nanoseconds: 30)) == .stopped)
        #expect(simulation.now.nanoseconds == 10)
        #expect(try simulation.run(until: Instant(nanoseconds: 30)) == .stopped)
    }

    @Test(
        "First in, first out keeps creation order; a random schedule does not, and replays alike",
        arguments: 1...20)
    func schedules(seed: Int) throws {
        let base = try order(under: Simulation())
        let random = Simulation(policy: RandomSchedule(seed: UInt64(seed)), recordsChoices: true)
        let shuffled = try order(under: random)
        let replay = try order(under: Simulation(policy: ReplayedSchedule(random.choices)))
        #expect(base == Array(0..<20))
        #expect(shuffled != base)
        #expect(replay == shuffled)
    }

    @Test("A replay with too few or too large choices is still a schedule")
    func anyListIsASchedule() throws {
        let result = try order(under: Simulation(policy: ReplayedSchedule([900, 0, 900])))
        #expect(result == [19, 0, 18] + Array(1..<18))
    }

    @Test("The digest tells runs apart by time, kind, user, request, outcome and order")
    func digest() {
        let other = EventKind("other")
        var seen: Set<UInt64> = []
        for variant in 0..<7 {
            var digest = EventDigest()
            let kind = variant == 1 ? other : EventKind("event")
            let instant = Instant(nanoseconds: variant == 2 ? 1 : 0)
            if variant == 6 { digest.record(other, at: .start, user: 0, request: 0, outcome: 0) }
            digest.record(
                kind, at: instant, user: variant == 3 ? 1 : 0, request: variant == 4 ? 1 : 0,
                outcome: variant == 5 ? 1 : 0)
            seen.insert(digest.value)
        }
        #expect(seen.count == 7)
    }

    @Test("The journal shows every recorded event as a line")
    func journal() {
        let simulation = Simulation()
        let lines = Recorder<String>()
        simulation.journal = { lines.append($0) }
        simulation.record(EventKind("sent"), user: 7, request: 3, outcome: 200)
        #expect(lines.values == ["0 sent user=7 request=3 outcome=200"])
        #expect(simulation.digest.events == 1)
    }

    @Test("A cancelled event does not run")
    func cancel() throws {
        let simulation = Simulation()
        let seen = Recorder<UInt64>()
        let handler = simulation.register { seen.append($0) }
        let timer = simulation.schedule(handler, argument: 1, at: Instant(nanoseconds: 5))
        #expect(simulation.cancel(timer))
        #expect(try simulation.run(until: Instant(nanoseconds: 9)) == .quiescent)
        #expect(seen.values.isEmpty)
    }

    @Test(
        "Of several events only the cancelled ones do not run, with and without a policy",
        arguments: [false, true])
    func cancelSome(hasPolicy: Bool) throws {
        let simulation = hasPolicy ? Simulation(policy: RandomSchedule(seed: 1)) : Simulation()
        let seen = Recorder<UInt64>()
        let handler = simulation.register { seen.append($0) }
        let timers = (0..<5 as Range<UInt64>).map { number in
            simulation.schedule(
                handler, argument: number, at: Instant(nanoseconds: Int64(9 - number)))
        }
        #expect(simulation.cancel(timers[3]) && simulation.cancel(timers[1]))
        #expect(!simulation.cancel(timers[3]))
        _ = try simulation.run(until: Instant(nanoseconds: 9))
        #expect(seen.values == [4, 2, 0])
        #expect(!simulation.cancel(timers[0]))
    }
}

/// The order in which twenty tasks get to run that all become ready together.
private func order(under simulation: Simulation) throws -> [Int] {
    let seen = Recorder<Int>()
    for index in 0..<20 { simulation.spawn { seen.append(index) } }
    _ = try simulation.run(until: Instant(nanoseconds: 1))
    return seen.values
}
