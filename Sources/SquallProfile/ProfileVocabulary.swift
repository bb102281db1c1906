public import SquallFormat

/// What a profile may speak of and does not know itself: names of apps and endpoints, and the
/// settings that distributions, arrivals, faults and services bring along.
public struct ProfileVocabulary: Sendable {
    /// What can be simulated; the first is the default.
    public let apps: [App]
    /// The server's endpoints.
    public let endpoints: [String]
    /// A distribution whose parameters lie in a range of nanoseconds.
    public let distribution: @Sendable (ClosedRange<Int64>) -> SettingFormat<CheckedSetting>
    /// The laws that a distribution can have.
    public let laws: SettingFormat<CheckedSetting>
    /// The shapes of arrivals, in the order of the reference.
    public let arrivals: [ArrivalShape]
    /// The kinds of faults, in the order of the reference.
    public let faults: [FaultKind]
    /// The settings of services, which stand in the section of the backend.
    public let services: [Setting<CheckedSetting>]
    /// What can be expected of a run.
    public let expectations: any ExpectationGrammar
    /// Why a backend cannot serve an app, by its name; nil when it can.
    public let unserved: @Sendable (_ app: String, Profile.Backend) -> String?
    /// What a profile may say of apps of its own.
    public let declaredApps: SettingFormat<CheckedSetting>
    private let extended: @Sendable (ProfileVocabulary, JSONNode) -> ProfileVocabulary

    /// The names of one app.
    public struct App: Hashable, Sendable {
        /// The app's name.
        public let name: String
        /// Its token designs; the first is the default.
        public let designs: [String]
        /// Its journeys.
        public let journeys: [Journey]

        /// An app and its names.
        public init(name: String, designs: [String], journeys: [Journey]) {
            self.name = name
            self.designs = designs
            self.journeys = journeys
        }
    }

    /// The names of one journey.
    public struct Journey: Hashable, Sendable {
        /// The journey's name.
        public let name: String
        /// Its steps.
        public let steps: [String]

        /// A journey and its names.
        public init(name: String, steps: [String]) {
            self.name = name
            self.steps = steps
        }
    }

    /// A law that the rate of arriving sessions follows for a while.
    public struct ArrivalShape: Sendable {
        /// Its name and settings.
        public let setting: Setting<CheckedSetting>
        /// Why sessions cannot arrive at random, where they cannot.
        public let needsEvenSpacing: String?

        /// A shape with its settings.
        public init(_ setting: Setting<CheckedSetting>, needsEvenSpacing: String?) {
            self.setting = setting
            self.needsEvenSpacing = needsEvenSpacing
        }
    }

    /// A kind of fault.
    public struct FaultKind: Sendable {
        /// Its name.
        public let name: String
        /// The settings that are its own.
        public let settings: SettingFormat<CheckedSetting>
        /// Which of the common settings mean something for it.
        public let takes: [Profile.Fault.Aspect]

        /// A kind with its settings.
        public init(
            name: String, settings: SettingFormat<CheckedSetting>,
            takes: [Profile.Fault.Aspect]
        ) {
            self.name = name
            self.settings = settings
            self.takes = takes
        }
    }

    /// The words of these apps, endpoints and brought settings.
    ///
    /// - Precondition: there is at least one app, and each has at least one design.
    public init(
        apps: [App], endpoints: [String],
        distribution: @escaping @Sendable (ClosedRange<Int64>) -> SettingFormat<CheckedSetting>,
        laws: SettingFormat<CheckedSetting>, arrivals: [ArrivalShape], faults: [FaultKind],
        services: [Setting<CheckedSetting>], expectations: any ExpectationGrammar,
        unserved: @escaping @Sendable (_ app: String, Profile.Backend) -> String? = { _, _ in nil },
        declaredApps: SettingFormat<CheckedSetting>,
        extended: @escaping @Sendable (ProfileVocabulary, JSONNode) -> ProfileVocabulary
    ) {
        precondition(!apps.isEmpty && apps.allSatisfy { !$0.designs.isEmpty })
        self.apps = apps
        self.endpoints = endpoints
        self.distribution = distribution
        self.laws = laws
        self.arrivals = arrivals
        self.faults = faults
        self.services = services
        self.expectations = expectations
        self.unserved = unserved
        self.declaredApps = declaredApps
        self.extended = extended
    }

    /// The words that a document may use: these, and those that it declares itself.
    func extended(by document: JSONNode) -> ProfileVocabulary { extended(self, document) }

    /// The same with more apps, other endpoints, and apps read with those endpoints in mind.
    public func declaring(
        _ more: [App], endpoints: [String], format: SettingFormat<CheckedSetting>
    ) -> ProfileVocabulary {
        ProfileVocabulary(
            apps: apps + more, endpoints: endpoints, distribution: distribution, laws: laws,
            arrivals: arrivals, faults: faults, services: services, expectations: expectations,
            unserved: unserved, declaredApps: format, extended: extended)
    }

    func app(named name: String) -> App? { apps.first { $0.name == name } }

    /// All designs of all apps, each once, in order of appearance.
    public var designs: [String] {
        apps.flatMap(\.designs).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// The name of one of the server's endpoints.
    var endpoint: SettingFormat<String> {
        SettingFormat.words(endpoints).described(as: "name of an endpoint")
    }

    /// The name of an app's design; any text where the app is unknown.
    func design(of app: App?) -> SettingFormat<String> {
        .words(app?.designs, described: designs)
    }
}
