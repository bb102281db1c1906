import SquallFormat

/// What a command line can be given more of, and how much memory each more of it may take.
enum FuzzGrowth: String, CaseIterable, Codable, Sendable {
    case schedule, replication, second

    /// What a line took for each of them, in bytes.
    struct PerUnit: Hashable, Sendable {
        var unit: FuzzGrowth
        /// Memory that is in use still when the line is over and was not before.
        var kept: Int
        /// How much more memory it had at its most than with few of them.
        var held: Int
    }

    /// The line's options for so many of them, as little as possible of a machine's size in them.
    func words(_ count: Int) -> [String] {
        let out = ["--out", "\(count)"]
        return switch self {
        case .schedule: ["--schedules", "\(count)", "--threads", "1"] + out
        case .replication: ["--replications", "\(count)", "--threads", "1"] + out
        case .second: ["--set", "duration=\(count)s"] + out
        }
    }

    /// How many of them at first, and how many then.
    var counts: (few: Int, many: Int) {
        switch self {
        case .schedule: (50, 150)
        case .replication: (2, 8)
        case .second: (20, 80)
        }
    }

    /// Bytes for each of them, beside what is made once.
    private var keptMax: Int {
        switch self {
        case .schedule: 500
        case .replication: 10_000
        case .second: 2_000
        }
    }
    private static let keptAtOnce = 200_000

    /// A result for each of them is held to the end, and what was counted in each second.
    private var heldMax: Int {
        switch self {
        case .schedule: 10_000
        case .replication: 1_000_000
        case .second: 500_000
        }
    }
    private static let heldAtOnce = 32_000_000

    /// What a line took for each of them, of the bytes that many left behind and that many held
    /// more than a few; and why that is too much, where it is.
    func judged(kept: Int, held: Int) -> (perUnit: PerUnit, complaint: String?) {
        let (few, many) = counts
        let perUnit = PerUnit(unit: self, kept: kept / many, held: held / (many - few))
        if kept > many * keptMax + Self.keptAtOnce {
            return (perUnit, "\(Units.counted(many, rawValue)) left \(kept) bytes behind")
        }
        guard held > (many - few) * heldMax + Self.heldAtOnce else { return (perUnit, nil) }
        return (perUnit, "\(Units.counted(many - few, rawValue)) more held \(held) bytes more")
    }
}
