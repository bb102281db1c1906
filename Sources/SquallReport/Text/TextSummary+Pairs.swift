import SquallFormat

/// How the same people fared on different designs.
extension TextSummary {
    /// One line for each population that shares another's habits: differences for each person.
    var pairs: [String] {
        let rows = summary.pairs.map { pair in
            ["\(pair.population) − \(pair.against)"] + pair.differences.map(\.text)
        }
        return table(
            "The same people: a head", PairRow.Quantity.allCases.map(\.rawValue), rows)
    }
}

extension PairRow.Difference {
    /// `−1.25±0.03`; times with their unit.
    var text: String {
        let sign = mean < 0 ? "−" : "+"
        return sign + magnitude(mean.magnitude) + (margin.map { "±" + magnitude($0) } ?? "")
    }

    private func magnitude(_ value: Double) -> String {
        quantity == .waited
            ? Units.approximate(nanoseconds: Int64(clamped: value.rounded()))
            : Units.threeDigits(value)
    }
}
