import SquallBackend
import SquallFormat
import SquallKernel
import TestSupport
import Testing

@testable import SquallRaces

/// What people are shown of a schedule, word by word.
@Suite("Timelines")
struct PictureTests {
    private static let plain = TerminalStyle(isOn: false)

    /// A play with every kind of event, and its finding.
    private static func everyKind() -> (played: Played, finding: Finding) {
        let violation = Violation("S1", "wrong", user: 1, events: [7, 9])
        let played = Self.played(violation, departures: [4], Self.tellAll)
        let finding = Finding(
            violation: violation, schedule: 3, count: 2, windowNanoseconds: 5, choices: [0, 1],
            choicesBefore: 4, isFewest: false, needsNoOrder: false,
            subject: ClosureSubject { _ in played }, played: played, twin: played)
        return (played, finding)
    }

    @Test("Every kind of event has its lane and words in a timeline")
    func everyKind() throws {
        let (played, finding) = Self.everyKind()
        let timeline = Timeline(played, of: finding.violation)
        let text = TimelineText(timeline, style: Self.plain, width: 200).lines
            .joined(separator: "\n")
        let differences = try GoldenFile.differences(of: text, from: "lanes", of: "timeline.txt")
        #expect(differences == [])
        let coloured = TimelineText(timeline, style: TerminalStyle(isOn: true), width: 60).lines
            .filter { $0.hasPrefix("\u{1b}") }
        #expect(
            coloured == [
                "\u{1b}[33m▶ 5ms          wire    ← 200 posts: T0 R0\u{1b}[0m",
                "\u{1b}[31m✗ 7ms          client  call ends\u{1b}[0m",
                "\u{1b}[31m✗ 9s           client  call 9 cancelled\u{1b}[0m",
            ])
        #expect(finding.size == "minimised from 4 reorderings to 1")
        #expect(
            finding.conditions
                == "the order that matters: answer (call 1, posts) before task 3 of call 0 goes on")
    }

    @Test("A pair of schedules stands side by side from 100 columns on, one below the other under")
    func pair() throws {
        let (played, finding) = Self.everyKind()
        let pair = SchedulePair(finding, kept: played, "the order that keeps it", isBeside: true)
        let beside = pair.lines(Self.plain, width: 100)
        let differences = try GoldenFile.differences(
            of: beside.joined(separator: "\n"), from: "pair", of: "timeline.txt")
        #expect(differences == [])
        func lines(_ violation: Violation?) -> [String] {
            TimelineText(Timeline(played, of: violation), style: Self.plain, width: 99).lines
        }
        #expect(
            pair.lines(Self.plain, width: 99)
                == lines(finding.violation) + ["  the order that keeps it:"] + lines(nil))
        let alone = SchedulePair(finding, kept: nil, "", isBeside: true)
            .lines(Self.plain, width: 124)
        #expect(alone.count == beside.count)
        for (one, both) in zip(alone, beside) {
            let left = both.split(separator: "│", omittingEmptySubsequences: false).first ?? ""
            #expect(one == String(left).withoutTrailingSpaces)
        }
        let orphans = try GoldenFile.orphans(of: "timeline.txt", beside: ["lanes", "pair"])
        #expect(orphans == [])
    }

    @Test("A picture has a row for each event, with its mark in its lane", arguments: [0, 1])
    func picture(at index: Int) throws {
        let (played, finding) = Self.everyKind()
        let source = try #require(SchedulePair(played).markup?.source)
        let pictures = try XMLTree(source).elements("svg")
        #expect(pictures.map { $0.attributes["class"] } == ["landscape", "portrait"])
        let picture = pictures[index]
        #expect(
            picture.children.filter { $0.attributes["class"] == "lane" }.map(\.text)
                == ["user", "client", "wire", "server", "token store"])
        let lanes = picture.children.compactMap { $0.attributes["x1"] }
        let timeline = Timeline(played, of: finding.violation).rows
        let rows = picture.elements("g")
        #expect(rows.count == timeline.count)
        var y = [30, 92][index]
        for (row, event) in zip(rows, timeline) {
            let kind = event.isCritical ? "critical" : event.isContradiction ? "broken" : "plain"
            #expect(row.attributes["class"] == "row \(kind)")
            let time = Units.exact(nanoseconds: event.at)
            let title = row.elements("title").first?.text ?? ""
            #expect(title.hasPrefix("\(time) · \(event.lane.rawValue) · \(event.text)"))
            #expect(title.contains(event.detail))
            #expect(title.hasSuffix(" · the choice that matters") == event.isCritical)
            let words = row.elements("text").flatMap { $0.text.split(separator: " ") }
            let expected = [time[...]] + event.text.split(separator: " ")
            #expect(words == expected)
            let band = row.elements("rect").first?.attributes
            #expect(band?["y"] == "\(y)")
            y += Int(band?["height"] ?? "") ?? 0
            let lane = try #require(Timeline.Lane.allCases.firstIndex(of: event.lane))
            let dot = row.elements("circle").first?.attributes["cx"]
            let arrow = row.elements("path").first?.attributes["d"]
            let ends = event.text.hasPrefix("→") ? [lanes[1], lanes[2]] : [lanes[2], lanes[1]]
            #expect(event.lane == .wire ? dot == nil : dot == lanes[lane])
            #expect((arrow == nil) == (event.lane != .wire))
            #expect(arrow?.hasPrefix("M\(ends[0]) ") != false)
            #expect(arrow?.contains("L\(ends[1]) ") != false)
        }
        #expect(picture.attributes["viewBox"] == "0 0 \([800, 360][index]) \(y + 8)")
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

    @Test("Long timelines are cut in the middle, and leave out uninvolved users among three")
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
    static func played(
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
