import Foundation
import Testing

/// Words of a private dialect, each with the field's term for it.
///
/// A reader cannot search for the former.
@Suite("Words that must not reach a user")
struct WordTests {
    @Test(
        "Texts of the code say it in the field's terms",
        arguments: SourceFile.all.filter { $0.path.hasPrefix("Sources/") })
    func texts(file: SourceFile) throws {
        let words = try Word.expression()
        for (number, line) in try file.lines().enumerated() where !line.isComment {
            for text in line.matches(of: /"((?:[^"\\]|\\.)*)"/).map(\.1) where text.contains(" ") {
                let prose = String(text).replacing(/\\\([^)]*\)*/, with: "")
                if let found = words.firstFinding(in: prose) {
                    Issue.record(
                        "\(file):\(number + 1) says '\(found)'; \(Word.advice(for: found))")
                }
            }
        }
    }

    @Test("So do the documents", arguments: SourceFile.documents)
    func documents(file: SourceFile) throws {
        let words = try Word.expression()
        for (number, line) in try file.lines().enumerated() {
            if let found = words.firstFinding(in: line.replacing(/`[^`]*`/, with: "")) {
                Issue.record("\(file):\(number + 1) says '\(found)'; \(Word.advice(for: found))")
            }
        }
    }

    @Test(
        "The list finds what it is for, and leaves other sentences alone",
        arguments: [
            ("106 answers \"expired\" of file led to nothing", true),
            ("12 refreshes too many", true), ("900 users are carried", true),
            ("3 attempts got no answer", true), ("12 % of limit", true),
            ("98 screens the person saw", true), ("in the middle of its limit", false),
            ("Nobody is signed out", true), ("there is room for 7.56 times as much", true),
            ("98 screens showed inconsistent data", false), ("12 redundant refreshes", false),
            ("Today's 200 users are 13 % of capacity", false),
        ])
    func examples(text: String, isFound: Bool) throws {
        #expect((try Word.expression().firstFinding(in: text) != nil) == isFound)
    }
}

/// One entry of the list.
private struct Word {
    /// What it looks like, as a regular expression.
    let pattern: String
    let replacement: String

    static let all = [
        Word(pattern: #"answers? ["“]expired"#, replacement: "expired response"),
        Word(pattern: "led to nothing", replacement: "was not followed by …"),
        Word(pattern: "never true|true once", replacement: "inconsistent data, stale data"),
        Word(pattern: #"(refreshes|times) too many"#, replacement: "redundant refreshes"),
        Word(pattern: "not at most|not below .* but", replacement: "is … (limit …)"),
        Word(pattern: "there is room for", replacement: "headroom"),
        Word(pattern: "(is|are) carried", replacement: "meets every threshold"),
        Word(pattern: "none of chance|not distinguishable", replacement: "significant"),
        Word(pattern: "becomes? of|became of", replacement: "what happens to …, how … is handled"),
        Word(pattern: "(hold|held|holds) .{0,12}against", replacement: "compared with"),
        Word(pattern: "far side", replacement: "backend, server"),
        Word(pattern: #"\bdeeds?\b"#, replacement: "goal"),
        Word(pattern: "told to wait", replacement: "rate limited, Retry-After"),
        Word(pattern: "nobody|somebody|whoever", replacement: "no user, a user, the call that …"),
        Word(pattern: "gravest", replacement: "most severe"),
        Word(pattern: "pa(ys|id|yments?) for nothing", replacement: "paid but not booked"),
        Word(pattern: "go(es)? round", replacement: "loops"),
        Word(pattern: #"\bof limit\b"#, replacement: "of its limit, headroom"),
        Word(pattern: "by turns|not by chance", replacement: "alternately, significant"),
        Word(pattern: #"\bway in\b"#, replacement: "cold start, launch, resume"),
        Word(
            pattern: #"\b(got|without|after) (no |an )answers?\b|\banswers? arrives?\b"#,
            replacement: "response"),
        Word(pattern: #"\bthe person (saw|sees)\b"#, replacement: "the user saw"),
    ]

    static func expression() throws -> NSRegularExpression {
        try NSRegularExpression(
            pattern: all.map(\.pattern).joined(separator: "|"), options: .caseInsensitive)
    }

    static func advice(for found: String) -> String {
        let word = all.first { word in
            found.range(of: word.pattern, options: [.regularExpression, .caseInsensitive]) != nil
        }
        return "say '\(word?.replacement ?? "")'"
    }
}

extension NSRegularExpression {
    fileprivate func firstFinding(in text: String) -> String? {
        firstMatch(in: text, range: NSRange(text.startIndex..., in: text))
            .flatMap { Range($0.range, in: text) }.map { String(text[$0]) }
    }
}

extension String {
    fileprivate var isComment: Bool { drop { $0 == " " }.hasPrefix("//") }
}
