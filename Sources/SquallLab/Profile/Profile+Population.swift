public import SquallApps
import SquallClient
import SquallFormat
public import SquallKernel

extension Profile {
    /// A group of users who behave alike.
    public struct Population: Hashable, Sendable {
        /// The group's name; no two groups share one.
        public var name: String
        /// The name of the population with the same people; nil when it has its own.
        var habitsOf: String?
        /// The app they use.
        public var app: String
        /// The name of the app's token design.
        public var design: String
        /// The retry policy of the app's sessions, beside its own code.
        var retries: Retries
        /// The limits and delays of that policy.
        var retryPolicy: RetryPolicy
        /// The number of users; with an open load, the most sessions at once.
        public var users: Int64
        /// Their journeys, in the file's order.
        public var journeys: [JourneyWeight]
        /// The rule by which they begin journeys.
        public var load: Load
        /// The pause between two steps of a journey.
        public var thinkTime: Distribution
        /// The pause after steps of some names, where it differs.
        public var thinkTimes: [String: Distribution]
        /// The time between two journeys.
        public var away: Distribution
        /// They arrive evenly within this time.
        public var arriveOverNanoseconds: Int64
        /// The time that they watch a step that does not end before they give up.
        public var patienceNanoseconds: Int64
        /// True if they signed in before the run.
        public var startsSignedIn: Bool
        /// The state of the access token they arrive with.
        public var initialTokens: InitialTokens
        /// The law of an aged token's remaining life; nil for the law that follows from the habits.
        var tokenLife: Distribution?
    }

    /// The retry policy of an app's sessions, beside its own code.
    enum Retries: String, Hashable, Sendable, CaseIterable {
        /// No retries.
        case none
        /// As the library does: twice, after 0.5 s and 1 s.
        case naive
        /// As `naive`, with delays that are spread at random.
        case jittered
        /// As `jittered`, no sooner than `Retry-After` asks, and each phone has a budget: a retry
        /// for every ten requests.
        case budgeted
        /// As `jittered`, and each phone refuses some of its own calls, the more the more of its
        /// latest calls were refused or never answered.
        case adaptive
        /// As `jittered`, and after some failures in a row each phone sends nothing for a while,
        /// and then one call to try.
        case breaker
    }

    /// The limits and delays of a retry policy.
    struct RetryPolicy: Hashable, Sendable {
        /// The most times that a call is sent again.
        var limit: Int64
        var firstDelayNanoseconds: Int64
        /// The factor from each delay to the next.
        var factor: Int64
        /// The longest delay; nil for no limit.
        var longestDelayNanoseconds: Int64?
        /// True to wait at least as long as a response's `Retry-After` asks; nil for what the
        /// policy does: only with budgets.
        var heedsRetryAfter: Bool?
        /// With budgets, the retries that each request earns.
        var budget: Double
        /// With budgets, the retries that can be saved up; a phone begins with that many.
        var savings: Int64
        /// With a breaker, the failures in a row that open it.
        var opensAfter: Int64
        /// With a breaker, the time that it stays open.
        var openNanoseconds: Int64
    }

    /// The state of an access token at the beginning of a run.
    public enum InitialTokens: String, Hashable, Sendable, CaseIterable {
        /// Just issued.
        case fresh
        /// No longer accepted.
        case expired
        /// As old as they are in the long run when a user with these habits begins a visit.
        case aged
    }
}

