import Foundation
import SquallFormat

@testable import SquallReport

/// Every number of a run that has a name, by what it is about, from wherever it is shown.
///
/// A thing is a measure of a subject, such as the expiries of a population. The words for measures
/// differ between the members of a file and the headings of a table; `words` says which mean the
/// same, and all others stand for themselves.
struct NumberBook {
    private var values: [Thing: [String: Set<String>]] = [:]

    private struct Thing: Hashable {
        let measure: String
        let subject: [String]
    }

    /// Headings of page and text by the member that they show, in tables about populations.
    private static let ofPopulation = [
        "refreshes per expiry": "refreshesPerExpiry", "each": "refreshesPerExpiry",
        "peak/s": "peakRefreshesPerSecond", "419s": "expiredAnswers", "failed": "failedSteps",
        "never ended": "hangs", "hung": "hangs", "signed out": "signOuts", "out": "signOuts",
        "wasted calls": "wastedCalls", "wasted": "wastedCalls", "recovered": "longestRecoveryNs",
        "back": "longestRecoveryNs", "expiries": "expiries", "users": "users", "steps": "steps",
    ]

    /// The same in tables about steps that met an expired token.
    private static let ofExpiredStep = [
        "began expired": "expiredSteps", "expired": "expiredSteps", "refreshes": "refreshes",
        "a step": "refreshesPerExpiredStep", "retries": "retries", "signed out": "sessionsLost",
    ]

    /// The same in tables about steps.
    private static let ofStep = [
        "ended": "count", "failed": "failed", "never ended": "hung", "hung": "hung", "p50": "p50",
        "p95": "p95", "p99": "p99", "max": "max",
    ]

    /// How many things were found at more than one place.
    var agreements: Int { values.values.count { $0.count > 1 } }

    /// The things that have more than one value.
    var contradictions: [String] {
        values.filter { Set($0.value.values.flatMap { $0 }).count > 1 }
            .map { "\($0.key.measure) of \($0.key.subject): \($0.value)" }.sorted()
    }

    /// Adds what a summary's tables about populations and steps hold.
    mutating func add(_ summary: JSONNode) {
        for row in summary["populations"]?.list ?? [] {
            add(row, ["population", row["name"]?.string ?? ""], Self.ofPopulation)
        }
        for row in summary["expiredSteps"]?.list ?? [] {
            add(row, ["expired"] + row.step, Self.ofExpiredStep)
        }
        for row in summary["steps"]?.list ?? [] {
            add(row, ["step"] + row.step, Self.ofStep)
            if let latency = row["durationNs"] { add(latency, ["step"] + row.step, Self.ofStep) }
        }
        for row in summary["metrics"]?.list ?? [] { addMetric(row) }
    }

    /// A series that counts the same as a member of a row must count as much.
    private mutating func addMetric(_ row: JSONNode) {
        guard let name = row["name"]?.string, let tags = row["tags"], tags["step"] != nil else {
            return
        }
        let members = ["steps": "count", "hangs": "hung"]
        if let measure = members[name], let count = row["values"]?["count"] {
            note(measure, ["step"] + tags.step, count.shown(as: measure), at: "metrics")
        }
    }

    private mutating func add(_ row: JSONNode, _ subject: [String], _ words: [String: String]) {
        for measure in Set(words.values) {
            guard let value = row[measure] else { continue }
            let word = measure == "longestRecoveryNs" ? row["recovery"]?.string : nil
            note(measure, subject, value.shown(as: measure, orAs: word), at: "json")
        }
    }

    /// Adds what the page's tables hold.
    mutating func add(_ page: XMLTree) {
        for table in page.elements("table") {
            let headings = table.elements("th").map(\.text)
            for row in table.elements("tr").dropFirst() {
                let cells = row.elements("td").map(\.text)
                let named = Dictionary(zip(headings, cells)) { first, _ in first }
                if let name = named["population"], headings.contains("refreshes per expiry") {
                    add(named, ["population", name], Self.ofPopulation, at: "page")
                } else if headings.contains("a step") {
                    add(named, ["expired"] + step(named), Self.ofExpiredStep, at: "page")
                } else if headings.contains("never ended"), headings.contains("step") {
                    add(named, ["step"] + step(named), Self.ofStep, at: "page")
                }
            }
        }
    }

    /// Adds what the text's tables hold, whose first column names a row.
    mutating func add(text: String) {
        let sections = text.components(separatedBy: "\n\n")
        for section in sections {
            let lines = section.split(separator: "\n").map(String.init)
            guard let head = lines.first else { continue }
            for line in lines.dropFirst() {
                let parts = line.split(separator: /\ \ +/).map(String.init)
                let headings = head.split(separator: /\ \ +/).map(String.init).dropFirst()
                guard let name = parts.first, parts.count == headings.count + 1 else { continue }
                let named = Dictionary(zip(headings, parts.dropFirst())) { first, _ in first }
                let way = [""] + name.components(separatedBy: " · ")
                if head.hasPrefix("Populations") {
                    add(named, ["population", name], Self.ofPopulation, at: "text")
                } else if head.hasPrefix("Steps that met") {
                    add(named, ["expired"] + way, Self.ofExpiredStep, at: "text")
                } else if head.hasPrefix("Steps ") {
                    add(named, ["step"] + way, Self.ofStep, at: "text")
                }
            }
        }
    }

    private func step(_ named: [String: String]) -> [String] {
        ["population", "journey", "step"].map { named[$0] ?? "" }
    }

    private mutating func add(
        _ row: [String: String], _ subject: [String], _ words: [String: String], at place: String
    ) {
        for (heading, measure) in words {
            guard let text = row[heading] else { continue }
            note(measure, subject, text.replacing("✗ ", with: ""), at: place)
        }
    }

    private mutating func note(
        _ measure: String, _ subject: [String], _ value: String, at place: String
    ) {
        values[Thing(measure: measure, subject: subject), default: [:]][place, default: []]
            .insert(value)
    }
}

extension JSONNode {
    fileprivate var list: [JSONNode] {
        if case .array(let elements) = value { elements } else { [] }
    }

    fileprivate var string: String? {
        if case .string(let text) = value { text } else { nil }
    }

    fileprivate var step: [String] {
        ["population", "journey", "step"].map { self[$0]?.string ?? "" }
    }

    /// The number as page and text show it.
    fileprivate func shown(as measure: String, orAs word: String? = nil) -> String {
        guard case .number(let digits) = value else {
            return word == "unknown" ? "–" : word ?? "–"
        }
        let durations = ["longestRecoveryNs", "p50", "p95", "p99", "max"]
        if durations.contains(measure), let span = Int64(digits) {
            return Units.approximate(nanoseconds: span)
        }
        if measure.contains("Per"), let number = Double(digits) {
            return Units.threeDigits(number)
        }
        return Int64(digits).map(Units.grouped) ?? digits
    }
}
