public import SquallApps
public import SquallClient

/// An app with an unmodified client: `URLSession`, queues, callbacks, locks and timers included.
///
/// **Start here** to put a client of your own under load. A value of it is one user's running app;
/// the device's storage has what it keeps from one start to the next.
///
/// ```swift
/// struct MyApp: SimulatedApp {
///     static let name = "mine"
///     static let origin = "https://api.example.com"
///     static let journeys: [Journey<MyApp>] = [
///         Journey("read", about: "Looks at the posts.", steps: [
///             Step("posts") { _ = try await $0.api.posts() }
///         ])
///     ]
///
///     let api: MyAPI
///
///     init(device: SimulatedDevice) {
///         api = MyAPI(session: device.session, keychain: device.storage)
///     }
///
///     static func restore(_ account: StoredAccount, on device: SimulatedDevice) {
///         device.storage.set(account.accessToken, forKey: "access")
///         device.storage.set(account.refreshToken, forKey: "refresh")
///     }
///
///     func signIn() async throws { try await api.signIn("kim", "secret") }
/// }
/// ```
public protocol SimulatedApp: RegisteredApp, Sendable {
    /// The name by which profiles ask for the app.
    static var name: String { get }
    /// What the app is, in one sentence.
    static var about: String { get }
    /// The designs the app comes in; a device says which one it has.
    static var designs: [String] { get }
    /// What people do with the app.
    static var journeys: [Journey<Self>] { get }
    /// The origin of the server that keeps its accounts.
    static var origin: String { get }
    /// True for an app that goes on in the background while its user is away. By default the system
    /// ends it and it starts again from its storage, which costs no memory.
    static var staysInMemory: Bool { get }

    /// The storage of a user's device.
    static func storage(of user: Int) -> any DeviceStorage

    /// Writes into a device's storage what the app keeps of a sign-in before the run.
    static func restore(_ account: StoredAccount, on device: SimulatedDevice)

    /// The app as it starts on a device, from its storage.
    init(device: SimulatedDevice)

    /// Signs in with the user's e-mail and password.
    ///
    /// - Throws: what ``outcome(of:)`` then explains.
    func signIn() async throws
    /// What the user sees when a step throws.
    func outcome(of error: any Error) -> StepOutcome
    /// The tokens that a device's storage holds; empty strings where they cannot be read.
    static func storedTokens(on device: SimulatedDevice) -> TokenPair
}

extension SimulatedApp {
    /// The app's name, and that it uses the system's own networking.
    public static var about: String { "\(name), on the system's own networking." }
    /// A single design, `asBuilt`.
    public static var designs: [String] { ["asBuilt"] }
    /// False: the app starts again from its storage at each visit.
    public static var staysInMemory: Bool { false }
    /// A storage in memory that lasts as long as the run.
    public static func storage(of user: Int) -> any DeviceStorage { MemoryStorage() }
    /// What profiles and load drivers need to know of the app.
    public static var listing: AppDescription {
        var listing = AppDescription(InstalledClient<Self>.self)
        listing.usesSystem = true
        return listing
    }

    /// A message with the name of the error's type.
    public func outcome(of error: any Error) -> StepOutcome { .toast("\(type(of: error))") }
    /// Two empty strings: the storage cannot be read from outside.
    public static func storedTokens(on device: SimulatedDevice) -> TokenPair {
        TokenPair(access: "", refresh: "")
    }
}

extension Step where App: SimulatedApp {
    /// A step that shows what it asked for unless it throws.
    public init(
        _ name: String, probability: Double = 1, leadsOn: Bool = false,
        when condition: StepCondition = .always, leaves: Bool = false, renews: Bool = false,
        _ action: @escaping @Sendable (App) async throws -> Void
    ) {
        self.init(
            name, probability: probability, leadsOn: leadsOn, when: condition, leaves: leaves,
            renews: renews
        ) { app in
            do {
                try await action(app)
                return .rendered
            } catch {
                return app.outcome(of: error)
            }
        }
    }
}
