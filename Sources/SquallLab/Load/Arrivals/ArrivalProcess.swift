import SquallFormat
import SquallKernel

/// The moments at which a population's sessions arrive: a pure function of the elapsed time and the
/// session's number, which load generators call a pacer.
///
/// With `even` spacing session *n* arrives when *n* + 1 sessions are expected. With `poisson`
/// spacing the number expected between two arrivals is exponential with mean 1, which makes a
/// Poisson process of exactly the stages' rate, also when that changes.
struct ArrivalProcess: Sendable {
    private let stages: [Stage]
    private let spacing: Profile.Spacing
    private let stream: RandomStream
    /// The factor of every rate.
    private let factor: Double

    private struct Stage: Sendable {
        let shape: any ArrivalShape
        let start: Int64
        let expectedBefore: Double
        /// The factor of its expectation: 1 where the process's factor is already in the shape.
        let weight: Double
    }

    /// The process of some stages, one after the other from the run's beginning.
    init(_ arrivals: Profile.Arrivals, stream: RandomStream) {
        self.init(
            arrivals.stages.map { $0.value(as: ArrivalShapes.format).reading(arrivals.files) },
            spacing: arrivals.spacing, factor: arrivals.factor, stream: stream)
    }

    /// The process of some shapes, one after the other from the run's beginning.
    init(
        _ shapes: [any ArrivalShape], spacing: Profile.Spacing, factor: Double = 1,
        stream: RandomStream
    ) {
        var stages: [Stage] = []
        var start: Int64 = 0
        var expected = 0.0
        for shape in shapes {
            let played = shape.played(timesAsFast: factor)
            let (shape, weight) = (played ?? shape, played == nil ? 1 : 1 / factor)
            stages.append(
                Stage(shape: shape, start: start, expectedBefore: expected, weight: weight))
            start = start.clampedSum(shape.durationNanoseconds)
            expected += weight * shape.expectedInAll
        }
        self.stages = stages
        self.spacing = spacing
        self.stream = stream
        self.factor = factor
    }

    func expected(until nanoseconds: Int64) -> Double {
        guard let stage = stages.last(where: { $0.start <= nanoseconds }) else { return 0 }
        let inside = min(nanoseconds - stage.start, stage.shape.durationNanoseconds)
        return factor
            * (stage.expectedBefore + stage.weight * stage.shape.expected(inFirst: inside))
    }

    /// The mean time between two sessions over all stages, in nanoseconds.
    var meanGap: Double {
        let sessions = expected(until: end)
        return sessions > 0 ? Double(end) / sessions : 0
    }

    private var end: Int64 {
        stages.last.map { $0.start.clampedSum($0.shape.durationNanoseconds) } ?? 0
    }

    /// When a session arrives, by its number and the arrival of the one before it; `nil` when the
    /// stages are over by then.
    func arrival(of number: UInt64, after elapsed: Int64) -> Int64? {
        let target =
            switch spacing {
            case .even: Double(number + 1)
            case .poisson: expected(until: elapsed) + exponential(number)
            }
        return moment(expecting: target, notBefore: elapsed)
    }

    private func exponential(_ number: UInt64) -> Double {
        let mean: Int64 = 1_000_000_000
        return Double(Distribution.exponential(mean: mean).sample(stream, at: number))
            / Double(mean)
    }

    /// The first nanosecond up to which this many sessions are expected, by bisection.
    private func moment(expecting target: Double, notBefore earliest: Int64) -> Int64? {
        var (low, high) = (earliest, end)
        // Rounding errors may leave a sum short of a whole number by this, and lose a session.
        let target = target - (1e-12 + target * 1e-14)
        guard high >= low, expected(until: high) >= target else { return nil }
        while low < high {
            let middle = low + (high - low) / 2
            if expected(until: middle) >= target { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// The sessions of a process one after the other.
struct ArrivalCursor {
    private let process: ArrivalProcess
    /// The number of the session that comes next.
    private(set) var number: UInt64 = 0
    /// When it arrives; `nil` when no more do.
    private(set) var instant: Int64?

    init(_ process: ArrivalProcess) {
        self.process = process
        instant = process.arrival(of: 0, after: 0)
    }

    /// Goes on to the next session.
    mutating func advance() {
        guard let previous = instant else { return }
        number += 1
        instant = process.arrival(of: number, after: previous)
    }
}
