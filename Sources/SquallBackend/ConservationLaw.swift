import SquallFormat

/// A law of conservation: two sums that must be equal, counted in different places.
public struct ConservationLaw: Hashable, Sendable {
    /// What must hold, in a few words.
    public let name: String
    /// The total that came in.
    public let left: Int128
    /// The parts of that total by their outcome, each with a name.
    public let right: [Part]

    /// A part of a sum.
    public struct Part: Hashable, Sendable {
        /// The outcome that was counted: `answered`.
        public let name: String
        /// The number of cases, or their sum in the law's unit.
        public let amount: Int128
    }

    /// A sum, and the parts that it was divided into.
    public init(_ name: String, _ left: Int128, _ right: KeyValuePairs<String, Int128>) {
        self.name = name
        self.left = left
        self.right = right.map { Part(name: $0.key, amount: $0.value) }
    }

    /// True if both sides are equal to the last unit.
    public var holds: Bool { left == right.reduce(0) { $0 + $1.amount } }

    /// The numbers of both sides: `12 = 9 answered + 2 unanswered + 1 waiting`.
    public var detail: String {
        let number = { (amount: Int128) in Units.grouped(Int64(clamping: amount)) }
        let parts = right.map { "\(number($0.amount)) \($0.name)" }.joined(separator: " + ")
        return "\(number(left)) \(holds ? "=" : "≠") \(parts)"
    }
}

/// A part of the simulator lost something or counted it twice: a mistake of the simulator.
public struct ConservationError: Error, Hashable, Sendable {
    /// The part, in words.
    public let part: String
    /// A name without dynamic parts, for grouping.
    public let label: String
    /// The sums that differ.
    public let violated: [ConservationLaw]

    /// Checks laws.
    ///
    /// - Throws: those that do not hold, with their sums.
    public static func check(
        _ laws: [ConservationLaw], of part: String, label: String
    ) throws(ConservationError) {
        let violated = laws.filter { !$0.holds }
        guard !violated.isEmpty else { return }
        throw ConservationError(part: part, label: label, violated: violated)
    }
}

extension ConservationError: CustomStringConvertible {
    /// Each violated law with its sums.
    public var description: String {
        "\(part) lost count, so no number of this run can be trusted: "
            + violated.map { "\($0.name): \($0.detail)" }.joined(separator: "; ")
    }
}
