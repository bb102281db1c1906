import Foundation
import SquallFormat

/// What an answer says of long lists and of retries, held against the tables.
extension NumberBook {
    /// "Reading shop by offset in …": each clause is a row of the readings.
    mutating func readLists(_ sentence: String, at place: String) -> String {
        guard sentence.lowercased().hasPrefix("reading ") else { return sentence }
        var rest = sentence
        for row in summary["readings"]?.list ?? [] {
            let (list, paging) = (row["endpoint"]?.string ?? "", row["paging"]?.string ?? "")
            let clause = sentence.dropLast().split(separator: ";").map {
                $0.trimmingCharacters(in: .whitespaces)
            }.first {
                $0.dropFirst().hasPrefix("eading \(list) by \(paging)")
                    && ($0.contains("in \"\(row["population"]?.string ?? "")\"")
                        || !$0.contains(" in \""))
            }
            guard let clause else { continue }
            let figures = [
                NumberColumn.number("itemsPerSecond"), .count("counts.repeated"),
                .count("counts.missed"),
            ].flatMap { $0.texts([row]) }
            let times = (row["depths"]?.list ?? []).flatMap { depth in
                NumberColumn.duration("meanPageNs").texts([depth])
                    + NumberColumn.count("from").texts([depth])
            }
            var left = clause.replacing("\"\(row["population"]?.string ?? "")\"", with: "")
                .replacing("eading \(list) by", with: "")
            for text in (figures + times).sorted(by: { $0.count > $1.count }) where text != "" {
                left = left.replacing(text, with: "")
            }
            if left.contains(where: \.isNumber) {
                refuse("\(place): nothing explains '\(left)' of '\(clause)'")
            }
            rest = rest.replacing(clause, with: "")
        }
        return rest
    }

    /// "Retries: 2.4 attempts per call": the factor of their layer, and the leaves of the tree.
    mutating func readRetries(_ sentence: String, at place: String) -> String {
        guard sentence.hasPrefix("Retries: ") else { return sentence }
        let layers = summary.at("retries.amplification")?.list ?? []
        let branches = summary.at("retries.tree.children")?.list ?? []
        let rows = branches.filter { $0["name"]?.string == "retries" }
        var right = layers.filter { $0["layer"]?.string == "retries" }.map {
            Units.threeDigits($0["factor"]?.number ?? 0) + " attempts per call"
        }
        right += (rows + rows.flatMap { $0["children"]?.list ?? [] }).map { node in
            "\(Units.grouped(Int64(node["attempts"]?.number ?? 0))) \(node["name"]?.string ?? "")"
        }
        right += NumberColumn.count("retries.wastedAttempts").texts([summary]).map {
            $0 + " attempts were wasted"
        }
        right += NumberColumn.percent("retries.wastedShare").texts([summary]).map { "(\($0))" }
        return right.sorted { $0.count > $1.count }.reduce(sentence) { $0.replacing($1, with: "") }
    }
}
