import Foundation
import SquallFormat

/// Holds every number of a run's page against `summary.json` and `timeseries.csv`, and
/// the numbers of those two against each other.
///
/// A number that nothing here explains is a contradiction too, so a new table or sentence has to
/// be entered in the book before a run that shows it passes.
public struct NumberBook {
    /// Whatever does not agree, and whatever nothing explains.
    public private(set) var contradictions: [String] = []
    /// How many numbers and words of the page were found to be right.
    public private(set) var agreements = 0

    let summary: JSONNode
    let series: [String: [Double]]

    /// The book of a run, from the content of its files.
    ///
    /// - Throws: where a file cannot be read.
    public init(summary: String, series: String, page: String) throws {
        self.summary = try JSONParser.parse(Array(summary.utf8))
        self.series = Self.columns(of: series)
        checkSummary()
        readPage(try XMLTree(page))
    }

    /// Notes whether a text is one of those that are right there.
    mutating func expect(
        _ shown: String, among right: [String], at place: @autoclosure () -> String
    ) {
        if right.contains(shown.trimmingCharacters(in: .whitespaces)) {
            agreements += 1
        } else {
            contradictions.append("\(place()): shows '\(shown)', the summary says \(right)")
        }
    }

    /// Notes whether numbers that count the same thing are one.
    mutating func expectOne(_ thing: String, _ numbers: [(String, Double?)]) {
        let known = numbers.filter { $0.1 != nil }
        let values = known.compactMap(\.1)
        guard let first = values.first else { return }
        if values.allSatisfy({ abs($0 - first) <= 1e-9 * max(1, abs(first)) }) {
            agreements += known.count - 1
        } else {
            let all = known.map { "\($0.0) \($0.1 ?? 0)" }.joined(separator: ", ")
            contradictions.append("\(thing): \(all)")
        }
    }

    /// Notes something that nothing explains.
    mutating func refuse(_ words: String) { contradictions.append(words) }

    /// The names of the populations.
    var populations: [String] {
        summary["populations"]?.list.compactMap { $0["name"]?.string } ?? []
    }

    private static func columns(of csv: String) -> [String: [Double]] {
        let lines = csv.split(separator: "\n").map { $0.split(separator: ",") }
        guard let head = lines.first else { return [:] }
        return Dictionary(
            uniqueKeysWithValues: head.enumerated().map { index, name in
                (String(name), lines.dropFirst().compactMap { Double($0[index]) })
            })
    }
}
