import Foundation
import Testing

/// A doc comment stands beside its declaration: it must say more than the name and the type do.
@Suite("Comments")
struct CommentTests {
    @Test(
        "A doc comment does not begin with what its declaration says already",
        arguments: SourceFile.all.filter { $0.path.hasPrefix("Sources/") })
    func beginnings(file: SourceFile) throws {
        for finding in Self.findings(in: try file.lines()) {
            Issue.record(
                """
                \(file):\(finding.line) begins "\(finding.idiom)"; say when it is true, name what \
                it is like, or delete it
                """)
        }
    }

    @Test(
        "The rule finds its idioms at the head of a doc comment alone",
        arguments: [
            ("    /// Whether it is open.", true), ("/// The same, once more.", true),
            ("/// Yes: it is open.", true), ("/// Does nothing.", true),
            ("/// True while it is open.", false), ("// Whether it is open decides.", false),
            ("/// A run.\n///\n/// The same seed gives the same run.", false),
            ("let isOpen = true\n/// Whether it is open.", true),
            ("/// No connection could be made.", false),
        ])
    func examples(text: String, isFound: Bool) {
        let lines = text.split(separator: "\n").map(String.init)
        #expect(Self.findings(in: lines).isEmpty != isFound)
    }

    @Test("Where the judge accuses nobody, the test that it names exists")
    func innocence() throws {
        let judge = SourceFile.all.filter { file in
            ["Sources/SquallJudge/", "Sources/SquallRaces/Live/"].contains(
                where: file.path.hasPrefix)
        }
        var named = 0
        for file in judge {
            for (number, line) in try file.lines().enumerated() {
                guard line.contains("Tests."),
                    let name = line.firstMatch(of: /\/\/.*\b([A-Z]\w+Tests)\.([a-z]\w+)/)
                else { continue }
                named += 1
                let isThere = try SourceFile.all.contains { test in
                    try test.path.contains("/\(name.1)")
                        && test.lines().contains { $0.contains("func \(name.2)(") }
                }
                #expect(isThere, "\(file):\(number + 1) names \(name.1).\(name.2); is it renamed?")
            }
        }
        #expect(named > 20, "\(named) branches name their test")
    }

    private static let idioms = [
        "Whether ", "The same", "Yes.", "Yes:", "Yes,", "No.", "No:", "Does nothing",
        "Does the same", "Itself",
    ]

    /// In files that have one somewhere: a single pass of Foundation's expression shows which.
    private static func findings(in lines: [String]) -> [(line: Int, idiom: String)] {
        let pattern = "(?m)^ */// (\(idioms.joined(separator: "|")))"
        let text = lines.joined(separator: "\n")
        guard text.range(of: pattern, options: .regularExpression) != nil else { return [] }
        var findings: [(line: Int, idiom: String)] = []
        var isInComment = false
        for (number, line) in lines.enumerated() {
            let text = line.drop { $0 == " " }
            let isComment = text.hasPrefix("///")
            if isComment, !isInComment,
                let idiom = idioms.first(where: { text.dropFirst(4).hasPrefix($0) })
            {
                findings.append((number + 1, idiom))
            }
            isInComment = isComment
        }
        return findings
    }
}
