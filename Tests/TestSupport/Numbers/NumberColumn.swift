import SquallFormat

/// What a column of a table shows of the row of `summary.json` that it is about.
struct NumberColumn: Sendable {
    /// A row, with those that it stands in behind it.
    typealias Row = [JSONNode]

    /// Whether it tells rows apart.
    var isKey = false
    /// Every way in which what belongs there may be written.
    let texts: @Sendable (Row) -> [String]

    /// A text that tells rows apart.
    static func key(_ way: String) -> Self {
        Self(isKey: true) { [$0.at(way)?.string ?? ""] }
    }

    /// Texts that together tell rows apart.
    static func keys(_ ways: String..., by separator: String = " · ") -> Self {
        Self(isKey: true) { row in
            [ways.compactMap { row.at($0)?.string }.joined(separator: separator)]
        }
    }

    /// A text of the row.
    static func words(_ way: String, empty: String = "") -> Self {
        Self { row in
            let text = row.at(way)?.string ?? ""
            return [text.isEmpty ? empty : text]
        }
    }

    /// A whole number, or the sum of several.
    static func count(_ ways: String...) -> Self {
        Self { row in NumberColumn.count(ways.reduce(0) { $0 + (row.at($1)?.number ?? 0) }) }
    }

    /// A whole number that may be missing.
    static func optionalCount(_ way: String) -> Self {
        Self { ($0.at(way)?.number).map { NumberColumn.count($0) } ?? ["–"] }
    }

    /// A number of three digits, with what stands behind it.
    static func number(_ way: String, _ unit: String = "") -> Self {
        Self { [($0.at(way)?.number).map { Units.threeDigits($0) + unit } ?? "–"] }
    }

    /// A quotient of two numbers.
    static func quotient(_ part: String, _ whole: String, percent: Bool = false) -> Self {
        Self { row in
            guard let part = row.at(part)?.number, let whole = row.at(whole)?.number, whole > 0
            else { return ["–"] }
            return [percent ? Units.percent(part / whole) : Units.threeDigits(part / whole)]
        }
    }

    /// A share of one.
    static func percent(_ way: String) -> Self {
        Self { [($0.at(way)?.number).map(Units.percent) ?? "–"] }
    }

    /// A duration of nanoseconds; nothing where a number of its distribution is 0.
    static func duration(_ way: String, of count: String? = nil) -> Self {
        Self { row in
            if let count, row.at(count)?.number ?? 0 == 0 { return ["–"] }
            return [NumberColumn.duration(row.at(way)?.number)]
        }
    }

    /// Whether and when things were as before.
    static let recovery = Self { row in
        let word = row.at("recovery.outcome")?.string ?? ""
        let span = row.at("recovery.afterNs")?.number
        if word == "unknown" { return ["–"] }
        guard word == "recovered" else { return [word, "✗ " + word] }
        let faults = row.first?["faults"]?.list ?? row.first.map { [$0] } ?? []
        let leftRange = faults.contains { fault in
            [fault["goodputLeftRange"], fault["backlog"]?["leftRange"]].contains {
                $0?.value == .bool(true)
            }
        }
        let isOfFaults = row.first?["faults"] != nil || row.first?["goodputLeftRange"] != nil
        return [
            span == 0 && isOfFaults && !leftRange ? "at once" : NumberColumn.duration(span)
        ]
    }

    /// What is said of an endpoint whose answers "expired" led to nothing.
    static let neverRefreshes = Self { row in
        let counts = ["expiredAnswers", "refreshes", "retries"].map { row.at($0)?.number ?? 0 }
        return [counts[0] > 0 && counts[1] + counts[2] == 0 ? "✗ never refreshes" : ""]
    }

    /// `user 17 at 5m00s`.
    static let first = Self { row in
        let moment = NumberColumn.duration(row.at("atNs")?.number)
        return ["user \(Int64(row.at("user")?.number ?? 0)) at \(moment)"]
    }

    static func count(_ number: Double) -> [String] {
        let count = Int64(number)
        return [Units.grouped(count), Units.approximate(count: count)]
    }

    static func duration(_ nanoseconds: Double?) -> String {
        nanoseconds.map { Units.approximate(nanoseconds: Int64($0)) } ?? "–"
    }
}

extension [JSONNode] {
    /// What stands at the end of a way of members, in the row or else in what it stands in.
    func at(_ way: String) -> JSONNode? {
        lazy.compactMap { $0.at(way) }.first
    }
}
