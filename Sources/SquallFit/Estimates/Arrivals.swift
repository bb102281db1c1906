import SquallKernel

/// The beginnings of visits: their rate, its change over the day, and the test of a Poisson
/// process.
struct Arrivals {
    /// Visits per second over the whole log.
    let rate: Estimate
    /// The variance of the visits in each piece of time over their mean, without the change of the
    /// rate; 1 for a Poisson process.
    let dispersion: Estimate?
    /// True if arrivals are a Poisson process at the rate of their time (Fisher's index of
    /// dispersion, at 1 in 100); `nil` where there are too few.
    let isPoisson: Bool?
    /// Stages of the log with their rates, in visits per second.
    let stages: [(seconds: Double, rate: Double)]
    /// True if chance explains all changes of the rate.
    let isSteady: Bool

    private static let stagesMax = 48
    private static let piecesMax = 24
    private static let leastStage = 300.0
    private static let leastBurst = 10.0

    /// Beginnings of visits, a sample of one in `share`; where it is not a random sample, as of
    /// people who come back, only the rate is computed.
    ///
    /// Of the time before `start`, since `first`, no beginning is known: where the rate changes, it
    /// changed as much in that time as in as long a one behind it.
    init(
        _ begins: [Int64], since first: Int64? = nil, from start: Int64, to end: Int64,
        oneIn share: UInt64 = 1, isExact: Bool = true
    ) {
        let oneIn = Double(share)
        let seconds = max(1, Double(end - start) / 1e9)
        let count = begins.count
        let pieces = max(1, min(Self.piecesMax, Int(seconds / Self.leastStage)))
        var counts = [Int](repeating: 0, count: pieces)
        // About five visits in each piece make the test of dispersion sound.
        let fine = max(pieces, min(2_000, count / 5))
        var finer = [Int](repeating: 0, count: fine)
        for begin in begins {
            let place = Double(begin - start) / 1e9 / seconds
            counts[min(pieces - 1, max(0, Int(place * Double(pieces))))] += 1
            finer[min(fine - 1, max(0, Int(place * Double(fine))))] += 1
        }
        let parts = Self.parts(finer, least: Int(Self.leastBurst * Double(fine) / seconds))
        stages = parts.map { part in
            let length = seconds * Double(part.count) / Double(fine)
            return (length, Double(finer[part].reduce(0, +)) * oneIn / length)
        }
        let expected = Double(count) / Double(pieces)
        let chi = counts.reduce(0.0) { $0 + (Double($1) - expected) * (Double($1) - expected) }
        let degrees = Double(pieces - 1)
        isSteady =
            pieces < 2 || expected == 0
            || chi / expected < degrees + 3 * (2 * degrees).squareRoot()
        let seen: Estimate?
        (seen, isPoisson) =
            isExact || share == 1 ? Self.dispersion(finer, in: parts) : (nil, nil)
        // Visits in groups vary more than at random.
        let spread = max(1, seen?.value ?? 1).squareRoot()
        let unseen = first.map { Double(start - $0) / 1e9 } ?? 0
        func behind(_ pieces: Double) -> Double {
            Double(begins.count { Double($0 - start) < pieces * unseen * 1e9 })
        }
        // Of one rate as many came before as ever; else its change goes on as behind it.
        let near = stages.count == 1 ? Double(count) * unseen / seconds : behind(1)
        let far = stages.count == 1 ? near : behind(2) - near
        let whole = oneIn / (seconds + unseen)
        let mean = (Double(count) + max(0, 2 * near - far)) * whole
        let variance =
            stages.count == 1
            ? Double(count) * (1 + unseen / seconds) * (1 + unseen / seconds)
            : Double(count) + 8 * near - far
        let half = Estimate.normal * spread * max(1, variance).squareRoot() * whole
        rate = Estimate(mean, low: max(0, mean - half), high: mean + half, count: count)
        // Random sampling of one visit in `share` moves the index toward 1 by that factor.
        dispersion = seen.map { seen in
            func whole(_ index: Double) -> Double { max(0, 1 + (index - 1) * oneIn) }
            return Estimate(
                whole(seen.value), low: seen.low.map(whole), high: seen.high.map(whole),
                count: seen.count)
        }
    }

    /// Divides counts into parts of at least `least` counts, each with one rate.
    ///
    /// The two most similar neighbours are merged until all differ by more than chance (Poisson's
    /// likelihood ratio; a change costs twice Schwarz's criterion for a rate and a place, since the
    /// best of many places is chosen) and there are at most as many as a profile can have.
    private static func parts(_ counts: [Int], least: Int) -> [Range<Int>] {
        func likelihood(_ sum: Int, _ length: Int) -> Double {
            sum == 0 ? 0 : Double(sum) * PortableMath.log(Double(sum) / Double(length))
        }
        let step = max(1, least)
        var parts = stride(from: 0, to: counts.count, by: step).map { from in
            let range = from..<min(counts.count, from + step)
            return (range: range, sum: counts[range].reduce(0, +))
        }
        func loss(_ index: Int) -> Double {
            let (left, right) = (parts[index], parts[index + 1])
            return likelihood(left.sum, left.range.count)
                + likelihood(right.sum, right.range.count)
                - likelihood(left.sum + right.sum, left.range.count + right.range.count)
        }
        var losses = parts.indices.dropLast().map(loss)
        let cost = 3 * PortableMath.log(Double(max(2, counts.count)))
        while let (index, least) = losses.enumerated().min(by: { $0.element < $1.element }),
            least < cost || parts.count > stagesMax
        {
            let whole = parts[index].range.lowerBound..<parts[index + 1].range.upperBound
            parts[index] = (whole, parts[index].sum + parts[index + 1].sum)
            parts.remove(at: index + 1)
            losses.remove(at: index)
            if index > 0 { losses[index - 1] = loss(index - 1) }
            if index < losses.count { losses[index] = loss(index) }
        }
        return parts.map(\.range)
    }

    /// Dispersion around the rate of each stage.
    private static func dispersion(
        _ counts: [Int], in parts: [Range<Int>]
    ) -> (Estimate?, Bool?) {
        guard counts.count >= 4 * parts.count, counts.count >= 20 else { return (nil, nil) }
        var (sum, degrees) = (0.0, 0.0)
        for part in parts {
            let own = counts[part].map(Double.init)
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
