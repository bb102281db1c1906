import SquallFormat

extension Column {
    /// A number of a distribution; empty where the distribution is.
    func callAsFunction(_ number: Int64, of latency: LatencySummary) -> Cell {
        self(latency.count > 0 ? number : nil)
    }

    /// Says if and when the service recovered; "at once" where it never left its range.
    func callAsFunction(_ recovery: Recovery, leftRange: Bool = true) -> Cell {
        let isBad = recovery == .never || recovery == .metastable
        let after = recovery.afterNanoseconds
        return self(
            after == 0 && !leftRange ? "at once" : recovery.words, after.map(Double.init),
            isGood: isBad ? false : nil)
    }
}

extension LatencySummary {
    /// The cells that each table of times has.
    var cells: [Cell] {
        Percentile.all.filter { $0.place != .nowhereElse }.map { $0.column($0(self), of: self) }
            + [Column.longest(maximum, of: self)]
    }
}
