import SquallApps
public import SquallBackend
import SquallFormat
public import SquallRaces
import SquallReport
import SquallServices

/// The description of an experiment: which users, which backend, for how long, with which
/// expectations.
///
/// **Start here** to read this module. A profile is a JSON file with comments. Each of its sections
/// is a struct, and its initialiser is its part of the table of settings: key, range, default and
/// meaning stand there and nowhere else. Reading, validation, schema, reference and overrides
/// follow from it (see ``SettingsReader``). The ``ProfileVocabulary`` brings the formats of
/// distributions, faults and services' settings.
public struct Profile: Hashable, Sendable {
    /// The question that the run is to answer, for readers; may be empty.
    public var question: String
    /// The seed of everything that is random.
    public var seed: UInt64
    /// The virtual time that the run lasts.
    public var durationNanoseconds: Int64
    /// The list of apps that it declares itself.
    var apps: CheckedSetting
    /// Groups of users who behave alike; at least one.
    public var populations: [Population]
    /// The part of the run that is not measured.
    public var warmUp: WarmUp
    /// The time that steps under way at the end get to finish.
    public var drainNanoseconds: Int64
    /// The backend that the users call.
    public var backend: Backend
    /// True if the server keeps encoded parts of responses; no result depends on it.
    public var cachesEncoding: Bool
    /// True if clients share decoded responses; no result depends on it.
    public var cachesDecoding: Bool
    /// The expectations of the run, in the file's order.
    public var expectations: [Expectation]
    /// Settings that were computed from a log, with their possible errors.
    public var fitted: [Fitted]
    /// Settings that a draft or a fit assumed, and nothing gave or measured since.
    public var assumed: [Assumed]
    /// The interval of the time series as set; nil for one that fits the duration.
    private var statedIntervalNanoseconds: Int64?
    /// True for a run that also writes its time series as `openmetrics.txt`.
    public let writesOpenMetrics: Bool

    /// The virtual time that one row of the time series covers; whole milliseconds.
    ///
    /// By default a second; in runs of more than a day longer, so that there are no more rows than
    /// a day has seconds.
    public var timeseriesIntervalNanoseconds: Int64 {
        let seconds = (durationNanoseconds + Span.day - 1) / Span.day
        return statedIntervalNanoseconds ?? max(1, seconds) * Span.second
    }
    /// The search for races; `nil` for the standard one.
    public var explore: ExplorationSettings?

    static let rowsMax: Int64 = 1_000_000

    /// The range of a run's duration: one second to a year.
    public static let durationRange = Span.second...Span.year

    /// The range of the number of users of a population, and of all of them together.
    public static let usersRange: ClosedRange<Int64> = 1...10_000_000

    /// The users of all populations together.
    public var users: Int64 { populations.reduce(0) { $0 + $1.users } }
}

