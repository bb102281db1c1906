import SquallApps
import SquallBackend
import SquallClient
import SquallKernel

/// Puts apps on users' devices.
struct Installer {
    let simulation: Simulation
    let backend: Backend
    let recorder: Recorder
    let random: SimulatedRandomness
    let page: ProviderPage
    let identity: StreamIdentity

    /// One for each population; they differ only in the library's version and its retries.
    func environments(of plan: WorldPlan) -> [SessionEnvironment] {
        let decoder: any DataDecoder =
            plan.sharesDecoding
            ? RememberingDecoder(SharingJSONDecoder()) : FoundationJSONDecoder()
        return plan.populations.map { population in
            var configuration = SessionConfiguration()
            configuration.commonInterceptor = population.habits.commonInterceptor
            return SessionEnvironment(
                transport: backend.transport, time: simulation,
                random: random, decoder: decoder,
                eventMonitors: [ClientTap(recorder: recorder)],
                behaviour: population.habits.behaviour, configuration: configuration)
        }
    }

    func services(
        for app: AppDescription, _ environment: SessionEnvironment
    ) -> DeviceServices {
        DeviceServices(
            environment: environment, paymentPage: page,
            isRefresh: { [backend] in backend.endpoint(of: $0).role == .refresh }
        ) { [backend] user in
            let (email, password) = backend.credentials(of: user, at: app.origin)
            return Credentials(email: email, password: password)
        }
    }

    func install(_ user: Int, _ population: Population) -> any InstalledApp {
        let device = Device(services: population.services, user: UInt64(user))
        let app = population.app.install(device, population.habits.design)
        if population.habits.startsSignedIn {
            let account = backend.signIn(
                user: UInt64(user), at: population.app.origin,
                accessLifetime: tokenLife(of: user, population))
            app.restore(StoredAccount(account))
        }
        return app
    }

    /// How long the access token that a user brings along is still good; `nil` for a whole life.
    private func tokenLife(of user: Int, _ population: Population) -> Int64? {
        switch population.habits.initialTokens {
        case .fresh: nil
        case .expired: 0
        case .aged: population.ages?.lifeLeft(of: identity.key(of: UInt64(user)))
        }
    }
}
