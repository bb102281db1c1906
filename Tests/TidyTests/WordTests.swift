import Foundation
import TestSupport
import Testing

/// Readers search for the field's terms; a word of a private dialect finds nothing.
@Suite("Words that must not reach a user")
struct WordTests {
    @Test(
        "Texts of the code say it in the field's terms",
        arguments: SourceFile.all.filter { $0.path.hasPrefix("Sources/") })
    func texts(file: SourceFile) throws {
        let all = try file.lines()
        guard try !StopList.everywhere.findings(in: all).isEmpty else { return }
        let lines = all.map { line in
            guard !line.isComment else { return "" }
            let texts = line.matches(of: /"((?:[^"\\]|\\.)*)"/).map(\.1)
            return texts.filter { $0.contains(" ") }
                .map { String($0).replacing(/\\\([^)]*\)*/, with: "") }.joined(separator: " | ")
        }
        expectNone(try StopList.everywhere.findings(in: lines), in: file)
    }

    @Test("Documents use the field's terms", arguments: SourceFile.documents)
    func documents(file: SourceFile) throws {
        let lines = try file.lines().map { $0.replacing(/`[^`]*`/, with: "") }
        expectNone(try StopList.everywhere.findings(in: lines), in: file)
    }

    @Test(
        "Profiles use the field's terms in questions and comments", arguments: SourceFile.profiles)
    func profiles(file: SourceFile) throws {
        expectNone(try StopList.everywhere.findings(in: try file.lines()), in: file)
    }

    @Test(
        "Accepted outputs and kept results use the field's terms",
        arguments: SourceFile.acceptedOutputs)
    func outputs(file: SourceFile) throws {
        // Two profiles call their population so, and another name would draw other numbers.
        let lines = try file.lines().map { line in
            line.hasPrefix("  people  ") ? String(line.dropFirst(8)) : line
        }
        expectNone(try StopList.output.findings(in: lines), in: file)
    }

    @Test(
        "The stop list finds its words and leaves other sentences alone",
        arguments: [
            ("106 answers \"expired\" of file led to nothing", true),
            ("12 refreshes too many", true), ("900 users are carried", true),
            ("3 attempts got no answer", true), ("12 % of limit", true),
            ("98 screens the person saw", true), ("in the middle of its limit", false),
            ("Nobody is signed out", true), ("there is room for 7.56 times as much", true),
            ("98 screens showed inconsistent data", false), ("12 redundant refreshes", false),
            ("Today's 200 users are 13 % of capacity", false), ("a call whose token", true),
            ("distance 12 %", true), ("Ctrl-C ends it with the answer", false),
            ("higher at random", false), ("the same people", true),
        ])
    func examples(text: String, isFound: Bool) throws {
        #expect(try StopList.output.findings(in: [text]).isEmpty != isFound)
    }

    private func expectNone(_ findings: [(line: Int, text: String)], in file: SourceFile) {
        for finding in findings { Issue.record("\(file):\(finding.line) says \(finding.text)") }
    }
}

extension String {
    fileprivate var isComment: Bool { drop { $0 == " " }.hasPrefix("//") }
}
