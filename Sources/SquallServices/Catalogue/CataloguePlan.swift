public import SquallKernel

/// What an external catalogue holds, how fast it changes and what a search costs.
public struct CataloguePlan: Sendable {
    /// How many products and how many books there are before the run.
    public var items: Int
    /// The time between two items that are added to a shelf; `nil` when none is.
    public var insertGap: Distribution?
    /// The time between two items that are taken from a shelf; `nil` when none is.
    public var removalGap: Distribution?
    /// How long a search takes before its rows count.
    public var serviceTime: Distribution
    /// How long one scanned row takes; an offset is scanned row by row.
    public var nanosecondsPerRow: Int64
    /// The highest `start` that a search may ask for; the public API's is 1000.
    public var startMax: Int
    /// Whether items of equal price or day keep their order from one search to the next.
    ///
    /// Off is a fault: pages then overlap and leave gaps although nothing changes.
    public var breaksTies: Bool
}
