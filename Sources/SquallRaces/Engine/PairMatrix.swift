import SquallKernel

/// Which event kinds ran before which others of the same user while both could: a bit for each
/// ordered pair.
///
/// Kinds are told apart by the numbers of their labels, so that noting a pair hashes no text.
/// ≤ 5 ns a pair.
public struct PairMatrix: Sendable {
    /// The names of the kinds, in the order in which they were met.
    private var names: [EventLabel] = []
    /// A row of `words` words for each kind: the kinds that it ran before.
    private var bits: [UInt64] = []
    private var words = 1
    /// The place of a kind by its label's number; -1 for one that was not met.
    private var places: [Int32] = []

    /// An empty matrix.
    public init() {}

    /// How many ordered pairs were seen.
    public var count: Int { bits.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// How many pairs are possible among the kinds that were seen together, in either order.
    public var possibleCount: Int {
        names.indices.reduce(0) { sum, first in
            sum + names.indices.count { contains(first, $0) || contains($0, first) }
        }
    }

    /// The pairs that were seen, by name.
    public var all: [OrderedPair] {
        names.indices.flatMap { first in
            names.indices.filter { contains(first, $0) }.map {
                OrderedPair(first: "\(names[first])", second: "\(names[$0])")
            }
        }.sorted()
    }

    /// Notes that the chosen event ran before all other ready events of its user.
    mutating func note(_ chosen: ReadyEvent, among ready: [ReadyEvent]) {
        let (user, ordinal) = (chosen.user, chosen.ordinal)
        var first = -1
        // Collects the first 64 kinds in one word, which is nearly always all of them.
        var row: UInt64 = 0
        ready.withUnsafeBufferPointer { ready in
            for position in ready.indices
            where ready[position].user == user && ready[position].ordinal != ordinal {
                if first < 0 { first = place(of: chosen.label) }
                let second = place(of: ready[position].label)
                if second < 64 { row |= 1 << UInt64(second) } else { insert(first, second) }
            }
        }
        if row != 0 { bits[first * words] |= row }
    }

    /// Adds the pairs of another run.
    mutating func formUnion(_ other: PairMatrix) {
        if names == other.names {
            for word in bits.indices { bits[word] |= other.bits[word] }
            return
        }
        let own = other.names.map { place(of: $0) }
        for (first, row) in own.enumerated() {
            for (second, column) in own.enumerated() where other.contains(first, second) {
                insert(row, column)
            }
        }
    }

    private func contains(_ first: Int, _ second: Int) -> Bool {
        bits[first * words + second >> 6] & 1 << UInt64(second & 63) != 0
    }

    private mutating func insert(_ first: Int, _ second: Int) {
        bits[first * words + second >> 6] |= 1 << UInt64(second & 63)
    }

    @inline(__always)
    private mutating func place(of label: EventLabel) -> Int {
        guard label.number < places.count, places[label.number] >= 0 else {
            return newPlace(of: label)
        }
        return Int(places[label.number])
    }

    @inline(never)
    private mutating func newPlace(of label: EventLabel) -> Int {
        if names.isEmpty {
            names.reserveCapacity(16)
            bits.reserveCapacity(16)
        }
        if places.count <= label.number {
            places += repeatElement(-1, count: max(label.number + 1, 32) - places.count)
        }
        places[label.number] = Int32(names.count)
        names.append(label)
        if names.count > words * 64 { widen() }
        bits += repeatElement(0, count: words)
        return names.count - 1
    }

    private mutating func widen() {
        let rows = bits.count / words
        bits = (0..<rows).flatMap { bits[$0 * words..<($0 + 1) * words] + [0] }
        words += 1
    }
}

/// Two event kinds in the order in which they ran.
public struct OrderedPair: Hashable, Sendable, Comparable {
    /// The kind that ran.
    public let first: String
    /// The kind that could have run and did not.
    public let second: String

    /// A pair by its names.
    public init(first: String, second: String) {
        self.first = first
        self.second = second
    }

    /// By name.
    public static func < (left: OrderedPair, right: OrderedPair) -> Bool {
        (left.first, left.second) < (right.first, right.second)
    }
}
