import SquallFormat
import SquallLab

extension RunProgress {
    /// The progress after some real time, the most important first.
    ///
    /// The time left assumes the same pace, so it is omitted until a fiftieth is done: what came
    /// first, as users arrived, says little.
    func text(afterNanoseconds elapsed: Int64) -> String {
        let share = Double(virtualNanoseconds) / Double(max(1, totalNanoseconds))
        let perSecond = Double(requests) / (Double(max(1, elapsed)) / 1e9)
        let left = share > 0 ? Double(elapsed) / share * (1 - share) : 0
        let parts = [
            "\(Int64(share * 100)) %",
            "\(Units.approximate(nanoseconds: virtualNanoseconds)) virtual",
            "\(Units.approximate(nanoseconds: elapsed / Span.second * Span.second)) real"
                + (elapsed >= Span.second && share >= 0.02 && share < 1
                    ? ", \(Units.approximate(nanoseconds: Int64(left / 1e9) * Span.second)) left"
                    : ""),
            "\(Units.approximate(count: usersActive)) users",
            "\(Units.approximate(count: requests)) requests",
            "\(Units.approximate(count: Int64(perSecond))) a real second",
            "\(Units.approximate(count: refreshedTwice)) refreshed twice",
        ]
        return parts.joined(separator: " · ")
    }
}
