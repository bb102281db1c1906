import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

/// Searches the one setting of a profile that, changed, explains how a driven run differs: by
/// simulating the profile with each, at many values and with the run's own seed.
///
/// A closed formula would need a model of the server; the simulation is one, so that queueing,
/// pools and retries count as they do in a run.
struct CorrectionSearch {
    private let driven: ComparisonSide
    private let name: String
    private let profile: Profile
    private let base: [PairedDifference]
    private let seeds: Int
    private let replicator: Replicator

    init(
        _ driven: ComparisonSide, _ name: String, of profile: Profile, _ answer: ComparisonAnswer,
        seeds: Int, _ replicator: Replicator
    ) {
        (self.driven, self.name, self.profile) = (driven, name, profile)
        (base, self.seeds, self.replicator) = (answer.differences, seeds, replicator)
    }

    /// How many of the best are simulated with every seed.
    private static let finalists = 3

    /// The settings that could be meant, the best first; none where nothing differs.
    ///
    /// - Throws: what stops a simulation.
    func corrections() throws -> [ProfileCorrection] {
        let whole = misfit { $0.b }
        let coarse = try levers.map { (lever: $0, best: try best(of: $0, whole)) }
        let least = coarse.map(\.best.misfit).min() ?? whole
        // What explains less than half as much as the best is not worth a closer look.
        let close = (whole + least) / 2
        let tried = try coarse.map { lever, best in
            (lever: lever, best: best.misfit <= close ? try refined(best, lever) : best)
        }
        .filter { $0.best.power != 0 }
        .ordered { $0.best.misfit < $1.best.misfit }
        return try tried.enumerated().map { rank, tried in
            let (lever, best) = tried
            var correction = lever.correction(
                of: profile, at: best.power, explaining: 1 - best.misfit / whole)
            if rank < Self.finalists, correction.isTelling {
                correction.differing = try differing(lever.changed(profile, best.power))
            }
            return correction
        }
    }

    /// What could be meant: only durations tell of network, service and workers, and only refreshes
    /// of tokens' lives.
    private var levers: [ServerLever] {
        let differing = base.filter(\.disagrees)
        let durations = differing.filter { $0.name.hasPrefix(Metric.requestDuration.name) }
        let ofTokens = differing.contains {
            $0.name.hasPrefix("refresh") || $0.name.hasPrefix(Metric.expiredResponses.name)
        }
        var levers: [ServerLever] = []
        if !durations.isEmpty || differing.contains(where: { $0.name == "concurrency avg" }) {
            levers += ServerLever.ofDurations(profile)
            if let endpoint = furthestEndpoint { levers.append(.serviceTime(of: endpoint)) }
        }
        if ofTokens { levers.append(.accessLifetime) }
        return levers
    }

    /// The endpoint with the median that is furthest off, where there are several: a slow one makes
    /// others wait, too.
    private var furthestEndpoint: String? {
        let medians = base.filter { endpoint($0.name) != nil && $0.name.hasSuffix(" med") }
        guard Set(medians.compactMap { endpoint($0.name) }).count > 1 else { return nil }
        return medians.max { off($0) < off($1) }.flatMap { endpoint($0.name) }
    }

    private func off(_ figure: PairedDifference) -> Double {
        PortableMath.log((figure.a + 1) / (figure.b + 1)).magnitude
    }

    private func endpoint(_ figure: String) -> String? {
        let parts = figure.split(separator: "{endpoint:")
        return parts.count == 2 ? String(parts[1].prefix { $0 != "," && $0 != "}" }) : nil
    }
}

/// How well a change fits.
extension CorrectionSearch {
    private typealias Fit = (power: Double, misfit: Double)

    /// The best of a lever's grid; power 0 where the profile's own value is.
    private func best(of lever: ServerLever, _ whole: Double) throws -> Fit {
        try best(of: lever.powers, lever, (0, whole))
    }

    /// The best between the neighbours of the best of a grid.
    private func refined(_ best: Fit, _ lever: ServerLever) throws -> Fit {
        var (best, step) = (best, 0.5)
        while step > 0.03, best.power != 0 {
            best = try self.best(of: [best.power - step, best.power + step], lever, best)
            step /= 2
        }
        return best
    }

    private func best(of powers: [Double], _ lever: ServerLever, _ known: Fit) throws -> Fit {
        let tasks = try powers.map { try replicator.task(lever.changed(profile, $0), number: 0) }
        let found = try replicator.replications(of: tasks)
        return zip(powers, found).reduce(known) { best, tried in
            let values = Dictionary(tried.1.figures.map { ($0.name, $0.value) }) { first, _ in
                first
            }
            let misfit = misfit { values[$0.name] }
            return misfit < best.misfit ? (tried.0, misfit) : best
        }
    }

    /// How far simulated figures are from the driven run, over all that a server decides.
    ///
    /// Each counts by how many of its deviations it is off; the logarithm of that keeps the few
    /// that are far off from drowning all others.
    private func misfit(_ value: (PairedDifference) -> Double?) -> Double {
        base.reduce(0) { sum, figure in
            guard
                figure.unit == .nanoseconds || figure.name.hasSuffix(" count"),
                figure.name.contains("{endpoint:") || Self.counted.contains(figure.name),
                let simulated = value(figure)
            else { return sum }
            let ratio = PortableMath.log((figure.a + 1) / (simulated + 1))
            let deviation = (figure.difference.halfWidth ?? 0) / 2.3 / (figure.b + 1)
            let off = ratio * ratio / (deviation * deviation + 0.03 * 0.03)
            return sum + PortableMath.log(1 + off)
        }
    }

    private static let counted: Set = [
        "request_duration med", "request_duration p(95)", "request_duration p(99)",
        "requests count", "refreshes count", "expired_responses count",
    ]

    /// How many figures of a profile differ from the driven run.
    private func differing(_ profile: Profile) throws -> Int {
        let found = try replicator.replications(seeds) { _ in profile }
        return ComparisonAnswer(
            driven, ComparisonSide(name, found), gates: [], replay: ""
        ).differences.count(where: \.disagrees)
    }
}
