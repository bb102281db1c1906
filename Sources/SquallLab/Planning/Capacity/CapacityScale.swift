import SquallReport

/// A setting as a search sees it: a load, which is harder to bear the larger it is.
///
/// Where more of the setting is better, the load is its reciprocal: half as many workers are
/// twice the load for each.
struct CapacityScale {
    let variation: Variation
    let direction: CapacityDirection

    var isInverted: Bool { direction == .moreIsBetter }

    func value(of load: Double) -> Double { isInverted ? variation.rounded(1 / load) : load }

    func load(of value: Double) -> Double { isInverted ? 1 / value : value }

    /// The nearest load that the setting can have.
    func rounded(_ load: Double) -> Double {
        isInverted ? self.load(of: value(of: load)) : variation.rounded(load)
    }

    /// The next load that a setting of whole numbers can have.
    func next(_ load: Double, isHarder: Bool) -> Double {
        let step = isHarder == isInverted ? -1.0 : 1
        return self.load(of: max(variation.least, value(of: load).rounded() + step))
    }

    /// Whether the search's precision is finer than one whole unit of a counted setting.
    func isCounted(_ load: Double, _ precision: Double) -> Bool {
        variation.unit == .count && value(of: load) * precision < 1
    }

    func text(_ load: Double) -> String { variation.text(value(of: load)) }

    /// Converts an interval of loads to one of values; whole numbers are rounded to the safe side.
    func interval(_ loads: ConfidenceInterval) -> ConfidenceInterval {
        func whole(_ load: Double, isHarder: Bool) -> Double {
            let value = isInverted ? 1 / load : load
            guard variation.isWhole else { return isInverted ? variation.rounded(value) : value }
            return value.rounded(isHarder == isInverted ? .down : .up)
        }
        let best = whole(loads.value, isHarder: false)
        let (easy, hard) = (
            loads.low.map { whole($0, isHarder: false) },
            loads.high.map { whole($0, isHarder: true) }
        )
        return isInverted
            ? ConfidenceInterval(best, low: hard, high: easy)
            : ConfidenceInterval(best, low: easy, high: hard)
    }
}

/// The direction along a setting in which the thresholds become harder to keep.
public enum CapacityDirection: String, CaseIterable, Codable, Sendable {
    /// The search is for the largest value that holds.
    case moreIsWorse
    /// The search is for the least value that holds.
    case moreIsBetter
    /// Neither: values below and above those that hold fail.
    case neither

    /// What one replication says at a value: whether it holds, and how far the worst threshold is
    /// beyond its limit, nil where all only hold or fail.
    typealias Look = (holds: Bool, excess: Double?)

    /// The least change of an excess between both ends that counts.
    private static let changeMin = 0.02

    /// Decides by looks at a smaller value, today's and a larger one; nil where both ways look the
    /// same.
    init?(smaller: Look?, today: Look, larger: Look?) {
        let (low, high) = (smaller ?? today, larger ?? today)
        if low.holds != high.holds {
            self = low.holds ? .moreIsWorse : .moreIsBetter
        } else if today.holds, !low.holds {
            self = .neither
        } else if let below = low.excess, let above = high.excess,
            (above - below).magnitude > Self.changeMin
        {
            self = above > below ? .moreIsWorse : .moreIsBetter
        } else {
            return nil
        }
    }
}