extension Profile {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        _ = read.optional(
            "$schema", .text(0...500),
            "Where an editor finds the schema of this format; runs ignore it.")
        let _: Int = read("schemaVersion", .integer(1...1), "Version of this format.")
        question = read("question", .text(0...500), otherwise: "", "What the run is to find out.")
        seed = read("seed", .seed, otherwise: 1, "The seed of all random numbers.")
        durationNanoseconds = read(
            "duration", .duration(Profile.durationRange), otherwise: "10m",
            "Virtual time the run lasts.")
        apps = read(
            "apps", vocabulary.declaredApps, otherwise: [],
            "Apps of your own, over the calls of /backend/service.")
        populations = read(
            "populations", .list(of: .section { Population(&$0, vocabulary) }, 1...100),
            "Groups of users with the same app, journeys and pauses.")
        warmUp =
            read.optional(
                "warmUp", WarmUp.format,
                "Which part of the beginning is not measured; all of it is by default.")
            ?? WarmUp.none
        drainNanoseconds = read(
            "drain", .duration(0...Span.day), otherwise: "5m",
            "How long steps under way at the end may take to finish.")
        backend = read(
            "backend", .section { Backend(&$0, vocabulary) }, otherwise: [:],
            "The backend: server, tokens, data and faults.")
        (cachesEncoding, cachesDecoding) = read(
            "caches", .section { Profile.caches(&$0) }, otherwise: [:],
            "Shortcuts that change the speed of a run, never its result.")
        expectations = read(
            "thresholds", Expectation.format(vocabulary), otherwise: [:],
            "Thresholds by metric, such as \"step_duration{step:episode}\": [\"p(95)<1s\"].")
        (statedIntervalNanoseconds, writesOpenMetrics) = read(
            "output", .section { Profile.written(&$0) }, otherwise: [:],
            "What is written about the run.")
        fitted = read(
            "fitted", Fitted.format, otherwise: [:],
            "How far what squall fit found may be off, in 95 of 100 cases: factors by key path,"
                + " drawn by --fitted-uncertainty.")
        assumed = read(
            "assumed", Assumed.format, otherwise: [:],
            "Settings that squall new or fit could not know, each with the value written for it;"
                + " one that was changed since is given.")
        explore = read.optional(
            "explore", .section { ExplorationSettings(&$0) },
            "What squall explore does: who acts when, how much is tried and what must hold.")
        namePopulations(&read)
        checkHabits(read: &read)
        checkUsers(&read)
        checkRows(&read)
        checkExploration(&read, vocabulary)
        checkMoments(read: &read)
        checkExpectations(read: &read, vocabulary)
        checkServers(&read)
        checkDeclaredApps(&read)
    }

    private static func caches(_ read: inout SettingsReader) -> (Bool, Bool) {
        (
            read(
                "encoding", .flag, otherwise: .bool(true),
                "The server keeps encoded parts of responses."),
            read("decoding", .flag, otherwise: .bool(true), "Clients share decoded responses.")
        )
    }

    private static func written(
        _ read: inout SettingsReader
    ) -> (interval: Int64?, openMetrics: Bool) {
        let interval = read.optional(
            "timeseriesInterval", .duration(100 * Span.millisecond...Span.hour),
            "Virtual time that one row of the time series covers; 1s by default, and in a run of"
                + " more than a day a second for each begun day.")
        if let interval, interval % Span.millisecond != 0 {
            read.refuse(
                "timeseriesInterval",
                "must be whole milliseconds, got \(Units.exact(nanoseconds: interval))")
        }
        return (
            interval,
            read(
                "openMetrics", .flag, otherwise: .bool(false),
                "Whether openmetrics.txt is written, too: the time series for Prometheus' backfill."
            )
        )
    }
}

extension Profile {
    /// The backend: the server, its network and its faults.
    public struct Backend: Hashable, Sendable {
        /// Lifetimes of tokens, and what a refresh does to them.
        public var tokens: TokenPolicy
        /// The way to the server.
        public var network: NetworkPlan
        /// The capacity of the server.
        public var server: ServerPlan
        /// The faults of the run, in the file's order.
        public var faults: [FaultSetting]
        private var services: [String: CheckedSetting] = [:]

        /// The value of a service's setting.
        ///
        /// - Precondition: the vocabulary had the setting when the profile was read.
        func value<Value>(of setting: Setting<Value>) -> Value {
            guard let checked = services[setting.key] else {
                preconditionFailure("the profile was read without the setting \(setting.key)")
            }
            return checked.value(as: setting.format)
        }

        var declaresService: Bool { services["service"]?.isEmptyObject == false }
    }
}

extension Profile.Backend {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        tokens = read(
            "tokens", .section { TokenPolicy(&$0) }, otherwise: [:],
            "Lifetimes of tokens, and what a refresh does to them.")
        network = read(
            "network", .section { NetworkPlan(&$0) }, otherwise: [:],
            "The way to the server.")
        server = read(
            "server", .section { ServerPlan(&$0, endpoints: vocabulary.endpoints) }, otherwise: [:],
            "The server's workers, service times, queue, pools and database.")
        for service in ServiceKind.all.flatMap(\.settings) { services[service.key] = read(service) }
        faults = read(
            "faults",
            .list(
                of: .section {
                    let apps = vocabulary.apps.map(\.name)
                    return FaultSetting(&$0, endpoints: vocabulary.endpoints, apps: apps)
                }, 0...1_000), otherwise: [], "What is done to the server during the run.")
    }
}

