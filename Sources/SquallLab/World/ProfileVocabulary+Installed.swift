import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel
public import SquallProfile
import SquallReport
import SquallServices

extension ProfileVocabulary {
    /// The words that the apps at hand add to a profile's.
    public static let installed = ProfileVocabulary(
        apps: (AppRegistry.all + AppRegistry.specimens).map { App($0) },
        endpoints: ServiceKind.all.flatMap(\.endpoints).map(\.name))

    /// The words of these apps and endpoints, and every setting that this package brings.
    public init(apps: [App], endpoints: [String]) {
        self.init(
            apps: apps, endpoints: endpoints,
            distribution: { SettingFormat.distribution($0).checking },
            laws: Distribution.lawFormat().checking, arrivals: ArrivalShapes.vocabulary,
            faults: FaultFormat.all.map(FaultKind.init),
            services: ServiceKind.all.flatMap(\.settings), expectations: ThresholdGrammar(),
            unserved: ProfileVocabulary.unserved,
            declaredApps: DeclaredApps(service: nil, taken: []).format.checking,
            extended: ProfileVocabulary.extended)
    }
}

extension ProfileVocabulary {
    /// An app speaks with the server of one generation, which a backend may not have.
    private static func unserved(app name: String, by backend: Profile.Backend) -> String? {
        guard let app = AppRegistry.app(named: name), !app.origin.isEmpty else { return nil }
        let plan = ServicesPlan(backend)
        let origins = ServiceKind.mounted(by: plan).flatMap { $0.origins(plan) }
        guard !origins.contains(app.origin) else { return nil }
        if plan.declared.isDeclared {
            return "it speaks with \(app.origin), and /backend/service stands in the place of all"
                + " built-in servers; declare the app as well, in /apps"
        }
        return "it speaks with \(app.origin), and this backend answers at"
            + " \(origins.joined(separator: ", ")); let /backend/generation be another, or \"both\""
    }
}

extension ProfileVocabulary.FaultKind {
    fileprivate init(_ format: FaultFormat) {
        let takes: [Profile.Fault.Aspect] =
            switch format.reach {
            case .everybodyAtOnce: []
            case .usersAtOnce: [.app, .users]
            case .server: [.lasts]
            case .attempts: [.lasts, .app, .users, .probability, .endpoints]
            case .attemptsOfItsOwn: [.lasts, .app, .users, .probability]
            }
        self.init(name: format.name, settings: format.settings, takes: takes)
    }
}
