import SquallFormat
import SquallKernel

/// A schedule that a fault of the simulation ended, such as a precondition that does not hold.
public struct ScheduleFault: Error, Hashable {
    /// Its number, from 1.
    public let schedule: Int
    /// What happened.
    public let reason: String

    /// After so many an exploration ends: what faults often needs no further examples, and each
    /// costs that all before it is played again.
    static let most = 20

    static func work(schedule: Int, seed: UInt64) -> String {
        "\(prefix(seed: seed))\(schedule)"
    }

    private static func prefix(seed: UInt64) -> String { "seed \(seed), schedule " }

    /// The last schedule that is played in an exploration of a seed.
    static func end(seed: UInt64) -> Int {
        let prefix = prefix(seed: seed)
        let known = Containment.faults.keys.filter { $0.hasPrefix(prefix) }
            .compactMap { Int($0.dropFirst(prefix.count)) }.ordered(by: <)
        return known.count < most ? .max : known[most - 1]
    }
}

extension [ScheduleFault] {
    /// How many of the schedules they are, with the first; nil without any.
    public func sentence(of schedules: Int) -> String? {
        guard let first else { return nil }
        let all = Units.counted(schedules + count, "schedule")
        return "\(count) of \(all) \(count == 1 ? "was" : "were") \(Containment.words);"
            + " schedule \(first.schedule): \(first.reason)"
    }
}
