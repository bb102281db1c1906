public import SquallFormat

/// Wire calls by what caused them: a node's calls are exactly the sum of its children's.
public struct CallTree: Codable, Hashable, Sendable {
    /// What caused the calls.
    public let name: String
    /// How many there were.
    public let calls: Int64
    /// The causes in more detail; none when this is a leaf.
    public let children: [CallTree]

    /// A leaf.
    public init(_ name: String, calls: Int64) {
        self.name = name
        self.calls = calls
        children = []
    }

    /// A node whose calls are the sum of its children's.
    public init(_ name: String, _ children: [CallTree]) {
        self.name = name
        self.children = children
        calls = children.reduce(0) { $0 + $1.calls }
    }
}

/// What retries did to the load.
public struct RetryView: Codable, Hashable, Sendable {
    /// Every wire call that ended, by its cause.
    public let tree: CallTree
    /// Requests that ended by how often they were sent, from once on; the last counts all above.
    public let requestsByAttempts: [Int64]
    /// Attempts by their number from the first on; the last counts all above.
    public let attempts: [Attempts]
    /// Requests that failed in the end.
    public let failedRequests: Int64
    /// Attempts of requests that failed in the end, and refreshes beyond an expiry's first.
    public let wastedCalls: Int64
    /// Wire calls for nothing as a share of all; nil without calls.
    @OrNull public private(set) var wastedShare: Double?
    /// What retry budgets granted; nil when nobody has one.
    @OrNull public private(set) var budget: Budget?
    /// How much each layer multiplies the calls of the one above, and their product last.
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

    /// What one layer makes of a call.
    public struct Layer: Codable, Hashable, Sendable {
        /// The layer: a branch of the tree, or all of them.
        public let layer: String
        /// How many calls go out for each that comes in.
        public let factor: Double
    }

    /// A view of its parts; of a ratio of attempts the part succeeded, of a budget it was granted.
    public init(
        tree: CallTree, requestsByAttempts: [Int64], attempts: [Ratio], failedRequests: Int64,
        wastedCalls: Int64, budget: Ratio? = nil
    ) {
        self.tree = tree
        self.requestsByAttempts = requestsByAttempts
        self.attempts = attempts.map { Attempts(succeeded: $0.part, ended: $0.whole) }
        self.failedRequests = failedRequests
        self.wastedCalls = wastedCalls
        self.budget = budget.map { Budget(asked: $0.whole, granted: $0.part) }
        wastedShare = Ratio(part: wastedCalls, whole: tree.calls).quotient
        amplification = RetryView.amplification(of: tree)
    }

    /// The layers are the branches of the tree in order: first attempts are what the app asked for.
    private static func amplification(of tree: CallTree) -> [Layer] {
        let first = tree.children.first?.calls ?? 0
        guard first > 0 else { return [] }
        var below = first
        var layers: [Layer] = []
        for branch in tree.children.dropFirst() {
            let factor = Double(below + branch.calls) / Double(below)
            layers.append(Layer(layer: branch.name, factor: factor))
            below += branch.calls
        }
        return layers + [Layer(layer: "all attempts", factor: Double(below) / Double(first))]
    }
}
