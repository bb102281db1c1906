public import SquallFormat

/// Attempts by what caused them: a node's attempts are exactly the sum of its children's.
public struct CallTree: Codable, Hashable, Sendable {
    /// What caused the attempts.
    public let name: String
    /// How many there were.
    public let attempts: Int64
    /// The causes in more detail; none when this is a leaf.
    public let children: [CallTree]

    /// A leaf.
    public init(_ name: String, attempts: Int64) {
        self.name = name
        self.attempts = attempts
        children = []
    }

    /// A node whose attempts are the sum of its children's.
    public init(_ name: String, _ children: [CallTree]) {
        self.name = name
        self.children = children
        attempts = children.reduce(0) { $0 + $1.attempts }
    }
}

/// What retries did to the load.
public struct RetryView: Codable, Hashable, Sendable {
    /// Every attempt sent, by its cause.
    public let tree: CallTree
    /// Requests that ended by how often they were sent, from once on; the last counts all above.
    public let requestsByAttempts: [Int64]
    /// Attempts by their number from the first on; the last counts all above.
    public let attempts: [Attempts]
    /// Requests that failed in the end.
    public let failedRequests: Int64
    /// Attempts of requests that failed in the end, and refreshes beyond an expiry's first.
    public let wastedAttempts: Int64
    /// The share of attempts that were for nothing; nil without attempts.
    @OrNull public private(set) var wastedShare: Double?
    /// What retry budgets granted; nil when nobody has one.
    @OrNull public private(set) var budget: Budget?
    /// How much each layer multiplies the attempts of the one above, and their product last.
    public let amplification: [Layer]

    /// Attempts of one number.
    public struct Attempts: Codable, Hashable, Sendable {
        /// Those that succeeded.
        public let succeeded: Int64
        /// All that ended.
        public let ended: Int64

        /// The share that succeeded; nil without any.
        var share: Double? { Ratio(part: succeeded, whole: ended).quotient }
    }

    /// Retries that a budget was asked for.
    public struct Budget: Codable, Hashable, Sendable {
        /// How many it was asked for.
        public let asked: Int64
        /// How many of them it granted.
        public let granted: Int64

        /// The share that was granted; nil when it was never asked.
        var share: Double? { Ratio(part: granted, whole: asked).quotient }
    }

    /// What one layer makes of an attempt.
    public struct Layer: Codable, Hashable, Sendable {
        /// The layer: a branch of the tree, or all of them.
        public let layer: String
        /// How many attempts go out for each that comes in.
        public let factor: Double
    }

    /// A view of its parts; of a ratio of attempts the part succeeded, of a budget it was granted.
    public init(
        tree: CallTree, requestsByAttempts: [Int64], attempts: [Ratio], failedRequests: Int64,
        wastedAttempts: Int64, budget: Ratio? = nil
    ) {
        self.tree = tree
        self.requestsByAttempts = requestsByAttempts
        self.attempts = attempts.map { Attempts(succeeded: $0.part, ended: $0.whole) }
        self.failedRequests = failedRequests
        self.wastedAttempts = wastedAttempts
        self.budget = budget.map { Budget(asked: $0.whole, granted: $0.part) }
        wastedShare = Ratio(part: wastedAttempts, whole: tree.attempts).quotient
        amplification = RetryView.amplification(of: tree)
    }

    /// The layers are the branches of the tree in order: first attempts are what the app asked for.
    private static func amplification(of tree: CallTree) -> [Layer] {
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
