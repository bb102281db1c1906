import SquallBackend
import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

/// A grid over one or two settings; every place of it runs with the same seeds.
public struct Sweep: Sendable {
    private let experiment: Experiment
    private let axes: [(name: String, list: String)]
    private let figures: [String]
    private let replications: Int

    /// The most places in a grid.
    static let placesMax = 10_000

    /// The figures shown when none is asked for: for a token's lifetime, its cost for the token
    /// endpoint and for users.
    public static func standardFigures(varying names: [String]) -> [String] {
        names.contains { $0.hasPrefix("backend.tokens.") }
            ? ["refreshes count", "refresh_rate max", "step_duration p(95)", "sessions_lost count"]
            : ["step_duration p(95)", "step_failed rate", "refresh_rate max"]
    }

    /// The name of the figure for the recovery of a run from a fault.
    static let recovery = "recovery"

    /// Makes a sweep.
    ///
    /// - Throws: ``PlanningProblem`` where it is no grid, or a figure is unknown.
    public init(
        _ experiment: Experiment, varying axes: [(name: String, list: String)], figures: [String],
        replications: Int
    ) throws {
        guard (1...2).contains(axes.count) else {
            throw PlanningProblem(
                "a sweep varies one setting or two, got \(axes.count): --vary 'users=100..1000/10'")
        }
        self.experiment = experiment
        self.axes = axes
        self.figures = try figures.map { try Figure.name(of: $0, for: "--figure") }.map {
            $0 == "recovery time" ? Self.recovery : $0
        }
        self.replications = replications
    }

    /// Runs the grid.
    public func answer(_ replicator: Replicator, replay: String) throws -> SweepAnswer {
        let (first, rest) = try places(of: experiment)
        guard rest.count * replications <= Self.placesMax * 10, rest.count <= Self.placesMax
        else { throw Self.tooLarge(rest.count) }
        let tasks = try rest.flatMap { place in
            try replicator.tasks(replications, of: place.profile)
        }
        let found = try replicator.replications(of: tasks)
        let points = try rest.enumerated().map { index, place in
            let own = Array(found[index * replications..<(index + 1) * replications])
            let (evidence, judged) = (own.evidence, own.verdicts)
            return SweepAnswer.Point(
                values: place.values,
                figures: figures.map {
                    SweepAnswer.Value($0, own, ofOne: experiment.drawsFitted)
                },
                broken: judged.indices.filter { judged[$0] == false },
                unmeasured: judged.indices.filter { index in
                    judged[index] == false && evidence[index].unit == nil
                },
                undecided: judged.indices.filter { judged[$0] == nil },
                expectedRefreshPeak: try place.profile(nil).expectedRefreshPeak)
        }
        return SweepAnswer(
            profile: experiment.name, experiment: experiment.profile.question, axes: first,
            figures: figures, points: points,
            thresholds: found.first?.evidence.map(\.threshold) ?? [], replications: replications,
            requests: found.reduce(0) { $0 + $1.requests },
            measurementWindow: experiment.profile.measurementWindow,
            drawsFitted: experiment.drawsFitted, replay: replay)
    }

    private static func tooLarge(_ places: Int) -> PlanningProblem {
        PlanningProblem("a grid of \(places) places is too large")
    }

    /// A place of the grid: its values, and the profile of each replication.
    private typealias Place = (values: [Double], profile: (Int?) throws -> Profile)

    /// The axes from one on and their places, for an experiment in which the earlier ones are
    /// fixed.
    private func places(
        from axis: Int = 0, of experiment: Experiment, at fixed: [Double] = []
    ) throws -> (axes: [SweepAnswer.Axis], places: [Place]) {
        let (name, list) = axes[axis]
        let variation = try Variation(name, of: experiment)
        guard let values = ValueList(list, variation)?.values else {
            let example = variation.text(variation.today)
            throw PlanningProblem(
                "--vary '\(name)=\(list)' must list values such as \(example), separated by"
                    + " commas, or as low..high/count\(ValueList.misfit(in: list, variation))")
        }
        var described = [
            SweepAnswer.Axis(name: name, values: values, texts: values.map(variation.text))
        ]
        var places: [Place] = []
        for value in values {
            let place = fixed + [value]
            _ = try variation.profile(at: value)
            guard axis + 1 < axes.count else {
                places.append((place, { try variation.profile(at: value, ofReplication: $0) }))
                continue
            }
            let inner = try self.places(
                from: axis + 1, of: variation.experiment(fixedAt: value), at: place)
            guard values.count * inner.places.count <= Self.placesMax else {
                throw Self.tooLarge(values.count * inner.places.count)
            }
            if described.count == 1 { described += inner.axes }
            places += inner.places
        }
        return (described, places)
    }
}

extension SweepAnswer.Value {
    /// Pools a figure over replications; with `ofOne` the interval is for one, not for the mean.
    init(_ name: String, _ replications: [Replication], ofOne: Bool) {
        guard name != Sweep.recovery else {
            self.init(recoveryOf: replications)
            return
        }
        let figures = replications.compactMap { replication in
            replication.figures.first { $0.name == name }
        }
        let unit = figures.first?.unit
        let estimate = ConfidenceInterval(
            meanOf: figures.map(\.value), ofOne: ofOne)?.ofAmount
        self.init(
            unit: unit, estimate: estimate, replications: figures.count,
            text: estimate.flatMap { estimate in unit.map { $0.text(estimate.value) } } ?? "–",
            isGood: nil)
    }

    /// The time of recovering from the first fault, or that a run never recovered.
    private init(recoveryOf replications: [Replication]) {
        let times = replications.compactMap { $0.value(of: "recovery time") }
        let judged = replications.compactMap { $0.value(of: "recovery ok") }
        let lost = judged.count { $0 == 0 }
        self.init(
            unit: .nanoseconds, estimate: ConfidenceInterval(meanOf: times)?.ofAmount,
            replications: judged.count, text: Self.text(times, lost: lost, of: judged.count),
            isGood: judged.isEmpty ? nil : lost == 0)
    }

    private static func text(_ times: [Double], lost: Int, of count: Int) -> String {
        guard count > 0 else { return "no fault" }
        guard !times.isEmpty else { return "never" }
        let time = NumberUnit.nanoseconds.text(times.mean)
        return lost == 0 ? time : "\(time), \(lost) of \(count) never"
    }
}

extension Profile {
    /// The peak rate of refreshes, per second, of tokens that are issued within a window, in closed
    /// form; nil where there is none.
    ///
    /// N users get tokens evenly within a time w, which live L less up to j. They refresh about L
    /// later, spread over w and j together: the convolution of the two peaks at N / max(w, j). It
    /// holds for closed loads where users refresh for no other reason, and where w + j is less than
    /// L. A token is renewed by the next call, so the longest pause is to be short: of a third of
    /// the spread, it takes 5 % off the peak.
    var expectedRefreshPeak: Double? {
        let tokens = backend.tokens
        let lifetime = Double(tokens.accessLifetimeNanoseconds) / 1e9
        let jitter = Double(tokens.lifetimeJitterNanoseconds) / 1e9
        var peak = 0.0
        for population in populations {
            guard case .closed = population.load, population.initialTokens == .fresh else {
                return nil
            }
            let window = Double(population.arriveOverNanoseconds) / 1e9
            let spread = max(window, jitter)
            let pauses = [population.thinkTime, population.away] + population.thinkTimes.values
            let pause = (pauses.map(\.mean).max() ?? 0) / 1e9
            guard spread > 0, window + jitter < lifetime, spread >= 3 * pause else { return nil }
            peak += Double(population.users) / spread
        }
        return peak
    }
}
