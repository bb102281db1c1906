import SquallFormat
import SquallKernel
import SquallLab
import SquallReport

/// Searches for the one setting of a profile that explains the difference from a driven run when it
/// is changed: by simulating the profile with each, at many values and with the run's own seed.
///
/// A closed formula would need a model of the server; the simulation is one, so that queueing,
/// pools and retries count as they do in a run.
struct CorrectionSearch {
    private typealias Fit = (power: Double, misfit: Double)

    private let driven: ComparisonSide
    private let name: String
    private let profile: Profile
    private let base: [PairedDifference]
    private let seeds: Int
    /// The requests of one simulation.
    private let requestsEach: Int64
    private let replicator: Replicator

    init(
        _ driven: ComparisonSide, _ name: String, of profile: Profile, _ answer: ComparisonAnswer,
        seeds: Int, _ replicator: Replicator
    ) {
        (self.driven, self.name, self.profile) = (driven, name, profile)
        (base, self.seeds, self.replicator) = (answer.differences, seeds, replicator)
        requestsEach = answer.requests / Int64(max(1, seeds))
    }

    /// The number of the best corrections that are simulated with every seed.
    private static let finalists = 5
    /// The requests that a search simulates for each value, in at most three runs.
    ///
    /// Short runs near saturation differ so much that one of them says little.
    private static let requestsOfValue = 30_000

    /// The settings that could be meant, the best first; none where nothing differs.
    ///
    /// The best leaves the fewest figures that differ and, of equal ones, explains most. Those that
    /// the run cannot tell from it follow, with the load that would.
    ///
    /// - Throws: what stops a simulation.
    func corrections() throws -> [ProfileCorrection] {
        let differing = base.count(where: \.disagrees)
        guard differing > 0 else { return [] }
        let whole = misfit { $0.b }
        var found = try levers.compactMap { lever -> Found? in
            let best = try refined(best(of: lever.powers, lever, (0, whole)), lever)
            return best.power == 0 ? nil : Found(lever, best, of: profile, whole)
        }.ordered { $0.correction.explained > $1.correction.explained }
        for index in found.indices.prefix(Self.finalists) {
            let tested = try tested(found[index].profile)
            found[index].correction.differing = tested.differing
            found[index].correction.explained = 1 - tested.misfit / whole
            found[index].correction.isTelling = tested.differing * 2 <= differing
        }
        found = found.ordered { one, other in
            let (left, right) = (one.correction, other.correction)
            return (left.differing ?? .max, right.explained) < (
                right.differing ?? .max, left.explained
            )
        }
        return try tellingApart(found, slack: differing > 5 ? 1 : 0).map(\.correction)
    }

    /// A setting with the value that fits best.
    private struct Found {
        var correction: ProfileCorrection
        let profile: Profile

        init(_ lever: ServerLever, _ best: Fit, of profile: Profile, _ whole: Double) {
            correction = lever.correction(
                of: profile, at: best.power, explaining: 1 - best.misfit / whole)
            self.profile = lever.changed(profile, best.power)
        }
    }

    /// The settings to try: near saturation a rate may tell first that durations are otherwise, so
    /// each is tried whatever differs.
    private var levers: [ServerLever] {
        ServerLever.ofDurations(profile) + [.accessLifetime]
            + [furthestEndpoint.map { .serviceTime(of: $0) }].compactMap(\.self)
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

extension CorrectionSearch {
    /// The best between the neighbours of the best of a grid.
    private func refined(_ best: Fit, _ lever: ServerLever) throws -> Fit {
        var (best, step) = (best, lever.firstStep(at: best.power))
        while step >= lever.lastStep, best.power != 0 {
            best = try self.best(of: [best.power - step, best.power + step], lever, best)
            step /= 2
            if lever.isWhole { step.round(.down) }
        }
        return best
    }

    private func best(of powers: [Double], _ lever: ServerLever, _ known: Fit) throws -> Fit {
        let runs = min(3, max(1, Self.requestsOfValue / max(1, Int(clamping: requestsEach))))
        let tasks = try powers.flatMap { power in
            try replicator.tasks(runs) { _ in lever.changed(profile, power) }
        }
        let found = try replicator.replications(of: tasks)
        return powers.enumerated().reduce(known) { best, tried in
            let own = found[tried.offset * runs..<(tried.offset + 1) * runs]
            let values = own.reduce(into: [String: [Double]]()) { values, run in
                for figure in run.figures { values[figure.name, default: []].append(figure.value) }
            }
            let misfit = misfit { values[$0.name]?.mean }
            return misfit < best.misfit ? (tried.element, misfit) : best
        }
    }

    /// The distance of simulated figures from the driven run, over all that a server decides.
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

    /// The number of figures of a profile that differ from the driven run, and their distance, over
    /// all seeds.
    private func tested(_ profile: Profile) throws -> (differing: Int, misfit: Double) {
        let found = try replicator.replications(seeds) { _ in profile }
        let differences = ComparisonAnswer(
            driven, ComparisonSide(name, found), gates: [], replay: ""
        ).differences
        let values = Dictionary(differences.map { ($0.name, $0.b) }) { first, _ in first }
        return (differences.count(where: \.disagrees), misfit { values[$0.name] })
    }
}

/// Loads that tell two corrections apart.
extension CorrectionSearch {
    /// Loads to try, as shares of the run's users.
    private static let loads = [0.25, 0.5, 2]
    /// The number of corrections that are told apart, and of the runs of each.
    private static let equals = 3
    private static let runsOfLoad = 4
    private static let telling = [
        "request_duration med", "request_duration p(95)", "steps count",
        "expired_responses count",
    ]

    /// The corrections with the load that tells each of those that leave no more figures than the
    /// best from it; `slack` figures more are random.
    private func tellingApart(_ found: [Found], slack: Int) throws -> [Found] {
        guard let left = found.first?.correction.differing else { return found }
        var found = found
        let equals = found.indices.dropFirst().filter { index in
            let own = found[index].correction
            return own.isTelling && (own.differing ?? .max) <= left + slack
        }.prefix(Self.equals - 1)
        for index in equals { found[index].correction.isEqualToBest = true }
        for load in equals.isEmpty ? [] : Self.loads {
            let users = Int64(clamped: (Double(profile.users) * load).rounded())
            guard users >= max(1, profile.populations.count) else { continue }
            let best = try side(found[0].profile, users)
            for index in equals {
                let told = difference(best, try side(found[index].profile, users), users)
                if let told, told.ratio > found[index].correction.told?.ratio ?? 0 {
                    found[index].correction.told = told
                }
            }
        }
        return found
    }

    private func side(_ profile: Profile, _ users: Int64) throws -> ComparisonSide {
        let scaled = profile.scaled(toUsers: users)
        return ComparisonSide(
            name, try replicator.replications(Self.runsOfLoad) { _ in scaled })
    }

    /// The figure in which two corrected profiles are furthest apart; nil without one that differs
    /// by more than a tenth.
    private func difference(
        _ best: ComparisonSide, _ own: ComparisonSide, _ users: Int64
    ) -> ProfileCorrection.Told? {
        ComparisonAnswer.pairs(best, own, best.seeds).compactMap { pair in
            let ratio = PortableMath.log((pair.a + 1) / (pair.b + 1)).magnitude
            guard Self.telling.contains(pair.name), ratio > 0.1, pair.probability ?? 1 < 0.01 else {
                return nil
            }
            return .init(
                users: users, figure: pair.name, best: pair.unit.text(pair.a),
                own: pair.unit.text(pair.b), ratio: ratio)
        }.max { $0.ratio < $1.ratio }
    }
}
