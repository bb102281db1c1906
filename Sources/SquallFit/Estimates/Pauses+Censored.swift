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
        let ended = ended.sorted()
        let going = going.sorted { $0.span < $1.span }
        // The share of all spans that lasts longer than each that ended.
        var steps: [(span: Double, above: Double)] = []
        var atRisk = Double(ended.count) + going.reduce(0) { $0 + $1.weight }
        var (above, place) = (1.0, 0)
        for span in ended {
            while place < going.count, going[place].span < span {
                atRisk -= going[place].weight
                place += 1
            }
            above *= max(0, 1 - 1 / max(1, atRisk))
            atRisk -= 1
            steps.append((span, above))
        }
        guard let last = steps.last else { return [] }
        let count = Double(steps.count)
        place = 0
        return steps.indices.map { index in
            let above = 1 - (Double(index) + 0.5) / count
            while place < steps.count, steps[place].above > above { place += 1 }
            if place < steps.count { return steps[place].span }
            guard last.above > 0, last.above < 1 else { return last.span }
            return last.span * PortableMath.log(above) / PortableMath.log(last.above)
        }
    }
    /// How much wider the interval of a mean is than that of as many spans, since some had not
    /// ended: by the variance of the product limit (Greenwood 1926; Kaplan and Meier 1958).
    static func widening(
        _ ended: [Double], going: [(span: Double, weight: Double)], whole: [Double]
    ) -> Double {
        let (ended, going) = (ended.sorted(), going.sorted { $0.span < $1.span })
        var atRisk = Double(ended.count) + going.reduce(0) { $0 + $1.weight }
        var (place, above) = (0, 1.0)
        var steps: [(above: Double, risk: Double)] = []
        for span in ended {
            while place < going.count, going[place].span < span {
                atRisk -= going[place].weight
                place += 1
            }
            above *= max(0, 1 - 1 / max(1, atRisk))
            steps.append((above, atRisk))
            atRisk -= 1
        }
        guard let last = steps.last, let longest = ended.last, last.above > 0, last.above < 1 else {
            return 1
        }
        var (area, variance) = (-last.above * longest / PortableMath.log(last.above), 0.0)
        for index in steps.indices.reversed() {
            let risk = steps[index].risk
            if risk > 1 { variance += area * area / (risk * (risk - 1)) }
            let before = index > 0 ? steps[index - 1].above : 1
            area += before * (ended[index] - (index > 0 ? ended[index - 1] : 0))
        }
        let plain = Moments(whole).variance / Double(max(1, whole.count))
        return plain > 0 ? max(1, (variance / plain).squareRoot()) : 1
    }
}
