import SquallLab

/// The options of a search for a capacity.
public struct CapacityOptions: Sendable {
    /// The half-width to reach for the interval, as a share of the answer.
    public var precision = 0.02
    /// The most replications at one value.
    public var replicationsMax = 40
    /// The value to begin at, of which easier ones are tried only if it does not hold; nil for the
    /// profile's own.
    public var from: Double?
    /// The largest value to try; nil for a thousand times the first.
    public var to: Double?
    /// The value at which a search begins that goes on from an earlier one; nil for `from`.
    var start: Double?
    /// The direction in which the thresholds become harder to keep; `nil` to decide by trying both.
    public var direction: CapacityDirection?
    /// Values to run instead of searching, in rising order; empty for a search.
    public var grid: [Double] = []
    /// True to run loads around the answer for the charts, and to check that there are no other
    /// answers.
    public var surveys = true

    /// The defaults: ± 2 % with at most 40 replications at a value.
    public static let standard = CapacityOptions()

    /// The fewest replications for an interval.
    public static let replicationsMin = 20

    /// The number of replications at a value after a number that is too few.
    func more(than count: Int) -> Int { min(replicationsMax, max(count + 2, count * 3 / 2)) }
}

/// The direction along a setting in which the thresholds become harder to keep.
public enum CapacityDirection: String, CaseIterable, Codable, Sendable {
    /// The search is for the largest value that holds.
    case moreIsWorse
    /// The search is for the least value that holds.
    case moreIsBetter
    /// Neither: values below and above those that hold fail.
    case neither

    /// The result of one replication at a value: true if it holds, and the excess of the worst
    /// threshold over its limit, `nil` where all only hold or fail.
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
