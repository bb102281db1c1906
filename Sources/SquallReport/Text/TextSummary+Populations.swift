import SquallFormat

/// The comparison of populations.
extension TextSummary {
    /// One line for each population, in the profile's order; nothing to compare when there is one.
    var populations: [String] {
        guard summary.populations.count > 1 else { return [] }
        let rows = summary.populations.map { row in
            [
                row.name, row.refreshesPerExpiry.map(Units.threeDigits) ?? "–",
                Units.threeDigits(row.peakRefreshesPerSecond),
                Units.approximate(count: row.counts.expiredAnswers),
                Units.approximate(count: row.counts.failedSteps),
                Units.approximate(count: row.counts.hangs),
                Units.approximate(count: row.counts.signOuts),
                Units.approximate(count: row.counts.wastedCalls), row.recovery,
            ]
        }
        return table(
            "Populations",
            ["each", "peak/s", "419s", "failed", "hung", "out", "wasted", "back"], rows)
    }
}

extension PopulationRow {
    /// How long it took until as many steps succeeded again as before a fault.
    fileprivate var recovery: String {
        if triggers.isEmpty { return "–" }
        return recoveredAfterNanoseconds.map(Units.approximate(nanoseconds:)) ?? "never"
    }
}
