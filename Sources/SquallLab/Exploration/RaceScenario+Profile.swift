import SquallApps
import SquallFormat
public import SquallRaces

extension RaceScenario {
    /// The most users of each population where a profile has no acts: a race needs few, and each
    /// one more makes a schedule more expensive.
    public static let usersOfEach: Int64 = 2

    /// The profile as it is explored: with few users unless it has acts.
    public static func few(of profile: Profile) -> Profile {
        guard profile.explore?.acts.isEmpty ?? true else { return profile }
        var few = profile
        for index in few.populations.indices {
            few.populations[index].users = min(few.populations[index].users, usersOfEach)
        }
        return few
    }

    /// Makes the scenario of a profile's section `explore`; without acts in it, the first
    /// ``usersOfEach`` users of each population do their first journey.
    ///
    /// - Throws: the first unknown name in it.
    public init(_ profile: Profile, source: SavedScenario?) throws(ExplorationError) {
        let explore = profile.explore ?? .standard
        let profile = Self.few(of: profile)
        let plan = WorldPlan(profile)
        let kinds = CallKind.allCases.map(\.rawValue)
        for act in explore.acts where act.kind == .call && !kinds.contains(act.what) {
            throw ExplorationError("kind of call", act.what, among: kinds)
        }
        self.init(
            plan, acts: explore.acts.isEmpty ? Self.firstJourneys(of: profile) : explore.acts,
            durationNanoseconds: profile.durationNanoseconds, drawsFaults: explore.drawsFaults,
            invariants: try RaceScenario.invariants(explore.invariants))
        namesInvariants = !explore.invariants.isEmpty
        guard var source else { return }
        (source.acts, source.faults, source.equalLatencies) = (saved.acts, saved.faults, false)
        saved = source
    }

    private static func firstJourneys(of profile: Profile) -> [ScenarioAct] {
        var user = 0
        return profile.populations.flatMap { population in
            (0..<Int(population.users)).map { _ in
                defer { user += 1 }
                return ScenarioAct(user: user, .journey, population.journeys[0].journey)
            }
        }
    }

    /// The invariants with the given names; all of them if there is no name.
    ///
    /// - Throws: the first unknown name.
    public static func invariants(
        _ names: [String]
    ) throws(ExplorationError) -> [RaceInvariant] {
        guard !names.isEmpty else { return RaceInvariant.all }
        var found: [RaceInvariant] = []
        for name in names {
            guard let invariant = RaceInvariant.named(name) else {
                throw ExplorationError(
                    "invariant", name, among: RaceInvariant.all.flatMap { [$0.id, $0.name] })
            }
            found.append(invariant)
        }
        return found
    }
}

extension ExplorationPlan {
    /// Makes the plan of a profile's section `explore`.
    ///
    /// - Throws: the first unknown strategy.
    public init(
        _ profile: Profile, of scenario: RaceScenario, threads: Int
    ) throws(ExplorationError) {
        let explore = profile.explore ?? .standard
        for strategy in explore.strategies where Strategy.named(strategy.name) == nil {
            throw ExplorationError(
                "strategy", strategy.name, among: Strategy.all.map(\.name))
        }
        self.init(
            seed: profile.seed, schedules: Int(explore.schedules),
            nanoseconds: explore.nanoseconds, deviations: explore.deviations.map { Int($0) },
            windowNanoseconds: explore.windowNanoseconds ?? scenario.roundTripNanoseconds,
            strategies: explore.strategies, threads: threads, shrinkingPlaysMax: 3_000)
    }
}

/// An unknown name in a profile's section `explore`.
public struct ExplorationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The unknown name, and the names that exist.
    public let description: String

    init(_ noun: String, _ name: String, among known: [String]) {
        description =
            "there is no \(noun) '\(name)'.\(Spelling.hint(for: name, among: known))"
            + Spelling.known(known)
    }

    init(_ description: String) { self.description = description }
}
