import SquallBackend
import SquallFormat
import SquallKernel
import TestSupport
import Testing

@testable import SquallRaces

/// What people are shown of a schedule and of a report on drills, word by word.
@Suite("Timelines and reports of drills")
struct PictureTests {
    private static let plain = TerminalStyle(isOn: false)

    @Test("Every kind of event has its lane and words, at any width and as a picture")
    func everyKind() throws {
        let violation = Violation("S1", "wrong", user: 1, events: [7, 9])
        let played = Self.played(violation, departures: [4], Self.tellAll)
        let finding = Finding(
            violation: violation, schedule: 3, count: 2, windowNanoseconds: 5, choices: [0, 1],
            choicesBefore: 4, isFewest: false, needsNoOrder: false,
            subject: ClosureSubject { _ in played }, played: played, twin: played)
        let timeline = Timeline(played, of: violation)
        let pair = SchedulePair(finding, kept: played, "the order that keeps it", isBeside: true)
        let parts = [
            TimelineText(timeline, style: Self.plain, width: 200).lines,
            TimelineText(timeline, style: TerminalStyle(isOn: true), width: 60).lines
                .filter { $0.hasPrefix("\u{1b}") },
            pair.lines(Self.plain, width: 100), pair.lines(Self.plain, width: 99),
            SchedulePair(played).lines(Self.plain, width: 60),
            SchedulePair(finding, kept: nil, "", isBeside: true).lines(Self.plain, width: 124),
            [finding.size, finding.conditions, SchedulePair(played).markup?.source ?? "–"],
        ]
        let text = parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
        #expect(try text == GoldenFile.accepted("timeline.txt", for: text))
    }

    @Test("One schedule alone is told line by line, however much room there is")
    func alone() {
        let played = Self.played(nil, departures: []) { $0.happens(.sent, call: 1, endpoint: "a") }
        let lines = SchedulePair(played).lines(Self.plain, width: 400)
        let alone = TimelineText(Timeline(played, of: nil), style: Self.plain, width: 400).lines
        #expect(lines == alone)
    }

    @Test("Lanes stand side by side from the width that they need, their words in front below it")
    func widths() {
        let played = Self.played(nil, departures: []) { story in
            for user in 0...1 {
                story.happens(
                    .sent, call: 1, endpoint: String(repeating: "a", count: 40), user: user)
                story.happens(.actBegan, text: String(repeating: "b", count: 40), user: user)
            }
        }
        func head(_ width: Int) -> String {
            TimelineText(Timeline(played, of: nil), style: Self.plain, width: width).lines[0]
        }
        let least = (60...200).first { head($0).contains("server") }
        #expect(least == 129 && head(128).hasSuffix("where   what"))
    }

    @Test("The choice that matters is marked where it let something happen, else told by itself")
    func critical() {
        func rows(_ choices: [Int], departures: [Int]) -> [String] {
            let played = Self.played(nil, departures: departures) { story in
                for choice in choices {
                    story.happens(.sent, call: choice, endpoint: "posts") { $0.choice = choice }
                }
            }
            return Timeline(played, of: nil).rows.map { row in
                (row.isCritical ? "▶" : "") + "\(row.choice) at \(row.at / 1_000_000_000)"
            }
        }
        #expect(rows([1, 2, 3], departures: []) == ["1 at 0", "2 at 1", "3 at 2"])
        #expect(rows([1, 2, 3], departures: [0, 1]) == ["1 at 0", "▶2 at 1", "3 at 2"])
        #expect(rows([1, 4], departures: [1]) == ["1 at 0", "▶2 at 1", "4 at 1"])
        #expect(rows([1, 2], departures: [6]) == ["1 at 0", "2 at 1", "▶7 at 1"])
    }

    @Test("What nobody reads is cut in the middle, and others' rows where there are three people")
    func shortened() {
        func rows(_ count: Int, users: Int) -> [Timeline.Row] {
            let violation = Violation("S1", "", user: 1, events: [0])
            let played = Self.played(violation, departures: []) { story in
                for number in 0..<count {
                    story.happens(.meanwhile, text: "\(number)", user: number % users)
                }
            }
            return Timeline(played, of: violation).rows
        }
        #expect(rows(60, users: 2).count == 60)
        let cut = rows(61, users: 2)
        #expect(cut.count == 61 && cut[30].text == "… 1 more …" && cut[31].text == "31")
        #expect(cut[30].at == cut[31].at && cut[29].text == "29")
        #expect(rows(9, users: 3).map(\.text) == ["0", "1", "4", "7"])
        #expect(Timeline(Played(Self.schedule([]), violations: []), of: nil).rows.isEmpty)
    }

