import SquallKernel
import SquallReport

/// The excess of the thresholds around a centre; it gives the value at which the first of them
/// reaches its limit.
///
/// Most replications run at the centre, near the answer; a few also run a little below and above,
/// with the same seeds. Those give the slope of the curve, nearly free of noise thanks to common
/// random numbers; the centre decides where the curve crosses the limit.
struct CapacityCurve {
    let below: Probe
    let centre: Probe
    let above: Probe

    /// The number of replications of the centre, and of those that also ran at both sides.
    var count: Int { centre.replications.count }
    var besides: Int { min(below.replications.count, above.replications.count) }

    /// The distance of the farther side from the centre, as a logarithm.
    var width: Double {
        max(
            PortableMath.log(centre.value / below.value),
            PortableMath.log(above.value / centre.value))
    }

    /// The logarithm of a value divided by the centre's, and the threshold that it belongs to.
    typealias Root = (shift: Double, threshold: Int)

    /// The point at which the first threshold reaches its limit, judged by some replications.
    func root(_ numbers: [Int]) -> Root? {
        let beside = numbers.filter { $0 < besides }
        guard !beside.isEmpty else { return nil }
        let thresholds = centre.replications[0]?.evidence.count ?? 0
        return (0..<thresholds).compactMap { threshold in
            shift(of: threshold, numbers, beside).map { ($0, threshold) }
        }.min { $0.shift < $1.shift }
    }

    /// The interval of the root's logarithm, over all replications.
    ///
    /// Replications are added until it is narrow, so a spread that happens to look small ends the
    /// search. That costs less than one percentage point of coverage when there are at least
    /// ``CapacityOptions/replicationsMin`` of them: of 149 intervals of M/M/1 under a p95 limit
    /// 94.6 % contain the true value, and their half-width is 2.0 times the answers' own spread.
    var interval: ConfidenceInterval? {
        ConfidenceInterval(jackknifing: count) { root($0)?.shift }
    }

    private func shift(of threshold: Int, _ numbers: [Int], _ beside: [Int]) -> Double? {
        func excess(_ probe: Probe, _ numbers: [Int]) -> Double? {
            PooledEvidence(threshold, of: probe.chosen(numbers))?.excess
        }
        guard let here = excess(centre, numbers), let middle = excess(centre, beside),
            let low = excess(below, beside), let high = excess(above, beside)
        else { return nil }
        return Self.solve(
            left: (PortableMath.log(below.value / centre.value), low - middle),
            right: (PortableMath.log(above.value / centre.value), high - middle), for: -here)
    }

    /// The place at which a rising curve through three points, the middle one at the origin, has
    /// the given height: by inverse quadratic interpolation, extended along the nearer side.
    static func solve(
        left: (x: Double, y: Double), right: (x: Double, y: Double), for height: Double
    ) -> Double? {
        guard right.y > left.y else { return nil }
        guard left.y < 0, right.y > 0 else {
            let slope = (right.y - left.y) / (right.x - left.x)
            return height / slope
        }
        if height <= left.y { return left.x + (height - left.y) * left.x / left.y }
        if height >= right.y { return right.x + (height - right.y) * right.x / right.y }
        return left.x * height * (height - right.y) / (left.y * (left.y - right.y))
            + right.x * height * (height - left.y) / (right.y * (right.y - left.y))
    }
}
