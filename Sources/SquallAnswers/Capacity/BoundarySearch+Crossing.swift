import SquallFormat
import SquallKernel
import SquallReport

extension BoundarySearch {
    /// The interval in which the curve crosses a limit; nil where there is none.
    func crossing(_ low: Double, _ high: Double) throws -> CapacityEnd? {
        var centre = rounded((low * high).squareRoot())
        var slope = firstSlope(low, high)
        var tried: [CapacityEnd] = []
        for _ in 0..<Self.recentringsMax {
            let pilot = try run(centre, 0..<Self.pilot)
            guard let excess = pilot.all.excess else { return nil }
            let error = spread(of: pilot) / slope
            let shift = -excess / slope
            if shift.magnitude > max(options.precision, error) {
                let next = rounded(
                    allowed(centre * PortableMath.exp(min(0.7, max(-0.7, shift)))))
                if next != centre, probe(next).replications.isEmpty {
                    centre = next
                    continue
                }
            }
            let width = min(0.2, max(options.precision, 2 * error))
            guard let curve = try curve(around: centre, width),
                let root = curve.root(Array(0..<curve.count))
            else { break }
            let found = end(curve.interval, from: curve.centre.value, root.threshold)
            if root.shift.magnitude <= curve.width * 1.05 { return found }
            if let found { tried.append(found) }
            centre = rounded(
                allowed(centre * PortableMath.exp(min(0.7, max(-0.7, root.shift)))))
            slope = max(0.1, self.slope(of: curve))
        }
        return spanning(tried.suffix(3))
    }

    /// One interval that spans those of the curves around several values, used where no crossing
    /// is near its own centre.
    private func spanning(_ tried: ArraySlice<CapacityEnd>) -> CapacityEnd? {
        guard let last = tried.last else { return nil }
        table.notes.append(
            "The curve is uneven near the result: the interval covers the estimates of several"
                + " parts")
        let value = last.loads.value
        let low = tried.reduce(value) { min($0, $1.loads.low ?? $1.loads.value) }
        let high = tried.reduce(value) { max($0, $1.loads.high ?? $1.loads.value) }
        return CapacityEnd(
            self, crossing: ConfidenceInterval(value, low: low, high: high), last.threshold)
    }

    /// The end where a curve crosses the limit of a threshold, by the interval of the logarithm of
    /// its load beside a centre; nil without an interval.
    func end(
        _ shift: ConfidenceInterval?, from centre: Double = 1, _ threshold: Int
    ) -> CapacityEnd? {
        guard let shift, let low = shift.low, let high = shift.high else { return nil }
        func load(_ shift: Double) -> Double { centre * PortableMath.exp(shift) }
        return CapacityEnd(
            self,
            crossing: ConfidenceInterval(load(shift.value), low: load(low), high: load(high)),
            threshold)
    }

    /// Adds replications beside the centre, far enough away that the curve's slope there is sure.
    private func sides(
        of centre: Double, _ width: Double
    ) throws -> (below: Double, above: Double)? {
        var width = width
        while true {
            let factor = PortableMath.exp(width)
            var below = rounded(allowed(centre / factor))
            var above = rounded(allowed(centre * factor))
            if below >= centre { below = next(centre, isHarder: false) }
            if above <= centre { above = next(centre, isHarder: true) }
            guard below >= centre * 1e-3, below < centre, above > centre,
                allowed(above) == above, allowed(below) == below
            else { return nil }
            try table.run([
                (value(of: below), 0..<Self.pilot), (value(of: above), 0..<Self.pilot),
            ])
            if width >= Self.widthMax || rises(from: below, to: above) { return (below, above) }
            width = min(Self.widthMax, width * 1.6)
        }
    }

    /// True if the replications at two values show for sure how much the excess rises.
    private func rises(from below: Double, to above: Double) -> Bool {
        let (low, high) = (probe(below), probe(above))
        let rise = ConfidenceInterval(jackknifing: Self.pilot) { chosen in
            guard let start = low.chosen(chosen).excess,
                let end = high.chosen(chosen).excess
            else { return nil }
            return end - start
        }
        guard let rise, rise.value > 0 else { return false }
        return (rise.relativeHalfWidth ?? .infinity) < Self.riseError
    }

    /// Adds replications beside the centre, and at it as many as the precision needs.
    private func curve(around centre: Double, _ width: Double) throws -> CapacityCurve? {
        guard let (below, above) = try sides(of: centre, width) else { return nil }
        var count = min(CapacityOptions.replicationsMin, options.replicationsMax)
        while true {
            try run(centre, 0..<count)
            func first(_ count: Int, at load: Double) -> Probe {
                Probe(value: load, replications: probe(load).replications.first(count))
            }
            let curve = CapacityCurve(
                below: first(Self.pilot, at: below), centre: first(count, at: centre),
                above: first(Self.pilot, at: above))
            guard let width = curve.interval?.halfWidth else { return nil }
            table.estimate =
                "about \(text(centre)), ± \(Units.percent(min(9, width))) of ±"
                + " \(Units.percent(options.precision)), \(done(count, width)) of the search"
            guard width > options.precision, count < options.replicationsMax else { return curve }
            count = options.more(than: count)
        }
    }

    /// The part of the search that is done, for progress messages: bracket and pilot are a third of
    /// it; the rest are the replications that the interval still needs by its width so far.
    private func done(_ count: Int, _ width: Double) -> String {
        let ratio = max(1, width / options.precision)
        let needed = min(Double(options.replicationsMax), Double(count) * ratio * ratio)
        return "\(Int(((1 + 2 * Double(count) / needed) / 3 * 100).rounded())) %"
    }

    /// The slope of the excess over the logarithm of the value, by the first replication.
    private func firstSlope(_ low: Double, _ high: Double) -> Double {
        guard let below = excess(low), let above = excess(high), above > below, low > 0 else {
            return 1
        }
        return max(0.1, (above - below) / PortableMath.log(high / low))
    }

    private func slope(of curve: CapacityCurve) -> Double {
        guard let low = curve.below.all.excess, let high = curve.above.all.excess
        else { return 1 }
        return (high - low) / PortableMath.log(curve.above.value / curve.below.value)
    }

    /// The standard error of the excess of a pilot.
    private func spread(of probe: Probe) -> Double {
        let numbers = probe.replications.keys.sorted()
        let interval = ConfidenceInterval(jackknifing: numbers.count) { chosen in
            probe.chosen(chosen.map { numbers[$0] }).excess
        }
        let quantile = StudentT.quantile(level: 0.95, freedom: max(1, numbers.count - 1))
        return (interval?.halfWidth ?? 0) / quantile
    }
}