    @Test("Of many rows the events of a finding stay, and repeats of a moment are one row")
    func marked() {
        let violation = Violation("S1", "", events: [120])
        let played = Self.played(violation, departures: []) { story in
            for number in 0..<200 {
                story.happens(.sent, call: number, endpoint: number % 2 == 0 ? "a" : "b")
            }
        }
        let texts = Timeline(played, of: violation).rows.map { row in
            (row.isContradiction ? "✗ " : "") + row.text
        }
        #expect(texts.count == 30 + 1 + 7 + 1 + 30 && texts[34] == "✗ → a without token")
        #expect(texts[30] == "… 87 more …" && texts[38] == "… 46 more …")

        let repeats = Self.played(violation, departures: []) { story in
            for call in 1...12 {
                story.happens(.actBegan, text: "call \(call)", second: 1) { $0.attempt = call }
            }
            for call in 1...12 { story.happens(.sent, call: call, endpoint: "posts", second: 1) }
            for call in 1...4 {
                story.happens(.answered, call: call, endpoint: "posts", second: 2)
                story.happens(.sent, call: call, endpoint: "refresh", second: 2)
            }
        }
        #expect(
            Timeline(repeats, of: nil).rows.map(\.text) == [
                "calls 1–12 begin", "→ posts without token (×12)", "← 0 posts (×4)",
                "→ refresh without token (×4)",
            ])
    }

    @Test("A report on drills tells what is broken, kept, not asked and not judged, and why")
    func report() throws {
        let reports = [
            Self.report(), Self.report(isRepeatable: false, leakedAcrossRuns: ["Session.shared"]),
            Self.report(isRepeatable: false),
            Self.report(leakedAcrossRuns: ["Cache"], isReplay: true),
            Self.report(problem: "signing in failed", preemptions: 1),
        ]
        var parts = reports.map { report in
            let verdict = report.document.verdict.map { "\($0)" } ?? "–"
            return "\(report)\n\(verdict), passes: \(report.passes)\n"
        }
        parts.append(reports[0].json.document)
        parts.append(reports[0].cells.map { "\($0.findings) \($0.reason ?? "–")" }.joined())
        let text = parts.joined(separator: "\n")
        #expect(try text == GoldenFile.accepted("drills.txt", for: text))
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

    @Test("A row has the height of its lines in a picture, and of one where it has no words")
    func heights() {
        func heights(_ text: String) -> [Bool] {
            let played = Self.played(nil, departures: []) { $0.happens(.meanwhile, text: text) }
            let source = LaneChart(timeline: Timeline(played, of: nil), name: "").markup.source
            // Their heads are 30 and 92 high, a line 16, a row 6 more, the foot 8.
            return ["0 0 800 60", "0 0 360 122", "0 0 360 138"].map(source.contains)
        }
        #expect(heights("") == [true, true, false] && heights("word") == [true, true, false])
        #expect(heights(String(repeating: "word ", count: 10)) == [true, false, true])
    }

    /// Drills of which each has an outcome of its own before two servers.
    private static func report(
        isRepeatable: Bool = true, leakedAcrossRuns: [String] = [], isReplay: Bool = false,
        problem: String? = nil, preemptions: Int = 2
    ) -> DrillReport {
        let violations = [
            Violation("lost", "a call is lost", cause: "lost", events: [1]),
            Violation("hang", "a call never comes to its end", cause: "hang", events: [1]),
        ]
        let findings = violations.enumerated().map { number, violation in
            let played = Self.played(violation, departures: [0]) {
                $0.happens(.sent, call: 1, endpoint: "posts")
                $0.happens(.unanswered, call: 1, text: "timeout", endpoint: "posts")
            }
            return Finding(
                violation: violation, schedule: 7 - number, count: 2, windowNanoseconds: 5,
                choices: [1], choicesBefore: 1, isFewest: true, needsNoOrder: number == 1,
                subject: ClosureSubject { _ in played }, played: played, twin: played)
        }
        let broken = { (findings: [Finding]) in
            DrillReport.Outcome.broken(
                .init(findings: findings, count: 3, schedules: 40, kept: nil))
        }
        let outcomes: [(Drill, DrillReport.Outcome, DrillReport.Outcome)] = [
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
            }, plan: plan, client: Ground(name: problem.map { _ in "mine" }), isReplay: isReplay,
            preparation: .init(
                problem: problem, isRepeatable: isRepeatable, leakedAcrossRuns: leakedAcrossRuns))
    }

    /// One event of each kind, of two people, in the order of the kinds.
    private static func tellAll(_ story: Story) {
        for (number, kind) in RaceEvent.Kind.allCases.enumerated() {
            let isAnswer = [.served, .answered].contains(kind)
            story.happens(
                kind, call: number % 4 == 3 ? nil : number, attempt: number % 3, access: "T0",
                refresh: kind == .sent ? nil : "R0", isAnswer ? .success : nil, text: "word",
                endpoint: "posts", user: number % 2
            ) {
                $0.at /= number < 9 ? 1_000 : 1
                $0.choice = number
                $0.task = number % 5 == 0 ? 3 : nil
                if isAnswer { ($0.status, $0.role) = (200, .refresh) }
            }
        }
        for refresh in [nil, "R1"] {
            story.happens(.sent, call: 9, refresh: refresh, endpoint: "posts")
            story.happens(.answered, .refresh, call: 9, refresh: refresh, endpoint: "posts")
            story.happens(.answered, call: 9, refresh: refresh, endpoint: "posts")
        }
    }

    /// A play in which some choices were departures: a message of call 1 before a task of call 4.
    private static func played(
        _ violation: Violation?, departures: [Int], _ tell: (Story) -> Void
    ) -> Played {
        let story = Story()
        tell(story)
        story.recorder.close(.still)
        let schedule = Self.schedule(departures)
        return Played(
            schedule, violations: violation.map { [$0] } ?? [], history: story.recorder.history)
    }

    private static func schedule(_ departures: [Int]) -> Schedule {
        var choices = Array(repeating: UInt16(0), count: (departures.max() ?? -1) + 1)
        for departure in departures { choices[departure] = 1 }
        let schedule = Schedule(
            ReplayedSchedule(choices), windowNanoseconds: 5, keepsHistory: true)
        let ready = [
            ReadyEvent(.task, "task", of: .init(number: 3, user: 0), ordinal: 1),
            ReadyEvent(.message, "answer", of: .init(number: 1 << 16, user: 1), ordinal: 2),
        ]
        var policy = schedule.policy
        for _ in choices { _ = policy.choose(among: ready) }
        return schedule
    }
}
