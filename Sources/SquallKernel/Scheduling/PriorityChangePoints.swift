/// Picks the chain of highest priority, which a few times in a run falls below all others.
///
/// Probabilistic concurrency testing (Burckhardt et al., ASPLOS 2010): a bug that takes `depth`
/// ordered events is met with a probability of at least 1 / (n · k^(depth − 1)) in each run, for n
/// chains and k choices. A chain is a task, or a call on its way. It is not fair, so after ten
/// times the expected length it goes on at random.
public struct PriorityChangePoints: SchedulingPolicy {
    private let length: Int
    private let draw: RandomStream
    private var choices = 0
    private let changePoints: [Int]
    /// Chains whose priority fell, the first of them lowest.
    private var fallen: [UInt64] = []

    /// Priorities and change points that the seed decides, on a stream of their own.
    ///
    /// - Parameters:
    ///   - seed: decides them.
    ///   - depth: how many events in order a bug takes; 1 has no change points.
    ///   - length: how many choices a run is expected to have.
    public init(seed: UInt64, depth: Int, length: Int) {
        precondition(depth > 0 && length > 0, "depth \(depth) and length \(length) must be above 0")
        draw = RandomStream(seed: seed).stream("schedule.changePoints")
        self.length = length
        let places = draw.stream("places")
        changePoints = (1..<depth).map {
            Int(places.integer(below: UInt64(length), at: UInt64($0)))
        }
    }

    /// The position of the chain of highest priority.
    public mutating func choose(among ready: [ReadyEvent]) -> Int {
        defer { choices += 1 }
        if choices > length * 10 {
            return Int(draw.integer(below: UInt64(ready.count), at: UInt64(choices) << 8))
        }
        let best = highest(of: ready)
        guard changePoints.contains(choices) else { return best }
        fallen.append(PriorityChangePoints.chain(of: ready[best]))
        return highest(of: ready)
    }

    private func highest(of ready: [ReadyEvent]) -> Int {
        var (best, top) = (0, priority(of: ready[0]))
        for position in 1..<ready.count {
            let priority = priority(of: ready[position])
            if priority > top { (best, top) = (position, priority) }
        }
        return best
    }

    private func priority(of event: ReadyEvent) -> UInt64 {
        let chain = PriorityChangePoints.chain(of: event)
        if let place = fallen.firstIndex(of: chain) { return UInt64(fallen.count - place) }
        return draw.bits(at: chain) | 1 << 63
    }

    private static func chain(of event: ReadyEvent) -> UInt64 {
        switch event.kind {
        case .task, .mainTask, .actor: event.number << 1
        case .message, .timer: (event.number ^ (event.user ?? 0) << 44) << 1 | 1
        }
    }
}
