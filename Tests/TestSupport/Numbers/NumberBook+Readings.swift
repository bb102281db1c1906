import SquallFormat

/// How lists were read page by page, as the text shows it.
extension NumberBook {
    /// The tables below the one of readings.
    static let depthTitles = ["rows a page, by items before", "time a page, by items before"]

    static let ofReadings: [(title: String, table: NumberTable)] = [
        (
            "Pagination",
            NumberTable(
                "readings",
                [
                    "": list, "readers": .count("readings"),
                    "first p50": .duration("firstPageNs.p50"),
                    "end p50": .duration("endNs.p50", of: "endNs.count"),
                    "pages/s": .number("pagesPerSecond"), "items/s": .number("itemsPerSecond"),
                    "twice": .count("repeated"), "missed": .count("missed"),
                ])
        ),
        (
            depthTitles[0],
            depths { depth in
                let rows = (depth["rowsScanned"]?.number ?? 0) / (depth["pages"]?.number ?? 1)
                return Units.threeDigits(rows)
            }
        ),
        (depthTitles[1], depths { NumberColumn.duration($0["nsPerPage"]?.number) }),
    ]

    /// The list is named where a population reads several in the same way.
    private static let list = NumberColumn(isKey: true) { row in
        let words = ["population", "endpoint", "paging"].map { row.at($0)?.string ?? "" }
        return [words, [words[0], words[2]]].map { $0.joined(separator: " · ") }
    }

    private static func depths(
        _ text: @escaping @Sendable (JSONNode) -> String
    ) -> NumberTable {
        let limits = ["<100": 0.0, "<1k": 100, "<10k": 1_000, "<100k": 10_000, "more": 100_000]
        var columns = limits.mapValues { from in
            NumberColumn { row in
                let depth = row.at("depths")?.list.first { $0["from"]?.number == from }
                guard let depth, depth["pages"]?.number ?? 0 > 0 else { return ["–"] }
                return [text(depth)]
            }
        }
        columns[""] = list
        return NumberTable("readings", columns)
    }
}
