import SquallFormat
import TestSupport
import Testing

@testable import SquallRaces

@Suite("Reports on drills")
struct DrillReportTests {
    @Test("A report on drills tells what is broken, kept, not asked and not judged, and why")
    func report() throws {
        let report = Self.report()
        let differences = try GoldenFile.differences(
            of: report.full, from: "report", of: "drills.txt")
        #expect(differences == [])
        #expect(report.document.verdict == .failed && !report.passes)
        #expect(report.cells.map(\.findings.count) == [2, 1, 0, 0, 0, 0, 0, 0, 0, 1])
        let reasons = report.cells.map { $0.reason ?? "" }
        #expect(
            reasons == ["", "", "", ""] + Array(repeating: "needs restart", count: 3)
                + ["", "no refresh was seen", ""])
    }

    @Test("A brief report says each cause once with its drills, those of the most drills first")
    func brief() throws {
        let document = Self.report().document
        let sections = try #require(document.briefSections)
        let lines = sections[0].paragraphs(TerminalStyle(isOn: false), width: 100)
            .flatMap(\.self)
        let text = lines.joined(separator: "\n")
        for cause in ["a call is lost", "a call never comes to its end"] {
            #expect(lines.count { $0.contains("✗ \(cause)") } == 1, "\(text)")
        }
        #expect(text.contains("2 drills  signOutDuringRefresh, refreshFailsOnce"), "\(text)")
        let places = ["never comes", "is lost"].map { text.firstRange(of: $0)?.lowerBound }
        #expect(try #require(places[0]) < #require(places[1]))
    }

    @Test(
        "A report on drills says what makes its results unreliable",
        arguments: [
            (
                false, ["Session.shared"], false,
                "state persists between worlds: Session.shared. The results below are not reliable."
            ),
            (
                false, [], false,
                "state persists between worlds: a singleton, or a clock or randomness of its own."
                    + " The results below are not reliable."
            ),
            (true, ["Cache"], true, "shared between worlds, and so between users: Cache"),
        ] as [(Bool, [String], Bool, String)])
    func unreliable(isRepeatable: Bool, leaked: [String], isReplay: Bool, remark: String) {
        let report = Self.report(
            isRepeatable: isRepeatable, leakedAcrossRuns: leaked, isReplay: isReplay)
        #expect(report.document.remarks == [remark])
        #expect(!report.passes && report.document.verdict == .failed)
        #expect(report.document.sentence.contains("up to 1 schedule each") == isReplay)
    }

    @Test("A report on drills that could not prepare the client has no table")
    func unprepared() {
        let report = Self.report(problem: "signing in failed", preemptions: 1)
        #expect("\(report)" == "FAILED  mine: no drill was run: signing in failed")
        #expect(report.document.verdict == .failed && !report.passes)
    }

    @Test("Drills share an error where actions failed with it, not where a sentence says so")
    func sharedErrors() {
        func isShared(_ sentence: String, error: String?) -> Bool {
            let violation = Violation(
                "expected", "expected: \(sentence)", cause: sentence, events: [], error: error)
            let outcome = Outcome.broken(
                .init(findings: [Self.finding(violation)], count: 1, schedules: 1, kept: nil))
            let drills: [Drill] = [.signOutDuringRefresh, .refreshRefused, .refreshFailsOnce]
            let report = DrillReport(
                cells: drills.map { .init(drill: $0, server: .strict, outcome: outcome) },
                plan: .small(1), client: PocketUnderTest(), isReplay: false, preparation: .init())
            return "\(report)".contains("3 drills fail with the same error: 401")
        }
        #expect(isShared("a call succeeds", error: "401"))
        #expect(!isShared("a call failed with 401", error: nil))
    }

    @Test("The JSON of a report on drills has each drill with its outcome before each server")
    func reportJSON() throws {
        let report = Self.report()
        let json = JSONNode(report.json)
        #expect(
            json.members.map(\.name) == [
                "client", "drills", "extent", "passes", "problem", "schedules", "seed",
                "stateKeptAcrossRuns",
            ])
        #expect(json["schedules"]?.number == 40 && json["seed"]?.string == "1")
        #expect(json["extent"]?.string == "whole" && json["passes"]?.value == .bool(false))
        let drills = json["drills"]?.list ?? []
        #expect(drills.count == 5)
        for (node, drill) in zip(drills, report.drills) {
            let texts = ["drill", "name", "promise", "source", "fix"].map { node[$0]?.string }
            #expect(texts == [drill.id, drill.name, drill.promise, drill.source, drill.fix])
        }
        let cells = drills.flatMap { $0["servers"]?.list ?? [] }.map { cell in
            let findings = cell["findings"]?.list.map {
                "\($0["text"]?.string ?? "") in \($0["firstSchedule"]?.number ?? -1)"
                    + " by \($0["choices"]?.list.compactMap(\.number) ?? [])"
            }
            return [cell["server"]?.string, cell["outcome"]?.string, cell["reason"]?.string]
                .compactMap(\.self) + (findings ?? [])
        }
        let lost = "a call is lost in 7.0 by [1.0]"
        let hang = "a call never comes to its end in 6.0 by [1.0]"
        #expect(
            cells == [
                ["lenient", "broken", lost, hang], ["strict", "broken", lost],
                ["lenient", "passes"], ["strict", "passes"],
                ["lenient", "notAsked", "needs restart"], ["strict", "notAsked", "needs restart"],
                ["lenient", "notAsked", "needs restart"], ["strict", "passes"],
                ["lenient", "notJudged", "no refresh was seen"], ["strict", "broken", hang],
            ])
    }

    @Test("A test report names the client, and has a case for each server with its outcome")
    func testReport() throws {
        let reports = [Self.report(), Self.report(problem: "signing in failed")]
        let suites = try XMLTree(DrillReport.junit(of: reports)).elements("testsuite")
        let drills = reports[0].drills.map(\.name)
        #expect(suites.map { $0.attributes["name"] } == drills + drills.map { "mine: " + $0 })
        func counts(_ element: String) -> [Int] {
            suites.prefix(drills.count).map { $0.elements(element).count }
        }
        #expect(counts("testcase") == [2, 2, 2, 2, 2])
        #expect(counts("failure") == [2, 0, 0, 0, 1] && counts("skipped") == [0, 0, 2, 1, 1])
        #expect(suites.last?.elements("skipped").count == 1)
    }

    private typealias Outcome = DrillOutcome<DrillReport.Broken>

    private static func finding(
        _ violation: Violation, schedule: Int = 1, needsNoOrder: Bool = false
    ) -> Finding {
        let played = PictureTests.played(violation, departures: [0]) {
            $0.happens(.sent, call: 1, endpoint: "posts")
            $0.happens(.unanswered, call: 1, text: "timeout", endpoint: "posts")
        }
        return Finding(
            violation: violation, schedule: schedule, count: 2, windowNanoseconds: 5,
            choices: [1], choicesBefore: 1, isFewest: true, needsNoOrder: needsNoOrder,
            subject: ClosureSubject { _ in played }, played: played, twin: played)
    }

    /// Drills of which each has an outcome of its own before two servers.
    private static func report(
        isRepeatable: Bool = true, leakedAcrossRuns: [String] = [], isReplay: Bool = false,
        problem: String? = nil, preemptions: Int = 2
    ) -> DrillReport {
        let violations = [
            Violation("lost", "a call is lost", cause: "lost", events: [1], fix: Fix.lost),
            Violation(
                "hang", "a call never comes to its end", cause: "hang", events: [1], fix: Fix.hang),
        ]
        let findings = [
            finding(violations[0], schedule: 7),
            finding(violations[1], schedule: 6, needsNoOrder: true),
        ]
        let broken = { (findings: [Finding]) in
            Outcome.broken(
                .init(findings: findings, count: 3, schedules: 40, kept: nil))
        }
        let outcomes: [(Drill, Outcome, Outcome)] = [
            (.signOutDuringRefresh, broken(findings), broken([findings[0]])),
            (.refreshRefused, .passes, .passes),
            (.killedAfterRefresh, .notAsked("needs restart"), .notAsked("needs restart")),
            (.startAfterSignOut, .notAsked("needs restart"), .passes),
            (.refreshFailsOnce, .notJudged("no refresh was seen"), broken([findings[1]])),
        ]
        var plan = ExplorationPlan.small(40)
        plan.preemptions = preemptions
        return DrillReport(
            cells: outcomes.flatMap { drill, lenient, strict in
                [
                    DrillReport.Cell(drill: drill, server: .lenient, outcome: lenient),
                    DrillReport.Cell(drill: drill, server: .strict, outcome: strict),
                ]
            }, plan: plan, client: UnplayedClient(name: problem.map { _ in "mine" }),
            isReplay: isReplay,
            preparation: .init(
                problem: problem, isRepeatable: isRepeatable, leakedAcrossRuns: leakedAcrossRuns))
    }
}
