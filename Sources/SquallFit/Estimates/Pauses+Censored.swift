import SquallKernel

extension Pauses {
    /// As many spans as ended, with the distribution of those that ended and of those that had not
    /// when the log did, each weighted by its probability of being one; in rising order.
    ///
    /// Spans that were seen to end are shorter than the others, so each of them also stands for a
    /// share of those still going on then: the product limit (Kaplan and Meier, "Nonparametric
    /// estimation from incomplete observations", JASA 1958). Beyond the longest that was seen to
    /// end, the distribution continues at the mean rate up to there (Brown, Hollander and Korwar,
    /// in "Reliability and Biometry", SIAM 1974).
    static func whole(
        _ ended: [Double], going: [(span: Double, weight: Double)]
    ) -> [Double] {
        let steps = steps(ended, going)
        guard let last = steps.last else { return [] }
        let count = Double(steps.count)
        var place = 0
        return steps.indices.map { index in
            let above = 1 - (Double(index) + 0.5) / count
            while place < steps.count, steps[place].above > above { place += 1 }
            if place < steps.count { return steps[place].span }
            guard last.above > 0, last.above < 1 else { return last.span }
            return last.span * PortableMath.log(above) / PortableMath.log(last.above)
        }
    }

    /// Each span that ended, in rising order: the share of all that lasts longer, and the spans
    /// that went on until then.
    private static func steps(
        _ ended: [Double], _ going: [(span: Double, weight: Double)]
    ) -> [(span: Double, above: Double, risk: Double)] {
        let going = going.sorted { $0.span < $1.span }
        var atRisk = Double(ended.count) + going.reduce(0) { $0 + $1.weight }
        var (above, place) = (1.0, 0)
        return ended.sorted().map { span in
            while place < going.count, going[place].span < span {
                atRisk -= going[place].weight
                place += 1
            }
            above *= max(0, 1 - 1 / max(1, atRisk))
            defer { atRisk -= 1 }
            return (span, above, atRisk)
        }
    }

    /// How much wider the interval of a mean is than that of as many spans, since some had not
    /// ended: by the variance of the product limit (Greenwood 1926; Kaplan and Meier 1958).
    static func widening(
        _ ended: [Double], going: [(span: Double, weight: Double)], whole: [Double]
    ) -> Double {
        let steps = steps(ended, going)
        guard let last = steps.last, last.above > 0, last.above < 1 else { return 1 }
        var (area, variance) = (-last.above * last.span / PortableMath.log(last.above), 0.0)
        for index in steps.indices.reversed() {
            let risk = steps[index].risk
            if risk > 1 { variance += area * area / (risk * (risk - 1)) }
            let before = index > 0 ? steps[index - 1].above : 1
            area += before * (steps[index].span - (index > 0 ? steps[index - 1].span : 0))
        }
        let plain = Moments(whole).variance / Double(max(1, whole.count))
        return plain > 0 ? max(1, (variance / plain).squareRoot()) : 1
    }
}
