import Foundation

/// When visits begin: how many a second, whether at random, and how that changes over the day.
struct Arrivals {
    /// Visits a second over the whole log.
    let rate: Estimate
    /// Variance over mean of the visits in each piece of time, beside the change of the rate: 1 is
    /// Poisson's.
    let dispersion: Estimate?
    /// Whether arrivals are such as chance makes them at the rate of their time (Fisher's index of
    /// dispersion, at 1 in 100); nil where there are too few.
    let isPoisson: Bool?
    /// Pieces of the log with the rate in each, in visits a second.
    let stages: [(seconds: Double, rate: Double)]
    /// Whether the rate changes by more than chance.
    let isSteady: Bool

    private static let stagesMax = 24
    private static let leastStage = 300.0

    /// Begins of visits, each of which stands for so many by chance, or just for their rate.
    init(
        _ begins: [Int64], from start: Int64, to end: Int64, oneIn share: UInt64 = 1,
        isExact: Bool = true
    ) {
        let oneIn = Double(share)
        let seconds = max(1, Double(end - start) / 1e9)
        let count = begins.count
        let half = Estimate.normal * Double(count).squareRoot() * oneIn / seconds
        let mean = Double(count) * oneIn / seconds
        rate = Estimate(mean, low: max(0, mean - half), high: mean + half, count: count)
        let pieces = max(1, min(Self.stagesMax, Int(seconds / Self.leastStage)))
        let length = seconds / Double(pieces)
        var counts = [Int](repeating: 0, count: pieces)
        // About five visits a piece make the test of dispersion sound.
        let fine = max(pieces, min(2_000, count / 5))
        var finer = [Int](repeating: 0, count: fine)
        for begin in begins {
            let place = Double(begin - start) / 1e9 / seconds
            counts[min(pieces - 1, max(0, Int(place * Double(pieces))))] += 1
            finer[min(fine - 1, max(0, Int(place * Double(fine))))] += 1
        }
        stages = counts.map { (length, Double($0) * oneIn / length) }
        let expected = Double(count) / Double(pieces)
        let chi = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) }
        let degrees = Double(pieces - 1)
        isSteady =
            pieces < 2 || expected == 0
            || chi / expected < degrees + 3 * (2 * degrees).squareRoot()
        let seen: Estimate?
        (seen, isPoisson) =
            isExact || share == 1 ? Self.dispersion(finer, in: pieces) : (nil, nil)
        // Of visits taken one in so many by chance, the index is as much nearer to 1.
        dispersion = seen.map { seen in
            func whole(_ index: Double) -> Double { max(0, 1 + (index - 1) * oneIn) }
            return Estimate(
                whole(seen.value), low: seen.low.map(whole), high: seen.high.map(whole),
                count: seen.count)
        }
    }

    /// Dispersion around the rate of each piece's stage.
    private static func dispersion(
        _ counts: [Int], in pieces: Int
    ) -> (Estimate?, Bool?) {
        guard counts.count >= 4 * pieces, counts.count >= 20 else { return (nil, nil) }
        var (sum, degrees) = (0.0, 0.0)
        for piece in 0..<pieces {
            let (from, to) = (
                piece * counts.count / pieces, (piece + 1) * counts.count / pieces
            )
            let own = counts[from..<to].map(Double.init)
            let mean = own.reduce(0, +) / Double(own.count)
            guard mean > 0 else { continue }
            sum += own.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / mean
            degrees += Double(own.count - 1)
        }
        guard degrees > 0 else { return (nil, nil) }
        let index = sum / degrees
        let error = (2 / degrees).squareRoot()
        let estimate = Estimate(
            index, low: index - Estimate.normal * error * index,
            high: index + Estimate.normal * error * index, count: counts.count)
        return (estimate, abs(index - 1) < 2.576 * error)
    }
}
