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

    /// The distance between the sums and those that a distribution predicts.
    func distance(_ law: FittedLaw.Form) -> Double {
        var model: [Double] = []
        for point in 0..<Self.points {
            let value = quantile(law, (Double(point) + 0.5) / Double(Self.points))
            model += other.map { $0 + value }
        }
        model.sort()
        var place = 0
        return sums.distance { sum in
            while place < model.count, model[place] <= sum { place += 1 }
            return Double(place) / Double(model.count)
        }
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
