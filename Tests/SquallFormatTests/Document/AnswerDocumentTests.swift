@testable import SquallFormat
import TestSupport
import Testing

@Suite("One document as text and as a page")
struct AnswerDocumentTests {
    /// A lane of stars, which a terminal tells in words.
    private struct Stars: Picture {
        func lines(_ style: TerminalStyle, width: Int) -> [String] { ["  three stars"] }
        var markup: Markup? { Markup("figure", "***") }
    }

    private static var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Drill", subject: "scrolly", sentence: "2 broken, 1 kept")
        document.isBrief = true
        document.verdict = .notJudged
        document.remarks = ["state outlives the world"]
        let drill = Column("drill", .words)
        let (lenient, strict) = (Column("lenient", .words), Column("strict", .words))
        document.sections = [
            Section(
                "",
                [
                    .table(
                        Table([
                            [drill("expiry"), lenient("passes", isGood: true), strict.none],
                            [drill("sign-out"), lenient("4 of 4", isGood: false), strict.none],
                        ])),
                    .sentence("not asked: needs otherScope"),
                ]),
            Section(
                "✗ sign-out: lenient",
                [
                    .entries([
                        Entry("promise", "nobody is signed in"),
                        Entry("order", "it takes a rare one", .critical),
                        Entry("replay", "squall drill scrolly --drill signOut", .command),
                    ]), .picture(Stars()),
                ]),
        ]
        return document
    }

    @Test("A text says the answer first, then tables, then what is broken, names side by side")
    func text() {
        #expect(
            Self.document.text(TerminalStyle(isOn: false), width: 40) == """
                NOT JUDGED  scrolly: 2 broken, 1 kept
                · state outlives the world

                  drill     lenient   strict
                  expiry    ✓ passes  –
                  sign-out  ✗ 4 of 4  –
                  not asked: needs otherScope

                ✗ sign-out: lenient
                  promise  nobody is signed in
                  order    it takes a rare one
                  replay   squall drill scrolly --drill signOut
                  three stars

                """)
    }

    @Test("A brief text has at most 60 lines, of each section some, and ends with the answer")
    func brief() {
        var document = Self.document
        let style = TerminalStyle(isOn: false)
        let short = document.text(style, width: 80, isFull: false)
        #expect(short == document.text(style, width: 80))
        let long = (1...90).map { Entry("entry \($0)", "value") }
        document.sections += [Section("Long", [.entries(long)]), Section("Last", [.sentence("z")])]
        let lines = document.text(style, width: 80, isFull: false).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count <= AnswerDocument.linesAtMost + 1)
        for words in ["✗ sign-out: lenient", "Long", "Last", "  z"] {
            #expect(lines.contains { $0 == words }, "\(words)")
        }
        #expect(lines.contains { $0.hasPrefix("  … ") && $0.hasSuffix(" more lines") })
        #expect(lines.dropLast().last == "NOT JUDGED  scrolly: 2 broken, 1 kept")
        let full = document.text(style, width: 80, isFull: true)
        #expect(full.contains("entry 90") && full.hasSuffix("scrolly: 2 broken, 1 kept\n"))
    }

    @Test("A page says the same, with its pictures")
    func page() throws {
        let page = try XMLTree(Self.document.html)
        #expect(page.elements("h1").map(\.text) == ["◐ not judged 2 broken, 1 kept"])
        #expect(page.elements("td").map(\.text).contains("✗ 4 of 4"))
        #expect(page.elements("dt").map(\.text) == ["promise", "order", "replay"])
        #expect(page.elements("code").map(\.text) == ["squall drill scrolly --drill signOut"])
        #expect(page.elements("figure").map(\.text) == ["***"])
        #expect(page.elements("h2").map(\.text) == ["✗ sign-out: lenient"])
    }
}

@Suite("Tables as CSV")
struct CSVTests {
    @Test("Cells and headings that a spreadsheet would run as a formula are written as text")
    func formulas() {
        let csv = Table.csv(
            ["=1+1: p95 [ns]", "plain"],
            [
                [.init("=cmd|x"), .init("@SUM(1)")], [.init("+1+1"), .init("-2+3")],
                [.init("\tx"), .init("\r=1")], [.init("-5"), .init("+3.5")],
                [.init("a,\"b\""), .init("x", -7)],
            ])
        #expect(
            csv
                == """
                '=1+1: p95 [ns],plain
                '=cmd|x,'@SUM(1)
                '+1+1,'-2+3
                '\tx,"'\r=1"
                -5,+3.5
                "a,""b\"\"",-7.0

                """.replacing("\\t", with: "\t"))
    }
}
