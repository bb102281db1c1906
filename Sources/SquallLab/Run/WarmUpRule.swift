/// The end of a series' warm-up by MSER-5: the point that leaves the mean of the rest with the
/// smallest standard error.
///
/// Observations are averaged in fives to Y₁…Yₘ; the point is d* = argmin Σᵢ₌d…ₘ(Yᵢ − Ȳ)² / (m − d)²
/// (White, Cobb and Spratt, WSC 2000). Only the first half is searched: a minimum at its end says
/// that the series never settled.
enum WarmUpRule {
    static let batch = 5

    /// The rule's result for a series.
    enum Truncation: Hashable {
        /// So many observations are to be left out.
        case after(Int)
        /// The best point is the last of those searched.
        case never
        /// There are fewer than ten means.
        case tooShort
    }

    /// The number of observations to leave out.
    static func truncation(of series: [Int64]) -> Truncation {
        let means = stride(from: 0, through: series.count - batch, by: batch).map { start in
            Double(series[start..<start + batch].reduce(0, +)) / Double(batch)
        }
        guard means.count >= 10 else { return .tooShort }
        var (sum, squares) = (0.0, 0.0)
        var best = (point: means.count, error: Double.infinity)
        for point in means.indices.reversed() {
            sum += means[point]
            squares += means[point] * means[point]
            let rest = Double(means.count - point)
            let error = max(0, squares - sum * sum / rest) / (rest * rest)
            // The earliest of equally good points keeps most of the run.
            if point <= means.count / 2, error <= best.error { best = (point, error) }
        }
        return best.point < means.count / 2 ? .after(best.point * batch) : .never
    }
}
