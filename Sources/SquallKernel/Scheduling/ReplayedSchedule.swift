/// The choices of an earlier run, one after another, then first in, first out.
///
/// Every list of numbers is a valid schedule: a choice beyond the end means the last one ready, and
/// a missing one means 0. A schedule belongs to the build that recorded it, because the optimiser
/// decides how many scheduling points a program has.
public struct ReplayedSchedule: SchedulingPolicy {
    private let choices: [UInt16]
    private var position = 0

    /// A replay of recorded choices.
    public init(_ choices: [UInt16]) { self.choices = choices }

    /// Begins with the first choice again.
    public mutating func beginRun() { position = 0 }

    /// The next recorded choice.
    public mutating func choose(among ready: [ReadyEvent]) -> Int {
        guard position < choices.count else { return 0 }
        defer { position += 1 }
        return min(Int(choices[position]), ready.count - 1)
    }
}
