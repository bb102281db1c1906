public import SquallFormat

/// The names of apps and endpoints that a profile may use.
public struct ProfileVocabulary: Sendable {
    /// The apps; the first is the default.
    public let apps: [App]
    /// The server's endpoints.
    public let endpoints: [String]
    /// The format of apps that a profile declares.
    public let declaredApps: SettingFormat<CheckedSetting>

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

    /// The words of these apps and endpoints.
    ///
    /// - Precondition: there is at least one app, and each has at least one design.
    public init(apps: [App], endpoints: [String]) {
        self.init(
            apps: apps, endpoints: endpoints,
            declaredApps: DeclaredApps(service: nil, taken: []).format.checking)
    }

    private init(
        apps: [App], endpoints: [String], declaredApps: SettingFormat<CheckedSetting>
    ) {
        precondition(!apps.isEmpty && apps.allSatisfy { !$0.designs.isEmpty })
        self.apps = apps
        self.endpoints = endpoints
        self.declaredApps = declaredApps
    }

    /// The same with more apps, other endpoints, and apps read with those endpoints known.
    func declaring(
        _ more: [App], endpoints: [String], format: SettingFormat<CheckedSetting>
    ) -> ProfileVocabulary {
        ProfileVocabulary(apps: apps + more, endpoints: endpoints, declaredApps: format)
    }

    func app(named name: String) -> App? { apps.first { $0.name == name } }

    /// All designs of all apps, each once, in order of appearance.
    public var designs: [String] {
        apps.flatMap(\.designs).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// The name of an app's design; any text where the app is unknown.
    func design(of app: App?) -> SettingFormat<String> {
        .words(app?.designs, described: designs)
    }
}
