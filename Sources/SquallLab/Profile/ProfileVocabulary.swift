/// The names a profile may use for apps and what is done with them.
public struct ProfileVocabulary: Hashable, Sendable {
    /// What can be simulated; the first is the default.
    public let apps: [App]
    /// The server's endpoints.
    public let endpoints: [String]

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

    /// The names of these apps, and of the server's endpoints.
    ///
    /// - Precondition: there is at least one app, and each has at least one design.
    public init(apps: [App], endpoints: [String] = []) {
        precondition(!apps.isEmpty && apps.allSatisfy { !$0.designs.isEmpty })
        self.apps = apps
        self.endpoints = endpoints
    }

    func app(named name: String) -> App? { apps.first { $0.name == name } }

    /// All designs of all apps, each once, in order of appearance.
    var designs: [String] {
        apps.flatMap(\.designs).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }
}
