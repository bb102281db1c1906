/// Picks any item, all equally likely: a random walk through the interleavings.
public struct RandomSchedule: SchedulingPolicy {
    private let walks: RandomStream
    private var walk: RandomStream
    private var runs: UInt64 = 0
    private var choices: UInt64 = 0

    /// A walk that the seed decides, on a stream of its own; another one for each further run.
    public init(seed: UInt64) {
        walks = RandomStream(seed: seed).stream("schedule")
        walk = walks
    }

    /// Begins another walk.
    public mutating func beginRun() {
        if runs > 0 { walk = walks.stream(number: runs) }
        runs += 1
        choices = 0
    }

    /// A position that the walk's next word decides.
    public mutating func choose(among ready: [ReadyEvent]) -> Int {
        defer { choices += 1 }
        return Int(walk.integer(below: UInt64(ready.count), at: choices))
    }
}
