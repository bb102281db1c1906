import SquallFormat

extension FindingRule {
    /// Calls that are refused as expired, refreshed and sent again, over and over.
    static let refreshLoops = FindingRule { summary in
        summary.populations.filter { $0.loopingCalls > 0 }.map { row in
            Finding(
                label: "storm.loop",
                headline: Units.counted(row.loopingCalls, "call")
                    + " refreshed again and again",
                count: row.loopingCalls, population: row.name,
                detail: "refused as expired and refreshed three times or more in one step, one of"
                    + " them \(Units.grouped(row.longestLoop)) times: each new token has expired"
                    + " before the call arrives, or the call does not show it",
                section: "Token refresh",
                exampleIndex: summary.exampleIndex(of: "storm", in: row.name))
        }
    }
}
