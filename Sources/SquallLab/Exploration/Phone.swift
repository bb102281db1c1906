public import SquallApps
import SquallBackend
public import SquallClient
public import SquallHTTP
import SquallKernel
import Synchronization

/// A phone with an app that can be killed and started again; for worlds of one or a few phones.
public final class Phone: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    /// The phone's clock, which its user can set.
    public let clock: PhoneClock
    /// Every start of the app; the last one is alive.
    public private(set) var lives: [(app: any InstalledApp, environment: SessionEnvironment)] = []
    private let installer: Installer
    private let population: PopulationPlan
    private let decoder: any DataDecoder
    /// The account that it got before the run.
    private var account: StoredAccount?

    /// The phone of one of a population's users, on which no app has been started.
    public init(
        _ installer: Installer, _ population: PopulationPlan,
        decoder: any DataDecoder = FoundationJSONDecoder()
    ) {
        self.installer = installer
        self.population = population
        self.decoder = decoder
        clock = PhoneClock(installer.simulation)
    }

    /// The app that is alive.
    ///
    /// - Precondition: it was started.
    public var app: any InstalledApp { lives[lives.count - 1].app }

    /// Starts the app: the first time without an account, later with the tokens that its last start
    /// has stored.
    ///
    /// - Parameters:
    ///   - user: the owner of its requests and its code.
    ///   - network: the transport of its requests; they have numbers that no other start's have.
    ///   - monitors: the observers of its requests.
    ///   - signsIn: the number of the account that its user signs in with.
    public func start(
        as user: UInt64, over network: any Transport, monitors: [any EventMonitor] = [],
        signsIn: @escaping @Sendable (_ user: UInt64) -> UInt64 = { $0 }
    ) {
        let environment = installer.environment(
            of: population.settings, over: LifeTransport(network, life: lives.count), time: clock,
            monitors: monitors, decoder: decoder)
        let device = Device(
            services: installer.services(for: population.app, environment, account: signsIn),
            user: user)
        let app = population.app.install(device, population.settings.design)
        let kept = lives.last?.app.storedTokens
        lives.append((app, environment))
        guard let kept, !kept.access.isEmpty || !kept.refresh.isEmpty else { return }
        restore(
            StoredAccount(
                userID: account?.userID ?? "", email: device.credentials.email,
                nick: account?.nick ?? "", accessToken: kept.access, refreshToken: kept.refresh,
                accessExpiry: kept.accessExpiry), of: user)
    }

    /// Signs a user in before the run, with a token that has expired or has its whole life; the app
    /// need not know when it expires.
    public func signIn(_ user: UInt64, expired: Bool, knowsExpiry: Bool = true) {
        let known = StoredAccount(
            installer.backend.signIn(
                user: user, at: population.app.origin, accessLifetime: expired ? 0 : nil))
        let account = knowsExpiry ? known : known.withoutExpiry
        self.account = account
        restore(account, of: user)
    }

    private func restore(_ account: StoredAccount, of user: UInt64) {
        installer.simulation.asUser(user) { app.restore(account) }
    }
}

extension StoredAccount {
    fileprivate var withoutExpiry: StoredAccount {
        StoredAccount(
            userID: userID, email: email, nick: nick, accessToken: accessToken,
            refreshToken: refreshToken)
    }
}

/// A phone's clock: the world's time plus the offset that the user set.
public final class PhoneClock: TimeSource {
    private let simulation: Simulation
    private let offset = Atomic<Int64>(0)

    init(_ simulation: Simulation) { self.simulation = simulation }

    /// Nanoseconds since 1970 as the phone shows them.
    public var nanosecondsSinceEpoch: Int64 {
        simulation.nanosecondsSinceEpoch + offset.load(ordering: .relaxed)
    }

    /// The world's time, which no user can set.
    public var uptimeNanoseconds: Int64 { simulation.nanosecondsSinceEpoch }

    /// Sets its offset from the world's clock: ahead, or behind if negative.
    public func set(aheadBy nanoseconds: Int64) { offset.store(nanoseconds, ordering: .relaxed) }

    /// Sleeps for the given time: an offset does not change how fast a clock runs.
    public func sleep(nanoseconds: Int64) async throws(CancellationError) {
        try await simulation.sleep(nanoseconds: nanoseconds)
    }
}

/// A phone's network in one life of its app: gives its requests numbers that no other life has.
struct LifeTransport: Transport {
    private let inner: any Transport
    private let offset: UInt32

    init(_ inner: any Transport, life: Int) {
        self.inner = inner
        offset = Phone.requestOffset(ofLife: life)
    }

    func send(_ request: URLRequest, cause: RequestCause) async throws(TransportError)
        -> TransportResponse
    {
        var cause = cause
        cause.request += offset
        cause.refreshFor = cause.refreshFor.map {
            $0 == RequestCause.clock ? $0 : $0 + offset
        }
        return try await inner.send(request, cause: cause)
    }
}

extension Phone {
    /// The number that is added to those of a life's requests, which its client counts from 0.
    static func requestOffset(ofLife life: Int) -> UInt32 { UInt32(life) * 10_000 }
}
