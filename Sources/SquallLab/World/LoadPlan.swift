import SquallFormat
import SquallKernel
import SquallProfile

/// What makes users begin a journey, before it is decided when sessions arrive.
///
/// ```swift
/// plan.populations[0].load = .open([.ramp(from: 0, to: 50, for: .seconds(60))])
/// ```
public struct LoadPlan: Sendable {
    let model: @Sendable (_ arrivals: RandomStream) -> LoadModel

    init(_ model: @escaping @Sendable (_ arrivals: RandomStream) -> LoadModel) {
        self.model = model
    }

    /// The users are there all the time and begin again by themselves: after having been away, or
    /// with a pacing so far apart.
    public static func closed(pacingNanoseconds: Int64? = nil) -> LoadPlan {
        LoadPlan { _ in .closed(pacingNanoseconds: pacingNanoseconds, active: nil) }
    }

    /// The same for as many users as stages say: so many are active when each has passed, on a
    /// straight line from those before, and nobody at first.
    ///
    /// - Precondition: there is a stage, none has negative users or length.
    public static func closed(
        pacingNanoseconds: Int64? = nil, stages: [(users: Int, within: Duration)]
    ) -> LoadPlan {
        precondition(!stages.isEmpty, "a load of stages needs one")
        let line = ActiveUsers(
            stages.map { stage in
                precondition(stage.users >= 0 && stage.within >= .zero, "got \(stage)")
                return Profile.UserStage(
                    users: Int64(stage.users), nanoseconds: Int64(stage.within / .nanoseconds(1)))
            })
        return LoadPlan { _ in .closed(pacingNanoseconds: pacingNanoseconds, active: line) }
    }

    /// Sessions of one journey arrive, whatever happens to those under way.
    ///
    /// - Parameters:
    ///   - stages: the rate of sessions, stage after stage.
    ///   - spacing: whether they arrive at random or as evenly as the rate allows.
    ///   - overflow: what becomes of one that finds nobody free.
    /// - Returns: the load.
    public static func open(
        _ stages: [ArrivalStage], spacing: ArrivalSpacing = .poisson,
        whenNobodyIsFree overflow: ArrivalOverflow = .wait
    ) -> LoadPlan { arriving(stages, continues: 0, spacing, overflow) }

    /// The same, and after each journey another one follows with a probability of 0…0.999.
    ///
    /// - Precondition: the probability is in its range.
    public static func partlyOpen(
        _ stages: [ArrivalStage], continues probability: Double,
        spacing: ArrivalSpacing = .poisson, whenNobodyIsFree overflow: ArrivalOverflow = .wait
    ) -> LoadPlan {
        precondition((0...0.999).contains(probability), "got \(probability), not 0…0.999")
        return arriving(stages, continues: probability, spacing, overflow)
    }

    private static func arriving(
        _ stages: [ArrivalStage], continues: Double, _ spacing: ArrivalSpacing,
        _ overflow: ArrivalOverflow
    ) -> LoadPlan {
        precondition(!stages.isEmpty, "sessions that arrive need a stage")
        return LoadPlan { stream in
            let process = ArrivalProcess(
                stages.map(\.shape), spacing: spacing == .even ? .even : .poisson, stream: stream)
            return .open(
                process, continues: continues, overflow == .refuse ? .refuse : .wait)
        }
    }
}

/// How sessions follow each other at a given rate.
public enum ArrivalSpacing: Sendable {
    /// Independently of each other, as people do.
    case poisson
    /// As evenly as the rate allows.
    case even
}

/// What becomes of a session that arrives when every user is on one already.
public enum ArrivalOverflow: Sendable {
    /// It waits for the next user who is free, and its waiting counts.
    case wait
    /// It goes away, and is counted.
    case refuse
}

/// A span during which the rate of arriving sessions follows one law; rates are sessions a second.
public struct ArrivalStage: Sendable {
    let shape: any ArrivalShape

    /// The same rate all the time.
    public static func constant(_ rate: Double, for span: Duration) -> ArrivalStage {
        ArrivalStage(
            shape: ConstantRate(
                sessionsPerSecond: checked(rate), durationNanoseconds: checked(span)))
    }

    /// A rate that rises or falls evenly.
    public static func ramp(
        from first: Double, to last: Double, for span: Duration
    ) -> ArrivalStage {
        ArrivalStage(
            shape: LinearRamp(
                firstRate: checked(first), lastRate: checked(last),
                durationNanoseconds: checked(span)))
    }

    /// A rate that changes in equal steps, of which there are two or more, each held for a while.
    public static func stairs(
        from first: Double, to last: Double, steps: Int, each span: Duration
    ) -> ArrivalStage {
        precondition(steps >= 2, "stairs have 2 steps or more, got \(steps)")
        return ArrivalStage(
            shape: Stairs(
                firstRate: checked(first), lastRate: checked(last), steps: Int64(steps),
                stepNanoseconds: checked(span)))
    }

    /// A steady rate with a sudden burst in it.
    public static func spike(
        base: Double, peak: Double, before: Duration, width: Duration, after: Duration
    ) -> ArrivalStage {
        ArrivalStage(
            shape: Spike(
                baseRate: checked(base), peakRate: checked(peak),
                beforeNanoseconds: checked(before), widthNanoseconds: checked(width),
                afterNanoseconds: checked(after)))
    }

    /// A rate that swings around its mean; `swing` is a share of the mean, 0…1.
    public static func sine(
        mean: Double, swing: Double, period: Duration, peakAt: Duration = .zero,
        for span: Duration
    ) -> ArrivalStage {
        precondition((0...1).contains(swing), "a swing is 0…1, got \(swing)")
        return ArrivalStage(
            shape: SineWave(
                meanRate: checked(mean), swing: swing, periodNanoseconds: checked(period),
                peakNanoseconds: Int64(peakAt / .nanoseconds(1)),
                durationNanoseconds: checked(span)))
    }

    private static func checked(_ rate: Double) -> Double {
        precondition((0...1_000_000).contains(rate), "a rate is 0…1 000 000 a second, got \(rate)")
        return rate
    }

    private static func checked(_ span: Duration) -> Int64 {
        let range = Duration.milliseconds(1)...Duration.nanoseconds(Span.year)
        precondition(range.contains(span), "a span is 1ms…365d, got \(span)")
        return Int64(span / .nanoseconds(1))
    }
}
