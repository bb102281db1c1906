import Testing

@testable import SquallKernel

@Suite("Scheduling policies")
struct SchedulingTests {
    @Test("A policy is shown what could run: its kind, label, number and user, oldest first")
    func identities() throws {
        let simulation = Simulation(policy: Onlooker())
        let patience = simulation.register(.timer("patience") { .init(number: 7, user: $0) }) { _ in
        }
        let arrival = simulation.register(.message("arrival") { .init(user: $0) }) { _ in }
        simulation.schedule(patience, argument: 3, at: .start)
        simulation.schedule(arrival, argument: 4, at: .start)
        simulation.spawn(of: 5) { try? await simulation.sleep(nanoseconds: 10) }
        simulation.spawn { try? await simulation.sleep(nanoseconds: 10) }
        _ = try simulation.run(until: Instant(nanoseconds: 20))
        let seen = (simulation.policy as? Onlooker)?.seen.map(\.text)
        #expect(
            seen == [
                "task 0 of 5, task 1", "patience 7 of 3, arrival 0 of 4", "sleep 0 of 5, sleep 1",
                "sleep 1, task 0 of 5", "task 0 of 5, task 1",
            ])
    }

    @Test("A task keeps its number and user wherever it goes on, and so do those it starts")
    func inheritance() throws {
        let simulation = Simulation(policy: Onlooker())
        simulation.spawn(of: 9) {
            await Task.yield()
            await Task { await Gate().pass() }.value
        }
        simulation.spawn(of: 8) { await onMain() }
        _ = try simulation.run(until: Instant(nanoseconds: 1))
        let events = (simulation.policy as? Onlooker)?.seen.flatMap { $0 } ?? []
        #expect(Set(events.filter { $0.user == 9 }.map(\.number)) == [0, 2])
        #expect(events.contains { $0.kind == .mainTask && $0.user == 8 && $0.number == 1 })
        #expect(events.allSatisfy { $0.user != nil })
    }

    @Test("Of many tasks that take turns each keeps its number and its user")
    func turns() throws {
        let simulation = Simulation(policy: Onlooker())
        for user in 0..<9 as Range<UInt64> {
            simulation.spawn(of: user) { for _ in 0..<3 { await Task.yield() } }
        }
        _ = try simulation.run(until: Instant(nanoseconds: 1))
        let events = (simulation.policy as? Onlooker)?.seen.flatMap { $0 } ?? []
        #expect(Set(events.map { [$0.number, $0.user] }) == Set((0..<9).map { [$0, $0] }))
    }

    @Test(
        "A policy is shown the same candidates in every run of the same choices", arguments: 1...20)
    func repeatable(seed: UInt64) throws {
        let shown = try (0..<2).map { _ in
            let simulation = Simulation(policy: Onlooker(then: RandomSchedule(seed: seed)))
            for user in 0..<4 as Range<UInt64> {
                simulation.spawn(of: user) {
                    await withTaskGroup { group in
                        for _ in 0..<3 { group.addTask { await Gate().pass() } }
                    }
                    try? await simulation.sleep(nanoseconds: 1)
                }
            }
            _ = try simulation.run(until: Instant(nanoseconds: 9))
            return (simulation.policy as? Onlooker)?.seen
        }
        #expect(shown[0] == shown[1] && shown[0]?.isEmpty == false)
    }
}

/// Remembers what it is shown and leaves the choice to another policy.
private struct Onlooker: SchedulingPolicy {
    private(set) var seen: [[ReadyEvent]] = []
    private var policy: any SchedulingPolicy

    init(then policy: any SchedulingPolicy = FirstInFirstOut()) { self.policy = policy }

    mutating func choose(among ready: [ReadyEvent]) -> Int {
        seen.append(ready)
        return policy.choose(among: ready)
    }
}

extension [ReadyEvent] {
    fileprivate var text: String {
        map { "\($0.label) \($0.number)" + ($0.user.map { " of \($0)" } ?? "") }
            .joined(separator: ", ")
    }
}

private actor Gate {
    func pass() async { await Task.yield() }
}

@Suite("Priorities of chains")
struct PriorityChangePointsTests {
    @Test(
        "Messages of one number are things of their own where they are of other users, or of none",
        arguments: [(1, 2), (nil, 1), (nil, nil)] as [(UInt64?, UInt64?)])
    func users(one: UInt64?, other: UInt64?) {
        let ready = [one, other].enumerated().map { place, user in
            ReadyEvent(
                .message, "answer", of: .init(number: 7, user: user), ordinal: UInt64(place))
        }
        let chosen = Set(
            (1...20 as ClosedRange<UInt64>).map { seed -> Int in
                var policy = PriorityChangePoints(seed: seed, depth: 1, length: 9)
                return policy.choose(among: ready)
            })
        #expect(chosen == (one == other ? [0] : [0, 1]))
    }

    @Test("Spans are whole nanoseconds, rounded up, and none is negative")
    func spans() {
        let spans: [Duration] = [
            .milliseconds(3_900), .nanoseconds(1), .zero, .seconds(-1), .seconds(Int64.max),
            Duration(secondsComponent: 3, attosecondsComponent: 900_000_000_000_000_001),
        ]
        #expect(
            spans.map(\.wholeNanoseconds) == [3_900_000_000, 1, 0, 0, .max, 3_900_000_001])
    }

    @Test("Spans are exact nanoseconds, cut toward zero, and none is longer than 292 years")
    func exactSpans() {
        let days: Duration = .seconds(200 * 86_400) + .nanoseconds(1)
        let behind = Duration(secondsComponent: -3, attosecondsComponent: -900_000_000_999_999_999)
        #expect(days.nanosecondsClamped == 17_280_000_000_000_001)
        #expect(Duration.milliseconds(295_149).nanosecondsClamped == 295_149_000_000)
        #expect(behind.nanosecondsClamped == -3_900_000_000)
        #expect(Duration.seconds(Int64.max).nanosecondsClamped == .max)
        #expect(Duration.seconds(Int64.min).nanosecondsClamped == .min)
    }
}

@MainActor private func onMain() async { await Task.yield() }
