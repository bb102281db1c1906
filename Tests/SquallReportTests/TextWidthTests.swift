import SquallFormat
import Testing

@testable import SquallReport

@Suite("Text on a terminal")
struct TextWidthTests {
    @Test(
        "No line is wider than the terminal, in brief or in full",
        arguments: [40, 57, 80, 133, 200])
    func width(columns: Int) throws {
        for summary in [try RunSummary.sample { $0.fill() }, try .sample(), .empty] {
            for isFull in [false, true] {
                let text = TextSummary(
                    summary, style: TerminalStyle(isOn: false), width: columns, isFull: isFull
                ).text
                // A metric with its tags, or the path of a profile, is one word however long it is.
                let wide = text.split(separator: "\n").filter { line in
                    let longest = line.split(separator: " ").map(\.count).max() ?? 0
                    return line.count > columns && longest < 26
                }
                #expect(wide == [])
            }
        }
    }

    @Test(
        "A brief text has at most 60 lines, says its answer once and ends with the verdict",
        arguments: [40, 80, 200])
    func brief(columns: Int) throws {
        let summary = try RunSummary.sample { $0.fill() }
        let text = TextSummary(summary, style: TerminalStyle(isOn: false), width: columns).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count <= TextSummary.linesAtMost)
        #expect(lines.first?.hasPrefix("FAILED  evening-storm: ") == true)
        #expect(text.ranges(of: summary.answer[0].prefix(20)).count == 1)
        #expect(lines.suffix(32).joined(separator: " ").contains("FAILED  evening-storm"))
        #expect(lines.last.map { summary.reason.hasSuffix($0.suffix(10)) } == true)
        let thresholds = Section.thresholds(summary)
            .brief(TerminalStyle(isOn: false), width: columns).joined().prefix(11)
        #expect(columns < 80 || thresholds.allSatisfy { lines.contains($0[...]) })
        let findings = Section.findings(summary)
            .brief(TerminalStyle(isOn: false), width: columns).joined().prefix(5)
        #expect(columns < 80 || findings.allSatisfy { lines.contains($0[...]) })
    }

    @Test("Control characters are spelled out on a terminal, wherever they come from")
    func commands() throws {
        let evil = "a\u{1b}[31mred\u{7}\u{202e}b"
        let text = try TextSummary(
            .sample(endpoint: evil) { $0.fill(endpoint: evil) }, style: TerminalStyle(isOn: false),
            isFull: true
        ).text
        #expect(!text.unicodeScalars.contains { $0.value == 0x1b || $0.value == 7 })
        #expect(!text.unicodeScalars.contains("\u{202e}") && text.contains(evil.visible))
        #expect(evil.visible == "a\\u{1b}[31mred\\u{7}\\u{202e}b")
        #expect("plain äöü 책 👩‍👩‍👧".visible == "plain äöü 책 👩‍👩‍👧")
    }

    @Test("A brief text names the parts that it leaves out, and counts the lines that it cuts")
    func leftOut() throws {
        let summary = try RunSummary.sample { $0.fill() }
        func text(isFull: Bool) -> String {
            TextSummary(summary, style: TerminalStyle(isOn: false), isFull: isFull).text
        }
        let brief = text(isFull: false)
        #expect(brief.contains("\nMore with --full: ") && brief.contains(" more sections.\n"))
        #expect(brief.contains(/\n  \d+ more lines with --full\n/))
        #expect(!text(isFull: true).contains("--full"))
    }

    @Test("A number is not broken between its groups of digits")
    func numbers() {
        #expect(WordWrap.lines("of 1 234 567 users", width: 9) == ["of", "1 234 567", "users"])
    }

    @Test("A value far beyond its limit is shown in multiples of it, a close one in per cent")
    func remarks() throws {
        func remark(_ expression: String) throws -> String {
            var metrics = Metrics()
            metrics.add(100, to: metrics.counter(MetricKey(.hangs)))
            return try Threshold(metric: "hangs", expression: expression, among: .sample)
                .judge(metrics, overNanoseconds: 1).remark
        }
        #expect(try remark("count<1") == "100 times the limit")
        #expect(try remark("count<80") == "over by 25 %")
        #expect(try remark("count<200") == "50 %")
    }
}
