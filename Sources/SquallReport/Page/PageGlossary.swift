import SquallFormat

/// Explains the words of the page where they stand.
enum PageGlossary {
    /// What headings of tables say, by the glossary's word for it.
    private static let words = [
        "expiries": "expiry", "refreshes per expiry": "expiry", "refreshes": "refresh",
        "expired": "expiry", "no end": "hang", "never ended": "hang", "held": "held",
        "requests held": "held",
        "signed out": "outcome", "recovered": "recovered", "attempts": "attempt",
        "retries": "retry", "design": "design", "population": "population", "p50": "percentile",
        "p95": "percentile", "p99": "percentile", "p99.9": "percentile", "outcome": "outcome",
        "journey": "journey", "step": "step", "fault": "fault", "users": "user",
    ]

    /// A heading, with the meaning of its word to be had by pointing at it.
    static func explained(_ heading: String) -> Markup {
        let isStatus = heading.hasSuffix("s") && heading.dropLast().allSatisfy(\.isNumber)
        guard let word = isStatus ? "expiry" : words[heading],
            let meaning = Glossary.meaning(of: word)
        else {
            return .text(heading)
        }
        return Markup("abbr", ["title": "\(word): \(meaning)"], heading)
    }
}
