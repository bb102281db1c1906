/// Decides which of several things that could run now runs next.
///
/// A policy sees what each item is and which user's: a run of priorities by task, of delays by user
/// or of random words all come down to one position.
public protocol SchedulingPolicy: Sendable {
    /// The position to run next; `ready` holds two or more, and the first has waited longest.
    mutating func choose(among ready: [ReadyEvent]) -> Int
}

/// First in, first out: the order for load runs.
///
/// A simulation neither asks it nor works out which items could run: it costs nothing.
public struct FirstInFirstOut: SchedulingPolicy {
    /// The policy needs no seed and keeps no state.
    public init() {}

    /// Always 0.
    public func choose(among ready: [ReadyEvent]) -> Int { 0 }
}

/// Picks any item, all equally likely: a random walk through the interleavings.
public struct RandomSchedule: SchedulingPolicy {
    private let walk: RandomStream
    private var choices: UInt64 = 0

    /// A walk that the seed decides, on a stream of its own.
    public init(seed: UInt64) { walk = RandomStream(seed: seed).stream("schedule") }

    /// A position that the walk's next word decides.
    public mutating func choose(among ready: [ReadyEvent]) -> Int {
        defer { choices += 1 }
        return Int(walk.integer(below: UInt64(ready.count), at: choices))
    }
}

/// Picks the item of highest priority; each item that can run draws its own.
///
/// Partial order sampling (Yuan, Yang and Gu, CAV 2018) without its second draw for things that
/// race with the one just run: which do is not known here. A thing keeps its priority as long as it
/// waits, so of a few dependent things each order is about equally likely however many others there
/// are, which a random walk cannot give.
public struct PrioritySampling: SchedulingPolicy {
    private let draw: RandomStream

    /// Priorities that the seed decides, on a stream of their own.
    public init(seed: UInt64) { draw = RandomStream(seed: seed).stream("schedule.priorities") }

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

    /// The next recorded choice.
    public mutating func choose(among ready: [ReadyEvent]) -> Int {
        guard position < choices.count else { return 0 }
        defer { position += 1 }
        return min(Int(choices[position]), ready.count - 1)
    }
}
