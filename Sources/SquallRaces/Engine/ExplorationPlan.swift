public import SquallFormat

/// How much is explored, and how.
public struct ExplorationPlan: Sendable {
    /// The seed of every random schedule.
    public var seed: UInt64
    /// How many schedules are played at most.
    public var schedules: Int
    /// How much real time may pass, in nanoseconds; `nil` for no limit.
    ///
    /// With a limit, findings depend on the machine.
    public var nanoseconds: Int64?
    /// Plays every schedule with at most this many departures from first in, first out, in place of
    /// what strategies make; `nil` to use the strategies.
    public var deviations: Int?
    /// How much later than due an event may happen, in nanoseconds.
    public var windowNanoseconds: Int64
    /// The strategies that make the schedules, with their shares.
    public var strategies: [StrategyShare]
    /// How many threads play; findings do not depend on it.
    public var threads: Int
    /// After how many findings of different invariants and causes to stop.
    public var findingsMax: Int
    /// How often one finding may be played again to make it smaller.
    public var shrinkingPlaysMax: Int
    /// How often a schedule may interrupt code that does not wait, where the subject can do so.
    public var preemptions: Int
    /// The seconds of its processor after which a schedule counts as one without an end.
    public var processorSeconds: Int

    /// How many seconds of its processor this many schedules may take: those that end take a tenth
    /// of what one without an end does.
    func processorSeconds(for schedules: Int) -> Int {
        processorSeconds + processorSeconds * min(schedules, 1_000_000) / 10
    }

    /// A strategy and how often it is used in proportion.
    public struct StrategyShare: Hashable, Sendable {
        /// The strategy's name.
        public let name: String
        /// Its share; all shares together are the whole.
        public let weight: Double

        /// A share of its parts.
        public init(name: String, weight: Double) {
            self.name = name
            self.weight = weight
        }
    }

    /// The strategies and shares where no others are given.
    public static let standardStrategies = [
        StrategyShare(name: "pos", weight: 45), StrategyShare(name: "pct", weight: 25),
        StrategyShare(name: "random", weight: 15), StrategyShare(name: "mutation", weight: 15),
    ]

    /// A plan of its parts.
    public init(
        seed: UInt64 = 1, schedules: Int, nanoseconds: Int64? = nil, deviations: Int? = nil,
        windowNanoseconds: Int64, strategies: [StrategyShare] = standardStrategies,
        threads: Int = 1, findingsMax: Int = 100, shrinkingPlaysMax: Int, preemptions: Int = 0,
        processorSeconds: Int = 120
    ) {
        self.seed = seed
        self.schedules = schedules
        self.nanoseconds = nanoseconds
        self.deviations = deviations
        self.windowNanoseconds = windowNanoseconds
        self.strategies = strategies
        self.threads = threads
        self.findingsMax = findingsMax
        self.shrinkingPlaysMax = shrinkingPlaysMax
        self.preemptions = preemptions
        self.processorSeconds = processorSeconds
    }
}

extension ExplorationPlan.StrategyShare {
    /// Reads its settings.
    public init(_ read: inout SettingsReader) {
        name = read("name", .text(1...40), "Its name: fifo, pos, pct, random or mutation.")
        weight = read(
            "share", .number(0...1_000_000), otherwise: 1, "How often it is used in proportion.")
    }
}

/// A search for races, as profiles write it: a scenario, how much is tried and what must hold.
public struct ExplorationSettings: Hashable, Sendable {
    /// Users' acts and other events; empty for each user's first journey.
    public var acts: [ScenarioAct]
    /// The number of schedules that are played at most.
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
    /// True if each schedule decides anew for each fault whether it strikes; false for faults that
    /// the profile's seed decides.
    public var drawsFaults: Bool
}

extension ExplorationSettings {
    /// Reads its settings.
    public init(_ read: inout SettingsReader) {
        acts = read(
            "acts", .list(of: .section { ScenarioAct(&$0) }, 0...1_000), otherwise: [],
            "Who does what when; by default two users of each population begin its first journey.")
        schedules = read(
            "schedules", .integer(1...100_000_000), otherwise: 2_000,
            "Maximum number of schedules.")
        nanoseconds = read.optional(
            "time", .duration(Span.millisecond...Span.day),
            "How much real time may pass; what is found then depends on the machine.")
        deviations = read.optional(
            "deviations", .integer(0...8),
            "Play every schedule with at most so many reorderings of the default order.")
        windowNanoseconds = read.optional(
            "window", .duration(0...Span.year),
            "How much later than due something may happen: 0s for ties only, 30d for any order of"
                + " messages and timers; a round trip by default.")
        strategies = read(
            "strategies", .list(of: .section { ExplorationPlan.StrategyShare(&$0) }, 1...10),
            otherwise: .array(
                ExplorationPlan.standardStrategies.map {
                    ["name": .string($0.name), "share": .number($0.weight)]
                }), "Who decides the schedules after the first, which has the default order.")
        if strategies.allSatisfy({ $0.weight <= 0 }) {
            read.refuse(
                "strategies",
                "must have a share above 0: nothing decides the schedules otherwise")
        }
        invariants = read(
            "invariants", .list(of: .text(1...40), 0...100), otherwise: [],
            "What must hold, such as \"S1\" or \"noZombie\"; everything by default.")
        drawsFaults = read(
            "drawFaults", .flag, otherwise: .bool(false),
            "Whether each fault of the backend may also stay away, as the schedule decides.")
    }

    /// The settings of a profile that has no such section.
    public static var standard: ExplorationSettings {
        SettingFormat.section { ExplorationSettings(&$0) }.placeholder()
    }
}
