import SquallBackend
import SquallFormat
import SquallReport
import Testing

@testable import SquallLab

@Suite("Audits")
struct AuditTests {
    /// How often each design was found wrong in one way: as built, and on the reference.
    private func found(
        _ kind: String, app: String, journey: String, backend: String, for duration: String = "2m"
    ) throws -> [Int64] {
        let rows = try PopulationTests.summary(
            of: app, journey: journey, backend: backend, duration: duration
        ).audits
        return ["asBuilt", "reference"].map { design in
            rows.first { $0.kind == kind && $0.design == design }?.count ?? 0
        }
    }

    /// Answers that may overtake each other, and answers that cannot.
    static let jittery = #"{"network": {"up": {"uniform": ["10ms", "2s"]}}}"#
    static let even = #"{"network": {"up": "20ms", "down": "20ms"}}"#

    @Test(
        "Hearts that are tapped quickly end up otherwise where writes can overtake each other")
    func likes() throws {
        let late = try found(
            "like.notAsTapped", app: "shareD", journey: "likeBurst", backend: Self.jittery)
        #expect(late.allSatisfy { $0 > 0 })
        let onTime = try found(
            "like.notAsTapped", app: "shareD", journey: "likeBurst", backend: Self.even)
        // In order only the app's own memory is left, which no reading ever sets back.
        #expect(zip(onTime, late).allSatisfy { $0 < $1 })
    }

    @Test("Pictures whose token expires while they wait for a connection stay empty as built")
    func pictures() throws {
        let slow = #"""
            {"network": {"up": {"uniform": ["10ms", "2s"]}}, "tokens": {"accessLifetime": "3s"}}
            """#
        let found = try found(
            "picture.notRefreshed", app: "thisBookThatBook", journey: "browse", backend: slow)
        #expect(found[0] > 2 * found[1])
    }

    @Test("A question of Share.D can be paid for twice, and the ledger shows it")
    func purchases() throws {
        let summary = try PopulationTests.summary(
            of: "shareD", journey: "buy", backend: Self.even, duration: "10m")
        let twice = summary.audits.filter { $0.kind == "purchase.twice" }
        let seen = summary.audits.filter { $0.kind == "chargedTwice" }
        #expect(!twice.isEmpty && !seen.isEmpty)
        #expect(twice.allSatisfy { $0.example.hasPrefix("user ") && $0.example.contains("post ") })
    }

    @Test(
        "이책저책 takes money twice where validations fail, and nowhere else",
        arguments: [(0.0, false), (0.5, true)])
    func failedValidations(probability: Double, isSeen: Bool) throws {
        let backend = """
            {"network": {"up": {"uniform": ["10ms", "2s"]}}, "faults": [{"kind": "serverError",
              "at": "0s", "status": 500, "probability": \(probability),
              "endpoints": ["validatePayment"]}]}
            """
        let kinds = try PopulationTests.summary(
            of: "thisBookThatBook", journey: "buy", backend: backend, duration: "10m"
        ).audits.map(\.kind)
        #expect(kinds.contains("chargedTwice") == isSeen)
        #expect(!kinds.contains("purchase.twice") && !kinds.contains("stale.lock"))
    }

    @Test(
        "Each visit to the payment page is counted by what became of it",
        arguments: [
            (#""cancelProbability": 1"#, "cancelled"),
            (#""cancelProbability": 0, "noCallbackProbability": 1"#, "unbooked"),
            (#""cancelProbability": 0, "lostReceiptProbability": 1"#, "unbooked"),
            (#""cancelProbability": 0"#, "booked"),
        ])
    func payments(plan: String, status: String) throws {
        let summary = try PopulationTests.summary(
            of: "shareD", journey: "buy", backend: #"{"payments": {"duration": "3s", \#(plan)}}"#)
        let counts = summary.series(of: .payments).filter { $0.count != 0 }
        let visits = summary.steps.filter { $0.step == "pay" }
        #expect(
            counts.map(\.tags)
                == ["asBuilt", "reference"].map {
                    [.population: $0, .app: "shareD", .design: $0, .status: status]
                })
        #expect(counts.map(\.count) == visits.map(\.count))
        #expect(visits.allSatisfy { $0.count > 5 })
        let lines = TextSummary(summary, style: TerminalStyle(isOn: false), isFull: true).text
            .split(separator: "\n")
        let heading = ["population", "booked", "not", "booked", "cancelled", "refused"]
        #expect(lines.contains { $0.split(separator: " ") == heading.map { $0[...] } })
    }

    @Test("A page that is asked for twice is shown twice, and nothing is left out")
    func lists() throws {
        let repeated = try found(
            "list.repeated", app: "shareD", journey: "scroll", backend: Self.even, for: "80s")
        let skipped = try found(
            "list.skipped", app: "shareD", journey: "scroll", backend: Self.even, for: "80s")
        #expect(repeated.allSatisfy { $0 > 0 } && skipped == [0, 0])
    }

    @Test("Audit findings can have a threshold, also kinds that never occurred")
    func thresholds() throws {
        let summary = try PopulationTests.summary(
            of: "shareD", journey: "scroll", backend: Self.even, duration: "80s",
            thresholds: """
                {"audit_findings{cause:list.repeated}": ["count==0"],
                 "audit_findings{cause:list.skipped}": ["count==0"]}
                """)
        #expect(summary.thresholds.map(\.ok) == [false, true])
    }

    @Test("Each kind of finding and its outcomes have words for a count, another has its name")
    func words() {
        #expect(AuditKind.installed.count > 10)
        for known in AuditKind.installed {
            for kind in [known.name, known.name + ".posts"] {
                #expect(AuditKind.words(of: kind, count: 1) == known.one)
                #expect(AuditKind.words(of: kind, count: 2) == known.many)
            }
        }
        #expect(AuditKind.words(of: "chargedTwiceOver", count: 1) == "chargedTwiceOver")
    }

    @Test("The first example stays, counts add up, and rows are in order")
    func ledger() {
        var ledger = AuditLedger()
        for (kind, user) in [("b", 1), ("a", 2), ("b", 3)] {
            ledger.note(kind, in: 0, count: 2) { "user \(user)" }
        }
        ledger.note("c", in: 0, count: 0) { "user 9" }
        let population = MeasuredPopulation(
            name: "readers", app: "scrolly", design: "asBuilt", users: 0..<10, journeys: [])
        let rows = ledger.rows(of: [population])
        #expect(rows.map(\.kind) == ["a", "b"] && rows.map(\.count) == [2, 4])
        #expect(rows.map(\.example) == ["user 2", "user 1"])
    }
}
