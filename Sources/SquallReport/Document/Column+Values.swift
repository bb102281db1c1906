import SquallDocument

extension Column {
    /// A number of a distribution; none where there was no value.
    func callAsFunction(_ number: Int64, of latency: LatencySummary) -> Cell {
        self(latency.count > 0 ? number : nil)
    }

    /// Whether and when things were as before again.
    func callAsFunction(_ recovery: Recovery) -> Cell {
        let isBad = recovery == .never || recovery == .metastable
        return self(
            recovery.words, recovery.nanoseconds.map(Double.init), isGood: isBad ? false : nil)
    }
}
