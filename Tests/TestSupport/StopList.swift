import Foundation

/// Words of a private dialect, each with the field's term for it.
///
/// A reader cannot search for the former.
public struct StopList: Sendable {
    private let entries: [(pattern: String, replacement: String)]

    /// What no text may say that a person reads: of the code, a document or a profile.
    public static let everywhere = StopList(entries: [
        (#"answers? ["“]expired"#, "expired response"), ("led to nothing", "was not followed by …"),
        ("never true|true once", "inconsistent data, stale data"),
        (#"(refreshes|times) too many"#, "redundant refreshes"),
        ("not at most|not below .* but", "is … (limit …)"), (#"\broom for\b"#, "headroom"),
        ("(is|are) carried", "meets every threshold"),
        (#"(none of|by|of|to) chance\b|not distinguishable"#, "significant, at random"),
        ("becomes? of|became of", "what happens to …, how … is handled"),
        ("(hold|held|holds) .{0,12}against", "compared with"), ("far side", "backend, server"),
        (#"\bdeeds?\b"#, "goal"), ("told to wait", "rate limited, Retry-After"),
        (#"\b(nobody|somebody|whoever)\b"#, "no user, a user, the call that …"),
        ("gravest", "most severe"), ("pa(ys|id|yments?) for nothing", "paid but not booked"),
        ("go(es)? round", "loops"), (#"\bof limit\b"#, "of its limit, headroom"),
        ("by turns|not by chance", "alternately, significant"),
        (#"\bway in\b"#, "cold start, launch, resume"),
        (#"\b(got|without|after) (no |an )answers?\b|\banswers? arrives?\b"#, "response"),
        (#"\bthe person (saw|sees)\b"#, "the user saw"),
    ])

    /// What no output may say besides: a document may speak of people and of answers.
    public static let output = StopList(
        entries: everywhere.entries + [
            (#"\banswers\b|\ban answer('s)?\b|\banswer (lost|late)"#, "response"),
            (#"\bwhose\b"#, "of which, with"), (#"\broom\b"#, "headroom, space"),
            (#"\bdistance\b"#, "headroom, deviation"), (#"\bmargin\b"#, "headroom"),
            (#"\b(every|any)body\b"#, "all users, any user"),
            (#"\b(people|persons?)\b"#, "users"), (#"\bunasked\b"#, "unprompted"),
            (#"\bhabits\b"#, "journeys and pauses"), (#"\blet go\b"#, "dropped"),
            (#"\bdepartures?\b"#, "reordering"), (#"\bseen from\b"#, "smallest detectable"),
            (#"\btrouble\b"#, "finding"), (#"\d too many\b"#, "redundant"),
            (#"\bturned away\b"#, "rejected"), (#"\ba law of\b"#, "self-check"),
        ])

    /// Which lines have a word of the list: each with its number from 1, the first word in it, and
    /// what to say in its place.
    public func findings(in lines: some Sequence<String>) throws -> [(line: Int, text: String)] {
        let expression = try NSRegularExpression(
            pattern: entries.map(\.pattern).joined(separator: "|"), options: .caseInsensitive)
        // Nearly all texts end here: one pass instead of one a line.
        let text = lines.joined(separator: "\n")
        guard expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
        else { return [] }
        return lines.enumerated().compactMap { index, line in
            let whole = NSRange(line.startIndex..., in: line)
            guard let match = expression.firstMatch(in: line, range: whole),
                let range = Range(match.range, in: line)
            else { return nil }
            return (
                index + 1, "'\(line[range])', say '\(advice(for: String(line[range])))': \(line)"
            )
        }
    }

    private func advice(for found: String) -> String {
        let entry = entries.first { entry in
            found.range(of: entry.pattern, options: [.regularExpression, .caseInsensitive]) != nil
        }
        return entry?.replacement ?? ""
    }
}
