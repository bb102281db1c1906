public import SquallApps
import SquallFormat

/// The apps and endpoints that a profile may name.
public struct ProfileVocabulary: Sendable {
    /// The apps; the first is the default.
    public internal(set) var apps: [AppDescription]
    /// The server's endpoints.
    var endpoints: [String]
    /// The format of apps that a profile declares.
    var declaredApps = DeclaredApps(service: nil, taken: []).format.checking

    /// The words of these apps and endpoints.
    ///
    /// - Precondition: there is at least one app, and each has at least one design.
    public init(apps: [AppDescription], endpoints: [String]) {
        precondition(!apps.isEmpty && apps.allSatisfy { !$0.designs.isEmpty })
        self.apps = apps
        self.endpoints = endpoints
    }

    func app(named name: String) -> AppDescription? { apps.first { $0.name == name } }

    /// All designs of all apps, each once, in order of appearance.
    public var designs: [String] {
        apps.flatMap(\.designs).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// All journeys of all apps, each once, sorted.
    var journeys: [String] { Set(apps.flatMap(\.journeys).map(\.name)).sorted() }
}
