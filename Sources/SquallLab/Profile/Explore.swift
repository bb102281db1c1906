import SquallApps
import SquallFormat
public import SquallRaces

extension Profile {
    /// A search for races: a scenario, how many schedules it plays, and what must hold.
    public struct Explore: Hashable, Sendable {
        /// Users' acts and other events; empty for each user's first journey.
        public var acts: [ScenarioAct]
        /// How many schedules are played at most.
        public var schedules: Int64
        /// How much real time may pass, in nanoseconds; `nil` for no limit.
        public var nanoseconds: Int64?
        /// Plays every schedule with at most this many departures; `nil` to use strategies.
        public var deviations: Int64?
        /// How much later than due an event may happen; `nil` for a round trip.
        public var windowNanoseconds: Int64?
        /// The strategies that make the schedules.
        public var strategies: [ExplorationPlan.StrategyShare]
        /// The invariants, by identifier or name; empty for all.
        public var invariants: [String]
        /// Whether each schedule decides anew for each fault whether it strikes.
        public var drawsFaults: Bool
    }
}

extension Profile.Explore {
    init(_ read: inout SettingsReader) {
        acts = read(
            "acts", .list(of: .section { ScenarioAct(&$0) }, 0...1_000), otherwise: [],
            "Who does what when; by default two users of each population begin its first journey.")
        schedules = read(
            "schedules", .integer(1...100_000_000), otherwise: 2_000,
            "How many schedules are played at the most.")
        nanoseconds = read.optional(
            "time", .duration(Span.millisecond...Span.day),
            "How much real time may pass; what is found then depends on the machine.")
        deviations = read.optional(
            "deviations", .integer(0...8),
            "Play every schedule with at most so many departures from first in, first out.")
        windowNanoseconds = read.optional(
            "window", .duration(0...Span.year),
            "How much later than due something may happen: 0s for ties only, 30d for any order of"
                + " messages and timers; a round trip by default.")
        strategies = read(
            "strategies", .list(of: .section { ExplorationPlan.StrategyShare(&$0) }, 1...10),
            otherwise: .array(
                ExplorationPlan.standardStrategies.map {
                    ["name": .string($0.name), "share": .number($0.weight)]
                }), "Who decides the schedules behind the first, which is first in, first out.")
        invariants = read(
            "invariants", .list(of: .text(1...40), 0...100), otherwise: [],
            "What must hold, such as \"S1\" or \"noZombie\"; everything by default.")
        drawsFaults = read(
            "drawFaults", .flag, otherwise: .bool(false),
            "Whether each fault of the backend may also stay away, as the schedule decides.")
    }
}

extension Profile.Explore {
    /// The exploration of a profile that sets nothing for it.
    public static var standard: Profile.Explore {
        SettingFormat.section { Profile.Explore(&$0) }.placeholder()
    }
}

extension Profile {
    /// Refuses acts of users and of steps that do not exist.
    func checkExploration(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        guard let explore else { return }
        checkShares(of: explore, &read)
        for (index, act) in explore.acts.enumerated() {
            let path = read.path.appending("explore").appending("acts").appending(index)
            guard read.isSound(at: path), read.isSound("populations") else { continue }
            guard let population = population(of: act.user) else {
                read.refuse(
                    path.appending("user"),
                    "must be below \(Units.grouped(users)), the number of users,"
                        + " got \(act.user)")
                continue
            }
            if act.kind == .clock, act.aheadNanoseconds == 0 {
                read.refuse(
                    path.appending("what"),
                    "must be a duration such as \"10m\" or \"-10m\", got \"\(act.what)\"")
            }
            if act.kind == .call, act.what.isEmpty {
                read.refuse(
                    path.appending("what"),
                    "must be the kind of call, such as \"read\"; it is missing")
            }
            guard let known = vocabulary.app(named: population.app)?.journeys else { continue }
            let names =
                switch act.kind {
                case .journey: known.map(\.name)
                case .step:
                    known.flatMap { journey in journey.steps.map { "\(journey.name).\($0.name)" } }
                default: [String]()
                }
            let needsName = act.kind == .journey || act.kind == .step
            guard needsName, !names.contains(act.what) else { continue }
            read.report(
                .unknownName, at: path.appending("what"),
                "\(path).what is no \(act.kind.rawValue) of \(population.app), got"
                    + " \"\(act.what)\".\(Spelling.hint(for: act.what, among: names))")
        }
    }

    /// Refuses strategies if none of them is ever used.
    private func checkShares(of explore: Explore, _ read: inout SettingsReader) {
        let path = read.path.appending("explore").appending("strategies")
        guard explore.strategies.allSatisfy({ $0.weight <= 0 }) else { return }
        read.refuse(path, "must have a share above 0: nothing decides the schedules otherwise")
    }

    private func population(of user: Int) -> Population? {
        var first = 0
        for population in populations {
            first += Int(population.users)
            if user < first { return population }
        }
        return nil
    }
}
