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
        apps: (AppRegistry.all + AppRegistry.specimens).map { app in
            App(
                name: app.name, designs: app.designs,
                journeys: app.journeys.map { journey in
                    Journey(name: journey.name, steps: journey.steps.map(\.name))
                })
        }, endpoints: ServiceKind.all.flatMap(\.endpoints).map(\.name))

    /// The words of these apps and endpoints, and every setting that this package brings.
    public init(apps: [App], endpoints: [String]) {
        self.init(
            apps: apps, endpoints: endpoints,
            distribution: { SettingFormat.distribution($0).checking },
            laws: Distribution.lawFormat().checking, arrivals: ArrivalShapes.vocabulary,
            faults: FaultFormat.all.map(FaultKind.init),
            services: ServiceKind.all.flatMap(\.settings), expectations: ThresholdGrammar(),
            unserved: ProfileVocabulary.unserved)
    }
}

extension ProfileVocabulary {
    /// An app speaks with the server of one generation, which a backend may not have.
    private static func unserved(app name: String, by backend: Profile.Backend) -> String? {
        guard let app = AppRegistry.app(named: name), !app.origin.isEmpty else { return nil }
        let origins = ServiceKind.all.flatMap { $0.origins(ServicesPlan(backend)) }
        guard !origins.contains(app.origin) else { return nil }
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
