/// Picks the item of highest priority; each item that can run draws its own.
///
/// Partial order sampling (Yuan, Yang and Gu, CAV 2018) without its second draw for things that
/// race with the one just run: which do is not known here. A thing keeps its priority as long as it
/// waits, so of a few dependent things each order is about equally likely however many others there
/// are, which a random walk cannot give.
public struct PrioritySampling: SchedulingPolicy {
    private let draws: RandomStream
    private var draw: RandomStream
    private var runs: UInt64 = 0

    /// Priorities that the seed decides, on a stream of their own; others for each further run.
    public init(seed: UInt64) {
        draws = RandomStream(seed: seed).stream("schedule.priorities")
        draw = draws
    }

    /// Draws other priorities.
    public mutating func beginRun() {
        if runs > 0 { draw = draws.stream(number: runs) }
        runs += 1
    }

    /// The position of the highest priority.
    public mutating func choose(among ready: [ReadyEvent]) -> Int {
        var (best, highest) = (0, draw.bits(at: ready[0].ordinal))
        for position in 1..<ready.count {
            let priority = draw.bits(at: ready[position].ordinal)
            if priority > highest { (best, highest) = (position, priority) }
        }
        return best
    }
}
