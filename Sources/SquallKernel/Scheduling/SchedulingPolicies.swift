/// The policies that can be asked for by name.
public enum SchedulingPolicies {
    /// A policy without its state.
    public struct Kind: Sendable {
        /// How it is asked for.
        public let name: String
        /// Makes the policy, with the seed that decides whatever it leaves to chance.
        public let make: @Sendable (_ seed: UInt64) -> any SchedulingPolicy
    }

    /// All of them, the order of load runs first.
    public static let all = [
        Kind(name: "fifo") { _ in FirstInFirstOut() },
        Kind(name: "random") { RandomSchedule(seed: $0) },
        Kind(name: "pos") { PrioritySampling(seed: $0) },
        Kind(name: "pct") { PriorityChangePoints(seed: $0, depth: 3, length: 100) },
    ]

    /// The policy of a name; `nil` when there is none.
    public static func named(_ name: String, seed: UInt64) -> (any SchedulingPolicy)? {
        all.first { $0.name == name }?.make(seed)
    }
}
