import SquallFormat

/// A quantity that a command line can have more of, and the memory that each unit may take.
enum FuzzGrowth: String, CaseIterable, Codable, Sendable {
    case schedule, replication, second

    /// The memory that a line took per unit, in bytes.
    struct PerUnit: Codable, Hashable, Sendable {
        var unit: FuzzGrowth
        /// Memory that was allocated by the line and is still in use after its end.
        var kept: Int
        /// The growth of the memory peak compared with few units.
        var held: Int
    }

    /// The options of a line for a number of units, chosen to depend little on the machine.
    func words(_ count: Int) -> [String] {
        let out = ["--out", "\(count)"]
        return switch self {
        case .schedule: ["--schedules", "\(count)", "--threads", "1"] + out
        case .replication: ["--replications", "\(count)", "--threads", "1"] + out
        case .second: ["--set", "duration=\(count)s"] + out
        }
    }

    /// The numbers of units that are compared.
    var counts: (few: Int, many: Int) { (limits.few, limits.many) }

    /// Also the bytes that may be kept per unit, besides those that are allocated once, and held:
    /// results until the end, and the counts of each second.
    private var limits: (few: Int, many: Int, keptMax: Int, heldMax: Int) {
        switch self {
        case .schedule: (50, 150, 500, 10_000)
        case .replication: (2, 8, 10_000, 1_000_000)
        case .second: (20, 80, 2_000, 500_000)
        }
    }
    private static let (keptAtOnce, heldAtOnce) = (200_000, 32_000_000)

    /// The memory per unit, from the bytes that many units left behind and the bytes that many held
    /// more than few; with a complaint where that is too much.
    func judged(kept: Int, held: Int) -> (perUnit: PerUnit, complaint: String?) {
        let (few, many, keptMax, heldMax) = limits
        let perUnit = PerUnit(unit: self, kept: kept / many, held: held / (many - few))
        if kept > many * keptMax + Self.keptAtOnce {
            return (perUnit, "\(Units.counted(many, rawValue)) left \(kept) bytes behind")
        }
        guard held > (many - few) * heldMax + Self.heldAtOnce else { return (perUnit, nil) }
        return (perUnit, "\(Units.counted(many - few, rawValue)) more held \(held) bytes more")
    }
}
