import SquallReport

/// A setting as a search sees it: a load that is the harder to bear the larger it is.
///
/// Where more of the setting is better, the load is its reciprocal: with half of the workers there
/// is twice as much to do for each.
struct CapacityScale {
    let variation: Variation
    let direction: CapacityDirection

    var isInverted: Bool { direction == .moreIsBetter }

    func value(of load: Double) -> Double { isInverted ? variation.rounded(1 / load) : load }

    func load(of value: Double) -> Double { isInverted ? 1 / value : value }

    /// The nearest load that can be asked for.
    func rounded(_ load: Double) -> Double {
        isInverted ? self.load(of: value(of: load)) : variation.rounded(load)
    }

    /// The next load that can be asked for, of a setting in whole numbers.
    func next(_ load: Double, isHarder: Bool) -> Double {
        let step = isHarder == isInverted ? -1.0 : 1
        return self.load(of: max(variation.least, value(of: load).rounded() + step))
    }

    /// Whether loads as near to each other as a search may end with are less than one apart.
    func isCounted(_ load: Double, _ precision: Double) -> Bool {
        variation.isCounted && value(of: load) * precision < 1
    }

    func text(_ load: Double) -> String { variation.text(value(of: load)) }

    /// An interval of loads as one of values; counted settings never promise more than was found.
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

/// Which way along a setting it becomes harder to keep the thresholds.
public enum CapacityDirection: String, CaseIterable, Codable, Sendable {
    /// What is sought is the largest value that keeps them.
    case moreIsWorse
    /// What is sought is the least value that keeps them.
    case moreIsBetter
    /// Neither: values below those that keep them fail as well as values above.
    case neither

    /// How one replication went at a value.
    struct Look {
        let holds: Bool
        /// How far the worst threshold is beyond its limit; nil where none has a middle.
        let excess: Double?
    }

    /// How much an excess has to change from end to end to say anything.
    private static let changeMin = 0.02

    /// What a look at a smaller value, at today's and at a larger one says; nil where both ways
    /// look alike.
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
