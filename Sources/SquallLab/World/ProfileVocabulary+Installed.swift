import SquallApps
import SquallBackend
import SquallFormat
import SquallKernel
import SquallReport
import SquallServices

extension ProfileVocabulary {
    /// The vocabulary with the installed apps.
    public static let installed = ProfileVocabulary(
        apps: AppRegistry.all + AppRegistry.specimens,
        endpoints: ServiceKind.all.flatMap(\.endpoints).map(\.name))
}

extension Profile.Backend {
    /// Why it cannot serve an app, by its name; nil when it can.
    ///
    /// An app speaks with the server of one generation, which a backend may not have.
    func problem(servingApp name: String) -> String? {
        guard let app = AppRegistry.app(named: name), !app.origin.isEmpty else { return nil }
        let plan = ServicesPlan(self)
        let origins = ServiceKind.mounted(by: plan).flatMap { $0.origins(plan) }
        guard !origins.contains(app.origin) else { return nil }
        if plan.declared.isDeclared {
            return "it speaks with \(app.origin), and /backend/service stands in the place of all"
                + " built-in servers; declare the app as well, in /apps"
        }
        return "it speaks with \(app.origin), and this backend serves"
            + " \(origins.joined(separator: ", ")); let /backend/generation be another, or \"both\""
    }
}
