/// Decides which of several things that could run now runs next.
///
/// Only called when there is a choice; position 0 has waited longest.
public protocol SchedulingPolicy: Sendable {
    /// The position to run next, in 0 ..< `count`; `count` is 2 or more.
    mutating func choose(among count: Int) -> Int
}

/// First in, first out: the order for load runs.
public struct FirstInFirstOut: SchedulingPolicy {
    /// The only one there is.
    public init() {}

    /// Always 0.
    public func choose(among count: Int) -> Int { 0 }
}

/// Any of them, equally likely: a random walk through the interleavings.
public struct RandomSchedule: SchedulingPolicy {
    private let stream: RandomStream
    private var choices: UInt64 = 0

    /// A walk that the seed decides, on a stream of its own.
    public init(seed: UInt64) { stream = RandomStream(seed: seed).stream("schedule") }

    /// A position that the walk's next word decides.
    public mutating func choose(among count: Int) -> Int {
        defer { choices += 1 }
        return Int(stream.integer(below: UInt64(count), at: choices))
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
    public mutating func choose(among count: Int) -> Int {
        guard position < choices.count else { return 0 }
        defer { position += 1 }
        return min(Int(choices[position]), count - 1)
    }
}
