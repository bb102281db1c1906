import SquallBackend
import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallRaces

@Suite("The world of a drill")
struct DrillWorldTests {
    /// The causes of what is wrong when a drill is played with a client.
    private static func causes(_ drill: Drill, _ app: @escaping PocketWorld.App) throws -> [String]
    {
        let subject = DrillSubject(
            drill: drill, server: .strict, client: PocketUnderTest(app: app), plan: .small(1))
        return try subject.play(Schedule(FirstInFirstOut(), windowNanoseconds: 0)).violations
            .map(\.cause)
    }

    /// A world in which nothing has happened.
    private static func pocket() -> (PocketWorld, ServerConfiguration) {
        let setting = ServerConfiguration(PocketUnderTest(), .strict)
        let schedule = Schedule(FirstInFirstOut(), windowNanoseconds: 0)
        return (PocketWorld(.none, setting, schedule), setting)
    }

    @Test(
        "Two calls of a token that is never good may cost sixteen requests, and no more",
        arguments: [Drill.shortToken, .alwaysExpired], [15, 16, 17])
    func requests(drill: Drill, count: Int) throws {
        let causes = try Self.causes(drill) { pocket in
            // The first call makes all of the requests.
            let sent = Notes()
            let call: DrillClient.Action = {
                while sent.words.count < count {
                    sent.add("a request")
                    _ = try await pocket.send(.get, "/posts", 0)
                }
                throw PocketClient.Failure("401")
            }
            return DrillClient(signIn: { _ in }, call: call)
        }
        #expect(causes.contains { $0.contains("16 requests") } == (count > 16), "\(causes)")
    }

    @Test("A client that goes on for ever while time stands still is said to do so")
    func spinning() throws {
        let causes = try Self.causes(.expiredToken) { _ in
            DrillClient(signIn: { _ in }, call: { while true { await Task.yield() } })
        }
        #expect(causes == ["endless"])
    }

    @Test(
        "A request that a drill makes fail fails with the drill's status",
        arguments: [
            (Drill.retryAfter, .refresh, [429]), (.outage, .ordinary, [401, 503]),
            (.refreshFailsOnce, .refresh, [503]), (.alwaysExpired, .ordinary, [401]),
        ] as [(Drill, Endpoint.Role, Set<Int>)])
    func statuses(drill: Drill, role: Endpoint.Role, statuses: Set<Int>) throws {
        let subject = DrillSubject(
            drill: drill, server: .strict, client: PocketUnderTest(), plan: .small(1))
        let schedule = Schedule(FirstInFirstOut(), windowNanoseconds: 0, keepsHistory: true)
        let history = try #require(try subject.play(schedule).history)
        let seen = history.events.filter { $0.kind == .answered && $0.role == role }
            .compactMap(\.status).filter { $0 >= 400 }
        #expect(Set(seen) == statuses)
    }

    @Test("A wait for a moment that has come or passed ends at once")
    func waiting() throws {
        let (pocket, setting) = Self.pocket()
        let order = Notes()
        _ = try pocket.run(for: .seconds(9)) {
            let world = try DrillWorld(setting, on: pocket)
            await world.wait(until: .seconds(2))
            Task { order.add("another task") }
            await world.wait(until: .seconds(2))
            await world.wait(until: .seconds(1))
            order.add("on at \(world.now)")
            await world.wait(until: .seconds(3))
            order.add("on at \(world.now)")
        }
        #expect(order.words == ["on at 2.0 seconds", "another task", "on at 3.0 seconds"])
    }

    @Test("Only changes that the server has made count as changes")
    func writes() throws {
        let (pocket, setting) = Self.pocket()
        let world = try DrillWorld(setting, on: pocket)
        func counts(_ change: (inout RaceEvent) -> Void = { _ in }) -> Bool {
            let before = world.writesDone
            var event = RaceEvent(.served, at: 0)
            (event.isWrite, event.role, event.meaning) = (true, .ordinary, .success)
            event.endpoint = pocket.tap.recorder.name("posts")
            change(&event)
            pocket.tap.recorder.note(event)
            return world.writesDone > before
        }
        #expect(counts() && !counts { $0.kind = .sent } && !counts { $0.isWrite = false })
        #expect(!counts { $0.role = .refresh } && !counts { $0.meaning = .failure })
        let logOut = try #require(setting.client.logOut)
        #expect(!counts { $0.endpoint = pocket.tap.recorder.name(logOut) })
    }

    @Test("Refreshes are counted from one moment until before another")
    func refreshes() throws {
        let (pocket, setting) = Self.pocket()
        let world = try DrillWorld(setting, on: pocket)
        for (role, second) in [(.refresh, 1), (.refresh, 2), (.refresh, 3), (.ordinary, 2)]
            as [(Endpoint.Role, Int64)]
        {
            for kind in [.sent, .served] as [RaceEvent.Kind] {
                var event = RaceEvent(kind, at: second * 1_000_000_000)
                event.role = role
                pocket.tap.recorder.note(event)
            }
        }
        #expect(world.refreshesSent(from: .seconds(1), until: .seconds(3)) == 2)
        #expect(world.refreshesSent(from: .milliseconds(1_001), until: .milliseconds(3_001)) == 2)
    }
}

/// Words in the order in which they were said, on one thread.
private final class Notes: @unchecked Sendable {
    // Safe because everything happens on the thread that runs its world.
    private(set) var words: [String] = []
    func add(_ word: String) { words.append(word) }
}
