import SquallFormat

/// What became of visits to the payment page.
extension TextSummary {
    /// One line for each population whose people paid or tried to.
    var payments: [String] {
        let ends = ["booked", "unbooked", "cancelled", "refused"]
        var counts: [String: [String: Int64]] = [:]
        for series in summary.series(of: .payments) {
            guard let app = series.tags[.population], let status = series.tags[.status],
                let count = series.count, count > 0
            else { continue }
            counts[app, default: [:]][status] = count
        }
        let rows = counts.keys.sorted().map { app in
            [app] + ends.map { Units.approximate(count: counts[app]?[$0] ?? 0) }
        }
        return table("Payments", ["booked", "for nothing", "cancelled", "refused"], rows)
    }
}
