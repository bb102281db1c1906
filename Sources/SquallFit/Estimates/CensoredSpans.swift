import Foundation

/// Spans of which some had not ended when a log did.
///
/// What ended early enough to be seen is shorter than the rest, so each span that was seen stands
/// for itself and for a share of those that were still going on then: the product limit (Kaplan and
/// Meier, "Nonparametric estimation from incomplete observations", JASA 1958). Beyond the longest
/// that was seen to end, the law goes on at the mean rate until there (Brown, Hollander and Korwar,
/// in "Reliability and Biometry", SIAM 1974).
struct CensoredSpans {
    /// The spans that were seen, in order, and the share that lasts longer than each.
    private var steps: [(span: Double, above: Double)] = []

    /// Spans that ended, and those that had not with how likely each is one of them at all.
    init(_ ended: [Double], going: [(span: Double, weight: Double)]) {
        let ended = ended.sorted()
        let going = going.sorted { $0.span < $1.span }
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
    }

    /// As many spans as ended, spread as all of them are, in rising order.
    var whole: [Double] {
        guard let last = steps.last else { return [] }
        let count = Double(steps.count)
        var place = 0
        return steps.indices.map { index in
            let above = 1 - (Double(index) + 0.5) / count
            while place < steps.count, steps[place].above > above { place += 1 }
            if place < steps.count { return steps[place].span }
            guard last.above > 0, last.above < 1 else { return last.span }
            return last.span * Foundation.log(above) / Foundation.log(last.above)
        }
    }
}