extension Profile.Population {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        name =
            read.optional(
                "name", .text(1...40), "Name of the group; the app's name by default.") ?? ""
        habitsOf = read.optional(
            "habitsOf", .text(1...40),
            "Name of another population with the same users: same journeys, pauses and latencies.")
        app = read(
            "app", .words(vocabulary.apps.map(\.name)),
            otherwise: .string(vocabulary.apps.first?.name ?? ""), "The app they use.")
        // An unknown app has no designs to choose from, and has been reported.
        let known = read.isSound("app") ? vocabulary.app(named: app) : nil
        design = read(
            "design", .words(known.map { $0.designs + $0.presets }, described: vocabulary.designs),
            otherwise: "asBuilt",
            "Which token design the app has.")
        retries = read(
            "retries", .choice(Profile.Retries.self), otherwise: "none",
            "How calls that fail otherwise are sent again, beside what the app's own code does.")
        let kind = read.isSound("retries") ? retries : nil
        retryPolicy = read(
            "retryPolicy", .section { Profile.RetryPolicy(&$0, of: kind) }, otherwise: [:],
            "How often and after how long; says nothing where retries is \"none\".")
        if retries == .none, read.keys.contains("retryPolicy"), read.isSound("retries") {
            let others = Profile.Retries.allCases.filter { $0 != .none }.map(\.rawValue)
            read.refuse(
                "retryPolicy",
                "says nothing while retries is \"none\"; let retries be one of"
                    + " \(others.joined(separator: ", "))")
        }
        users = read("users", .integer(Profile.usersRange), "The number of users.")
        journeys = read(
            "journeys", Profile.JourneyWeight.format(known, vocabulary),
            "What they come for: journeys and how often each is chosen.")
        load = read(
            "load", Profile.Load.format(vocabulary), otherwise: ["closed": [:]],
            "What makes them begin a journey; a closed load by default.")
        thinkTime = read(
            "thinkTime", .distribution(0...Span.day),
            otherwise: ["exponential": ["mean": "8s"]], "Pause between two steps of a journey.")
        let steps = known.map { [$0] } ?? vocabulary.apps
        thinkTimes = read(
            "thinkTimes",
            .each(
                of: Set(steps.flatMap(\.journeys).flatMap(\.steps).map(\.name)).sorted(),
                called: "steps", .distribution(0...Span.day)), otherwise: [:],
            "Pauses after some steps, where they differ.")
        away = read(
            "away", .distribution(0...Span.year),
            otherwise: ["exponential": ["mean": "3m"]], "Time between two journeys.")
        arriveOverNanoseconds = read(
            "arriveOver", .duration(0...Span.year), otherwise: "60s",
            "They arrive evenly within this time.")
        patienceNanoseconds = read(
            "patience", .duration(Span.second...Span.day), otherwise: "90s",
            "How long they watch a step that does not end before they give up.")
        startsSignedIn = read(
            "startsSignedIn", .flag, otherwise: .bool(true),
            "Whether they signed in before the run."
        )
        initialTokens = read(
            "initialTokens", .choice(Profile.InitialTokens.self), otherwise: "fresh",
            "State of the access token they arrive with; aged: as after a long time of the same.")
        tokenLife = read.optional(
            "tokenLife", .distribution(0...Span.year),
            "With aged tokens, their remaining lifetime at a user's first visit; 0s is expired. By"
                + " default it follows from think times, absences and lifetimes.")
        checkStages(&read)
    }

    /// A stage of a closed load cannot have more users than there are.
    private func checkStages(_ read: inout SettingsReader) {
        guard case .closed(_, let stages) = load, read.isSound("users") else { return }
        for (index, stage) in stages.enumerated() where stage.users > users {
            let path = read.path.appending("load").appending("closed").appending("stages")
            read.refuse(
                path.appending(index).appending("users"),
                "must be at most the population's \(Units.grouped(users)) users,"
                    + " got \(Units.grouped(stage.users))")
        }
    }
}

