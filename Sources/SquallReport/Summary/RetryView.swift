import SquallFormat

/// Wire calls by what caused them: a node's calls are exactly the sum of its children's.
public struct CallTree: Hashable, Sendable {
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
public struct RetryView: Hashable, Sendable {
    /// Every wire call that ended, by its cause.
    public var tree: CallTree
    /// Requests that ended by how often they were sent, from once on; the last counts all above.
    public var requestsByAttempts: [Int64]
    /// Attempts that ended and that succeeded, by their number from the first on; the last counts
    /// all above.
    public var attempts: [Ratio]
    /// Requests that failed in the end.
    public var failedRequests: Int64
    /// Attempts of requests that failed in the end, and refreshes beyond an expiry's first.
    public var wastedCalls: Int64
    /// Retries that a budget was asked for and, of these, granted; nil when nobody has a budget.
    public var budget: Ratio?

    /// A view from its parts.
    public init(
        tree: CallTree, requestsByAttempts: [Int64], attempts: [Ratio], failedRequests: Int64,
        wastedCalls: Int64, budget: Ratio? = nil
    ) {
        self.tree = tree
        self.requestsByAttempts = requestsByAttempts
        self.attempts = attempts
        self.failedRequests = failedRequests
        self.wastedCalls = wastedCalls
        self.budget = budget
    }

    /// How much each layer multiplies the calls of the one above, and their product last.
    ///
    /// The layers are the branches of the tree in order: first attempts are what the app asked for.
    public var amplification: [(layer: String, factor: Double)] {
        var below = tree.children.first?.calls ?? 0
        guard below > 0 else { return [] }
        var factors: [(layer: String, factor: Double)] = []
        for branch in tree.children.dropFirst() {
            factors.append((branch.name, Double(below + branch.calls) / Double(below)))
            below += branch.calls
        }
        let first = tree.children[0].calls
        return factors + [("all wire calls", Double(below) / Double(first))]
    }

    /// Wire calls for nothing as a share of all; nil without calls.
    public var wastedShare: Double? { Ratio(part: wastedCalls, whole: tree.calls).quotient }
}

extension CallTree {
    var json: JSON {
        .object([
            "name": .string(name), "calls": .integer(calls),
            "children": .array(children.map(\.json)),
        ])
    }
}

extension RetryView {
    var json: JSON {
        .object([
            "tree": tree.json,
            "requestsByAttempts": .array(requestsByAttempts.map(JSON.integer)),
            "attempts": .array(
                attempts.map {
                    .object(["succeeded": .integer($0.part), "ended": .integer($0.whole)])
                }),
            "failedRequests": .integer(failedRequests),
            "wastedCalls": .integer(wastedCalls),
            "budget": .optional(budget) {
                .object(["asked": .integer($0.whole), "granted": .integer($0.part)])
            },
            "wastedShare": .optional(wastedShare, JSON.number),
            "amplification": .array(
                amplification.map {
                    .object(["layer": .string($0.layer), "factor": .number($0.factor)])
                }),
        ])
    }
}
