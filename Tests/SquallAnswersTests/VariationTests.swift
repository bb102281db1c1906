import SquallBackend
@testable import SquallAnswers
import SquallFormat
@testable import SquallLab
import SquallReport
import Testing

@testable import SquallProof

@Suite("Varied settings and their values")
struct VariationTests {
    private static func variation(
        _ name: String, of load: QueueWorld.Load = .open(rate: 3)
    ) throws -> Variation {
        try Variation(
            name, of: QueueWorld.experiment(load, seed: 1, duration: "20s", threshold: "p(95)<1s"))
    }

    @Test(
        "A list has each value once, in steps of a factor or of an amount, its ends included",
        arguments: [
            ("1,2,5", [1, 2, 5]), ("5,1", [5, 1]), ("100..1600/5", [100, 200, 400, 800, 1_600]),
            ("100..400+100", [100, 200, 300, 400]), ("1..2+0.25", [1, 1.25, 1.5, 1.75, 2]),
            ("0.1..0.4+0.1", [0.1, 0.2, 0.3, 0.4]), ("1..2/2", [1, 2]),
            ("100..350+100", [100, 200, 300]),
            ("", nil), ("1,x", nil), ("2..1/3", nil), ("2..2/3", nil),
            ("0..5+1", nil), ("1..2", nil), ("1..2/1", nil), ("1..2/1001", nil), ("1..2+0", nil),
            ("1..1001+1", nil), ("1..2/x", nil), ("x..2/3", nil), ("1..x/3", nil),
        ] as [(String, [Double]?)])
    func lists(text: String, values: [Double]?) throws {
        #expect(try ValueList(text, Self.variation("rate"))?.values == values)
    }

    @Test("A range has up to 1 000 values, and so has a list; of whole ones each once")
    func longLists() throws {
        let rate = try Self.variation("rate")
        #expect(ValueList("1..1000+1", rate)?.values.count == 1_000)
        #expect(ValueList("1..10000/1000", rate)?.values.count == 1_000)
        let most = (1...1_000).map { "\($0)" }.joined(separator: ",")
        #expect(ValueList(most, rate)?.values.count == 1_000)
        #expect(ValueList(most + ",1001", rate) == nil)
        #expect(try ValueList("1..4/9", Self.variation("users"))?.values == [1, 2, 3, 4])
    }

    @Test(
        "A varied setting has a name, today's value, a least one and a kind",
        arguments: [
            ("users", "users", 7, 1, true, .count, true),
            ("rate", "sessions/s", 3, 0, false, .number, true),
            ("backend.server.workers", "workers", 64, 0, true, .count, false),
            (
                "backend.tokens.accessLifetime", "access lifetime", 300e9, 0, true, .nanoseconds,
                false
            ),
            ("populations[0].retryPolicy.budget", "budget", 0.1, 0, false, .number, false),
        ] as [(String, String, Double, Double, Bool, NumberUnit, Bool)])
    func kinds(
        name: String, noun: String, today: Double, least: Double, isWhole: Bool, unit: NumberUnit,
        isLoad: Bool
    ) throws {
        let variation = try Self.variation(
            name, of: name == "users" ? .closed(users: 7) : .open(rate: 3))
        #expect(variation.noun == noun && variation.today == today && variation.least == least)
        #expect(variation.isWhole == isWhole && variation.unit == unit)
        #expect(variation.isLoad == isLoad)
    }

    @Test(
        "A value is told as people read it",
        arguments: [
            ("users", 12_345.4, "12 345"), ("rate", 12.345_67, "12.35"),
            ("backend.server.workers", 1_000, "1 000"),
            ("backend.tokens.accessLifetime", 90e9, "1m30s"),
            ("populations[0].retryPolicy.budget", 0.123_45, "0.1235"),
        ])
    func texts(name: String, value: Double, text: String) throws {
        let variation = try Self.variation(
            name, of: name == "users" ? .closed(users: 7) : .open(rate: 3))
        #expect(variation.text(value) == text)
    }

    @Test("Outside of what a setting can have, the limit is named")
    func limits() throws {
        let users = try Self.variation("users", of: .closed(users: 7))
        #expect(try users.profile(at: 1).users == 1)
        #expect(throws: PlanningProblem("--vary users must be at least 1, got 0")) {
            try users.profile(at: 0)
        }
        let most = Double(Profile.usersRange.upperBound)
        #expect(try users.profile(at: most).users == Profile.usersRange.upperBound)
        let above = #expect(throws: PlanningProblem.self) { try users.profile(at: most + 1) }
        #expect(above?.description.hasPrefix("--vary users must be at most ") == true)
        let rate = try Self.variation("rate")
        #expect(try rate.profile(at: 6).plannedSessionsPerSecond == 6)
        #expect(throws: PlanningProblem.self) { try rate.profile(at: -1) }
        #expect(throws: PlanningProblem.self) { try rate.profile(at: ArrivalShapes.rateMax * 2) }
        let workers = try Self.variation("backend.server.workers")
        #expect(try workers.profile(at: 9).backend.server.workers == 9)
    }

    @Test("A value that is fixed stays while another setting is varied")
    func fixed() throws {
        let workers = try Self.variation("backend.server.workers")
        let fixed = try workers.experiment(fixedAt: 5)
        let both = try Variation("rate", of: fixed).profile(at: 12)
        #expect(both.backend.server.workers == 5 && both.plannedSessionsPerSecond == 12)
        let users = try Self.variation("users", of: .closed(users: 7)).experiment(fixedAt: 3)
        #expect(users.profile.users == 3)
        let rate = try Self.variation("rate").experiment(fixedAt: 9)
        #expect(rate.profile.plannedSessionsPerSecond == 9)
    }

    @Test("A setting that cannot be varied is refused with those that can")
    func refused() throws {
        let closed = #expect(throws: PlanningProblem.self) {
            try Self.variation("rate", of: .closed(users: 7))
        }
        #expect(closed?.description.contains("all of this profile's are closed") == true)
        let unknown = #expect(throws: PlanningProblem.self) { try Self.variation("user") }
        #expect(unknown?.description.hasSuffix("got 'user'. Did you mean 'users'?") == true)
    }
}
