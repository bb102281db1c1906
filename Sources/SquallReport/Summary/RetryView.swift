public import SquallFormat

/// Attempts by cause: a node's attempts are exactly the sum of its children's.
public struct AttemptTree: Codable, Sendable {
    /// The cause of the attempts.
    public let name: String
    /// The number of attempts.
    public let attempts: Int64
    /// The detailed causes; empty for a leaf.
    public let children: [AttemptTree]

    /// A leaf.
    public init(_ name: String, attempts: Int64) {
        self.name = name
        self.attempts = attempts
        children = []
    }

    /// A node; its attempts are the sum of its children's.
    public init(_ name: String, _ children: [AttemptTree]) {
        self.name = name
        self.children = children
        attempts = children.reduce(0) { $0 + $1.attempts }
    }
}

/// The effects of retries on the load.
public struct RetryView: Codable, Sendable {
    /// Every attempt sent, by its cause.
    public let tree: AttemptTree
    /// Ended requests by the number of times they were sent, from 1; the last counts all above.
    public let requestsByAttempts: [Int64]
    /// Attempts by their number, from 1; the last counts all above.
    public let attempts: [Attempts]
    /// Requests that failed in the end.
    public let failedRequests: Int64
    /// Attempts of requests that failed in the end, and redundant refreshes.
    public let wastedAttempts: Int64
    /// The share of attempts that were wasted; nil without attempts.
    @OrNull private(set) var wastedShare: Double?
    /// Retries granted by retry budgets; nil when no app has one.
    @OrNull public private(set) var budget: Budget?
    /// The factor by which each layer multiplies attempts, and their product as the last.
    let amplification: [Layer]

    /// Attempts with one number.
    public struct Attempts: Codable, Sendable {
        /// Attempts that succeeded.
        let succeeded: Int64
        /// All that ended.
        let ended: Int64

        /// The share that succeeded; nil without any.
        var share: Double? { Ratio(part: succeeded, whole: ended).quotient }
    }

    /// Retries requested from a budget.
    public struct Budget: Codable, Sendable {
        /// The number of retries that were requested.
        public let requested: Int64
        /// The number of retries that were granted.
        public let granted: Int64

        /// The share that was granted; nil when none was requested.
        var share: Double? { Ratio(part: granted, whole: requested).quotient }
    }

    /// A layer that multiplies attempts.
    struct Layer: Codable, Sendable {
        /// The layer: a branch of the tree, or all of them.
        let layer: String
        /// Attempts that it sends per attempt that it gets.
        let factor: Double
    }

    /// The part of a ratio is that of the attempts that succeeded, or of the retries that a budget
    /// granted.
    public init(
        tree: AttemptTree, requestsByAttempts: [Int64], attempts: [Ratio], failedRequests: Int64,
        wastedAttempts: Int64, budget: Ratio? = nil
    ) {
        self.tree = tree
        self.requestsByAttempts = requestsByAttempts
        self.attempts = attempts.map { Attempts(succeeded: $0.part, ended: $0.whole) }
        self.failedRequests = failedRequests
        self.wastedAttempts = wastedAttempts
        self.budget = budget.map { Budget(requested: $0.whole, granted: $0.part) }
        wastedShare = Ratio(part: wastedAttempts, whole: tree.attempts).quotient
        amplification = RetryView.amplification(of: tree)
    }

    /// The factors of the tree's branches in order; the first attempts are the calls of the app.
    private static func amplification(of tree: AttemptTree) -> [Layer] {
        let first = tree.children.first?.attempts ?? 0
        guard first > 0 else { return [] }
        var below = first
        var layers: [Layer] = []
        for branch in tree.children.dropFirst() {
            let factor = Double(below + branch.attempts) / Double(below)
            layers.append(Layer(layer: branch.name, factor: factor))
            below += branch.attempts
        }
        return layers + [Layer(layer: "all attempts", factor: Double(below) / Double(first))]
    }
}
