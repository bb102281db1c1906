import SquallFormat
import SquallKernel

/// The part of all possible behaviour that an exploration has seen.
public struct Coverage: Sendable {
    /// How many schedules were played.
    public private(set) var schedules = 0
    /// How many choices were made in all of them.
    public private(set) var choices = 0
    /// How many of them broke a promise.
    public private(set) var broken = 0
    /// The promises that they broke, by identifier.
    private(set) var brokenPromises: Set<String> = []
    /// After how many of them objects of an app still existed.
    public private(set) var leftBehind = 0
    /// The users of those apps.
    public private(set) var leftBehindUsers: Set<Int> = []
    /// How many of them were different.
    public var distinctSchedules: Int { seen.count }
    /// How many different views the server had.
    public var distinctViews: Int { views.count }
    /// True if schedules and views are counted, and not estimated from a sample of very many.
    public var isExact: Bool { seen.isExact && views.isExact }
    /// The pairs of event kinds that ran in this order while both could.
    public private(set) var pairs = PairMatrix()
    /// The most choices that a schedule had.
    public private(set) var longest = 0
    /// The largest number of events that a choice was among.
    public private(set) var widest = 0
    /// How many schedules showed the same evidence.
    private var shown: [Evidence: Int] = [:]
    private var seen = DistinctSample()
    private var views = DistinctSample()

    /// Notes a schedule; returns true if the server saw something new.
    @discardableResult
    mutating func note(_ played: Played) -> Bool {
        schedules += 1
        choices += played.choices.count
        if !played.violations.isEmpty {
            broken += 1
            brokenPromises.formUnion(played.violations.map(\.invariant))
        }
        if !played.leftBehind.isEmpty { leftBehind += 1 }
        leftBehindUsers.formUnion(played.leftBehind)
        longest = max(longest, played.choices.count)
        widest = max(widest, Int(played.widths.max() ?? 1))
        pairs.formUnion(played.pairs)
        shown[played.evidence, default: 0] += 1
        var hash = StableHash()
        for choice in played.choices { hash.mix(choice) }
        _ = seen.note(hash.value)
        return views.note(played.serverView)
    }

    /// How many schedules showed all of an evidence.
    public func showing(_ evidence: Evidence) -> Int {
        shown.reduce(0) { $0 + ($1.key.isSuperset(of: evidence) ? $1.value : 0) }
    }

    /// The evidence that any schedule has shown.
    public var evidence: Evidence { shown.keys.reduce([]) { $0.union($1) } }

    /// The probability that the next schedule shows the server something new (Good and Turing):
    /// views seen once, by schedules played.
    public var unseen: Double {
        schedules == 0 ? 1 : min(1, Double(views.singletons) / Double(schedules))
    }
}

/// How many different hashes were seen, and how many of them once, in bounded memory.
///
/// Exact up to ``sizeMax`` of them. Above, only hashes that end in some zero bits are kept, one bit
/// more whenever the table is full: a sample that depends on the hashes alone. Its size times its
/// inverse share is known to one part in two hundred (Flajolet, *On adaptive sampling*, Computing
/// 43, 1990).
struct DistinctSample: Sendable {
    /// The hashes that are kept; true as soon as one was seen again.
    private var seenAgain: [UInt64: Bool] = [:]
    private var bits: UInt64 = 0
    private var singletonsKept = 0

    /// How many hashes are kept at most.
    static let sizeMax = 1 << 16

    /// True as long as nothing was left out.
    var isExact: Bool { bits == 0 }
    /// How many different ones there are.
    var count: Int { seenAgain.count << Int(bits) }
    /// How many of them were seen once.
    var singletons: Int { singletonsKept << Int(bits) }

    /// Notes a hash; returns true if it is known to be new.
    mutating func note(_ hash: UInt64) -> Bool {
        guard isKept(hash) else { return false }
        switch seenAgain.updateValue(true, forKey: hash) {
        case true?: return false
        case false?:
            singletonsKept -= 1
            return false
        case nil:
            seenAgain[hash] = false
            singletonsKept += 1
            while seenAgain.count > Self.sizeMax { halve() }
            return true
        }
    }

    private func isKept(_ hash: UInt64) -> Bool { hash & (1 << bits - 1) == 0 }

    private mutating func halve() {
        bits += 1
        seenAgain = seenAgain.filter { isKept($0.key) }
        singletonsKept = seenAgain.values.count { !$0 }
    }
}

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

    /// The pairs that were seen, by name: first the kind that ran, then one that could have run.
    public var all: [[String]] {
        names.indices.flatMap { first in
            names.indices.filter { contains(first, $0) }.map {
                ["\(names[first])", "\(names[$0])"]
            }
        }.sorted { $0.lexicographicallyPrecedes($1) }
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
        bits = (0..<rows).flatMap { row in
            let own = bits[row * words..<(row + 1) * words]
            return own + [0]
        }
        words += 1
    }
}
