public import SquallApps
import SquallBackend
import SquallFormat
import SquallServices

extension ProfileVocabulary {
    /// The vocabulary with the calls and apps that a document declares.
    ///
    /// Problems with them are found when the profile is read. Here everything readable is used, so
    /// that a service without calls is one problem and not another one for each app.
    func extended(by document: JSONNode) -> ProfileVocabulary {
        var ignored = SettingProblems()
        let service = document["backend"]?["service"].map {
            DeclaredService.format.value(of: $0, &ignored)
        }
        guard let service, case .object(let said)? = document["backend"]?["service"]?.value,
            !said.isEmpty
        else {
            return self
        }
        let apps = DeclaredApps(
            service: service.isDeclared ? service : nil, taken: apps.map(\.name))
        let plans = document["apps"].map { apps.format.value(of: $0, &ignored) } ?? []
        var extended = self
        extended.table = ReadOnce()
        extended.apps += plans.filter { !$0.name.isEmpty }.map(AppDescription.init)
        extended.endpoints = service.calls.map(\.name)
        extended.declaredApps = apps.format.checking
        return extended
    }
}

extension Profile {
    /// The app of a name: declared by the profile, or built in.
    public func app(named name: String) -> AppDescription? {
        declaredApps.first { $0.name == name } ?? AppRegistry.app(named: name)
    }

    /// The apps that the profile declares, in its order.
    public var declaredApps: [AppDescription] { declaredPlans.map(AppDescription.init) }

    /// The apps that the profile declares, as plans.
    public var declaredPlans: [DeclaredAppPlan] {
        let service = ServicesPlan(backend).declared
        guard service.isDeclared else { return [] }
        return apps.value(as: DeclaredApps(service: service, taken: []).format)
    }
}