extension Profile {
    /// The part of a run that is not measured, because it is not yet steady.
    public enum WarmUp: Hashable, Sendable {
        /// Everything is measured.
        case none
        /// A span from the beginning.
        case first(nanoseconds: Int64)
        /// The span that the MSER-5 rule finds in a separate run.
        case mser5
    }
}

extension Profile.WarmUp {
    static var format: SettingFormat<Profile.WarmUp> {
        .oneOf([
            Setting(
                "for", SettingFormat.duration(0...Span.year),
                "So much of the beginning is not measured."
            ).map { .first(nanoseconds: $0) },
            Setting(
                "rule", SettingFormat.words(["mser5"]),
                "The run is made twice: first to find where MSER-5 ends the warm-up."
            ).map { (_: String) in .mser5 },
        ])
    }
}

extension Profile {
    /// The profile with this many users in total, shared among populations as before.
    ///
    /// Stages of a closed load shrink or grow with their population, and so do the rates of an open
    /// or partly open one: twice the users are twice the sessions a second. Every population keeps
    /// at least one user. Rounding favours the largest remainders, earlier populations first, so
    /// the total is exact and always the same.
    ///
    /// - Precondition: `total` is at least the number of populations.
    public func scaled(toUsers total: Int64) -> Profile {
        precondition(
            total >= populations.count,
            "\(populations.count) populations cannot share \(total) users")
        let weights = populations.map { Int128($0.users) }
        let sum = weights.reduce(0, +)
        var shares = weights.map { Int64($0 * Int128(total) / sum) }
        let remainders = weights.map { $0 * Int128(total) % sum }
        let missing = Int(total - shares.reduce(0, +))
        let order = remainders.indices.sorted { (-remainders[$0], $0) < (-remainders[$1], $1) }
        order.prefix(missing).forEach { shares[$0] += 1 }
        for index in shares.indices where shares[index] == 0 {
            let largest = shares.indices.reduce(0) { shares[$1] > shares[$0] ? $1 : $0 }
            shares[largest] -= 1
            shares[index] = 1
        }
        var scaled = self
        scaled.assumed.removeAll(where: \.isOfLoad)
        for (index, share) in shares.enumerated() {
            scaled.populations[index].load.scale(by: share, of: populations[index].users)
            scaled.populations[index].users = share
        }
        return scaled.lasting(asTracesOf: self)
    }
}

extension Profile.Load {
    fileprivate mutating func scale(by part: Int64, of whole: Int64) {
        guard case .closed(let pacing, let stages) = self else {
            return changeArrivals { $0.factor *= Double(part) / Double(whole) }
        }
        let scaled = stages.map { stage in
            let users = Int64(Int128(stage.users) * Int128(part) / Int128(whole))
            return Profile.UserStage(users: users, nanoseconds: stage.nanoseconds)
        }
        self = .closed(pacingNanoseconds: pacing, stages: scaled)
    }
}

extension Profile {
    /// Refuses an expectation of a population, app, journey or step that does not occur: it would
    /// hold or fail whatever the run does.
    func checkExpectations(read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        guard read.isSound("populations") else { return }
        let apps = Set(populations.map(\.app)).compactMap(vocabulary.app(named:))
        let journeys = apps.flatMap(\.journeys)
        var seen: Set<String> = []
        for metric in expectations.map(\.metric) where seen.insert(metric).inserted {
            let path = read.path.appending("thresholds").appending(metric)
            guard read.isSound(at: path) else { continue }
            guard let names = try? MetricKey(parsing: metric, among: .installed) else { continue }
            let steps = journeys.filter { names[.journey] == nil || $0.name == names[.journey] }
                .flatMap(\.steps).map(\.name)
            let problem =
                missing("population", names[.population], among: populations.map(\.name))
                ?? missing("app of a population", names[.app], among: apps.map(\.name))
                ?? missing("journey of these apps", names[.journey], among: journeys.map(\.name))
                ?? missing("step of these journeys", names[.step], among: steps)
            if let problem { read.report(.threshold, at: path, problem) }
        }
    }

    private func missing(_ noun: String, _ name: String?, among known: [String]) -> String? {
        guard let name, !known.contains(name) else { return nil }
        let known = Set(known).sorted()
        return "no \(noun) is called '\(name)'." + Spelling.hint(for: name, among: known)
            + Spelling.known(known)
    }
}
