/// What the lengths of pauses show without the order of screens.
extension PauseKinds {
    /// The most absences, as a share, that may be shorter than half of the looks.
    private static let shortMax = 0.02
    /// The least share of lengths behind the valley before a second peak.
    private static let leastHump = 0.02

    /// True if the logarithms of all lengths have two peaks with a valley between them, which a
    /// long tail of one kind has not.
    var haveTwoHumps: Bool {
        let density = PauseLaw(.seen, cells, cells.map(\.count)).shares
        guard let top = density.indices.max(by: { density[$0] < density[$1] }) else { return false }
        let window = total * PauseLaw.smoothing
        func isHump(_ beyond: some Sequence<Int>) -> Bool {
            var (valley, end) = (density[top], top)
            for bin in beyond {
                if density[bin] < valley { (valley, end) = (density[bin], bin) }
                // Counts of a window of the smoothing, of which three deviations are no chance.
                let (hump, pit) = (density[bin] * window, valley * window)
                guard hump > 1.1 * pit, hump - pit > 3 * (hump + pit).squareRoot() else { continue }
                let behind = cells.filter { end > top ? $0.bin > end : $0.bin < end }
                return behind.reduce(0) { $0 + $1.count } > Self.leastHump * total
            }
            return false
        }
        return isHump(density.indices[(top + 1)...]) || isHump((0..<top).reversed())
    }

    /// True if hardly any absence is as short as half of the looks: otherwise looks at a screen
    /// with which visits also begin may have been taken for absences.
    func areApart(_ long: [Double]) -> Bool {
        var (looks, absences) = (
            [Double](repeating: 0, count: Self.bins), [Double](repeating: 0, count: Self.bins)
        )
        for (cell, share) in zip(cells, long) {
            absences[cell.bin] += share * cell.count
            looks[cell.bin] += (1 - share) * cell.count
        }
        var (below, bin) = (0.0, 0)
        let half = looks.reduce(0, +) / 2
        while bin < Self.bins, below < half {
            below += looks[bin]
            bin += 1
        }
        return absences[..<bin].reduce(0, +) < Self.shortMax * absences.reduce(0, +)
    }
}
