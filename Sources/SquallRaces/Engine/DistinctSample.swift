/// How many different hashes were seen, and how many of them once, in bounded memory.
///
/// Exact up to ``sizeMax`` of them. Above, only hashes that end in some zero bits are kept, one bit
/// more whenever the table is full: a sample that depends on the hashes alone. Its size times its
/// inverse share is known to one part in two hundred (Flajolet, *On adaptive sampling*, Computing
struct DistinctSample: Sendable {
    /// The hashes that are kept, and whether each was seen again.
    private var seenAgain: [UInt64: Bool] = [:]
    private var bits: UInt64 = 0
    private var singletonsKept = 0

    /// How many hashes are kept at most.
    static let sizeMax = 1 << 16

    /// Whether nothing was left out.
    var isExact: Bool { bits == 0 }
    /// How many different ones there are.
    var count: Int { seenAgain.count << Int(bits) }
    /// How many of them were seen once.
    var singletons: Int { singletonsKept << Int(bits) }

    /// Notes a hash; returns whether it is known to be new.
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
