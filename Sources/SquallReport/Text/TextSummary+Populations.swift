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
                Units.approximate(count: row.expiredAnswers),
                Units.approximate(count: row.failedSteps),
                Units.approximate(count: row.hangs),
                Units.approximate(count: row.signOuts),
                Units.approximate(count: row.wastedAttempts), row.recovery.words,
            ]
        }
        return table(
            "Populations",
            ["each", "peak/s", summary.expiredHeading, "failed", "hung", "out", "wasted", "back"],
            rows)
    }
}