extension Profile.RetryPolicy {
    /// Reads the policy of a kind of retries; nil where that kind is not known.
    init(_ read: inout SettingsReader, of kind: Profile.Retries?) {
        limit = read(
            "limit", .integer(0...100), otherwise: 2,
            "How often a call is sent again at most, after its first time.")
        firstDelayNanoseconds = read(
            "firstDelay", .duration(0...Span.hour), otherwise: "500ms",
            "Delay before the first retry.")
        factor = read(
            "factor", .integer(2...10), otherwise: 2, "What each delay is times the one before.")
        longestDelayNanoseconds = read.optional(
            "longestDelay", .duration(0...Span.day), "No delay is longer; unbounded by default.")
        heedsRetryAfter = read.optional(
            "heedsRetryAfter", .flag,
            "Whether no retry is sent before the Retry-After of a response; only budgeted retries"
                + " heed it by default.")
        budget = read(
            "budget", .number(0...10), otherwise: .number(0.1),
            "With budgeted retries, how many of them each request earns.")
        savings = read(
            "savings", .integer(0...1_000), otherwise: 1,
            "With budgeted retries, how many are saved up at most, and at the beginning.")
        opensAfter = read(
            "opensAfter", .integer(1...1_000), otherwise: 5,
            "With a breaker, how many attempts in a row without a response, or with 429 or 5xx,"
                + " open it.")
        openNanoseconds = read(
            "openFor", .duration(Span.millisecond...Span.day), otherwise: "30s",
            "With a breaker, how long calls are then refused, before one is sent to try.")
        guard let kind, kind != .none else { return }
        let owned: KeyValuePairs<String, Profile.Retries> = [
            "budget": .budgeted, "savings": .budgeted, "opensAfter": .breaker, "openFor": .breaker,
        ]
        for (key, owner) in owned where owner != kind && read.keys.contains(key) {
            read.refuse(
                key,
                "says nothing while retries is \"\(kind.rawValue)\"; let retries be"
                    + " \(owner.rawValue), or leave it out")
        }
    }
}

extension Profile.Population {
    /// Makes the interceptor that every session asks after its own, such as a retry policy;
    /// stateless ones are shared.
    var commonInterceptor: (@Sendable () -> any RequestInterceptor)? {
        switch retries {
        case .none: return nil
        case .naive:
            let policy = retryPolicy.made { _ in }
            return { policy }
        case .jittered:
            let policy = retryPolicy.made { $0.jitter = .full }
            return { policy }
        case .adaptive:
            let policy = retryPolicy.made { $0.jitter = .full }
            return { Interceptor(interceptors: [AdaptiveThrottling(), policy]) }
        case .breaker:
            let rules = retryPolicy
            return {
                CircuitBreaker(
                    opensAfter: Int(rules.opensAfter), forNanoseconds: rules.openNanoseconds,
                    policy: rules.made { $0.jitter = .full })
            }
        case .budgeted:
            let rules = retryPolicy
            return {
                rules.made {
                    $0.jitter = .full
                    $0.respectsRetryAfter = true
                    $0.budget = RetryBudget(ratio: rules.budget, capacity: Int(rules.savings))
                }
            }
        }
    }
}

extension Profile.RetryPolicy {
    /// A policy with these limits and delays.
    fileprivate func made(_ change: (inout RetryPacing) -> Void) -> RetryPolicy {
        RetryPolicy(
            retryLimit: UInt(limit), exponentialBackoffBase: UInt(factor),
            exponentialBackoffScale: Double(firstDelayNanoseconds) / 1e9,
            pacing: RetryPacing {
                $0.maximumDelay = longestDelayNanoseconds.map { Double($0) / 1e9 }
                change(&$0)
                $0.respectsRetryAfter = heedsRetryAfter ?? $0.respectsRetryAfter
            })
    }
}

extension Profile.Population {
    /// The pause after a step.
    public func thinkTime(after step: StepDescription) -> Distribution {
        thinkTimes.isEmpty ? thinkTime : thinkTimes[step.name] ?? thinkTime
    }

    /// The first setting of users' habits that differs from another population's; nil when both can
    /// be the same people.
    func difference(to other: Profile.Population) -> String? {
        let settings: [(String, Bool)] = [
            ("app", app == other.app), ("users", users == other.users),
            ("journeys", journeys == other.journeys), ("load", load == other.load),
            ("thinkTime", thinkTime == other.thinkTime),
            ("thinkTimes", thinkTimes == other.thinkTimes), ("away", away == other.away),
            ("arriveOver", arriveOverNanoseconds == other.arriveOverNanoseconds),
            ("patience", patienceNanoseconds == other.patienceNanoseconds),
            ("startsSignedIn", startsSignedIn == other.startsSignedIn),
        ]
        return settings.first { !$0.1 }?.0
    }
}
