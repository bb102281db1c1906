/// Pauses that are the sum of one with an unknown distribution and one with a known one.
struct PauseSum {
    private static let points = 120

    private let sums: [Double]
    private let other: [Double]

    /// Both lists are sorted.
    init(_ sums: [Double], _ other: [Double]) {
        self.sums = sums
        self.other = (0..<Self.points).map {
            other.quantile((Double($0) + 0.5) / Double(Self.points))
        }
    }

    /// Kolmogorov and Smirnov's distance between the sums and those that a distribution predicts.
    func distance(_ law: FittedLaw.Form) -> Double {
        var model: [Double] = []
        for point in 0..<Self.points {
            let value = quantile(law, (Double(point) + 0.5) / Double(Self.points))
            model += other.map { $0 + value }
        }
        model.sort()
        var (distance, place) = (0.0, 0)
        for (index, sum) in sums.enumerated() {
            while place < model.count, model[place] <= sum { place += 1 }
            let share = Double(place) / Double(model.count)
            distance = max(
                distance, abs(share - Double(index) / Double(sums.count)),
                abs(share - Double(index + 1) / Double(sums.count)))
        }
        return distance
    }

    /// The value below which a distribution has a share, by bisection.
    private func quantile(_ law: FittedLaw.Form, _ share: Double) -> Double {
        var (low, high) = (0.0, max(1, sums.last ?? 1))
        while law.below(high) < share, high < 1e18 { high *= 2 }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if law.below(middle) < share { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
