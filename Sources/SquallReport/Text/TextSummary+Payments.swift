import SquallFormat

/// What became of visits to the payment page.
extension TextSummary {
    /// One line for each app whose people paid or tried to.
    var payments: [String] {
        let ends = ["booked", "unbooked", "cancelled", "refused"]
        var counts: [String: [String: Int64]] = [:]
        for metric in summary.metrics where metric.key.metric == .payments {
            guard let app = metric.key[.app], let status = metric.key[.status],
                case .counter(let count) = metric.value, count > 0
            else { continue }
            counts[app, default: [:]][status] = count
        }
        let rows = counts.keys.sorted().map { app in
            [app] + ends.map { Units.approximate(count: counts[app]?[$0] ?? 0) }
        }
        return table("Payments", ["booked", "for nothing", "cancelled", "refused"], rows)
    }
}

extension MetricKey {
    fileprivate subscript(key: TagKey) -> String? { tags.first { $0.key == key }?.value }
}
