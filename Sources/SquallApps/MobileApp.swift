public import SquallClient
public import SquallHTTP

/// One user's copy of an app, driven action by action.
///
/// **Start here** to read this module. An app is its real client code: router, models, token design
/// and the flows behind its screens. Its `Device` gives it everything it needs, and the app cannot
/// tell that its world is simulated. Adding an app is one folder and one line in `AppRegistry`.
public protocol MobileApp: InstalledApp, RegisteredApp {
    /// The name by which profiles ask for the app.
    static var name: String { get }
    /// What the app is, in one sentence.
    static var about: String { get }
    /// The token designs the app comes in, the one it was built with first.
    static var designs: [String] { get }
    /// What people do with the app.
    static var journeys: [Journey<Self>] { get }
    /// The kinds of call that the app makes.
    static var callKinds: [CallKind] { get }

    /// The origin of the server that keeps its accounts; empty for the first server.
    static var origin: String { get }

    /// The app in one of its `designs`, freshly installed on a device, without a signed-in user.
    init(device: Device, design: String)
}

/// An app on one user's device, whatever it consists of: code, or a profile's declaration.
public protocol InstalledApp: AnyObject, Sendable {
    /// Sets the user action that requests belong to from now on.
    func beginStep(_ ordinal: UInt32)
    /// Ends the user action, which is done or was given up by the user.
    func stepEnded()
    /// Makes the device remember an earlier sign-in.
    func restore(_ account: StoredAccount)
    /// Starts the app: everything that its last process showed or kept alive is gone.
    func processStarted()
    /// Ends the visit: the app is in the background until the user comes back.
    func visitEnded()
    /// Whether the app shows its sign-in screen and the user can do nothing else.
    var needsSignIn: Bool { get }
    /// Signs in with the user's e-mail and password.
    func signIn() async -> StepOutcome
    /// Performs a step of one of the app's journeys, by their positions.
    func perform(step: Int, ofJourney journey: Int) async -> StepOutcome
    /// Makes a call of one of the app's kinds, the simplest that its screens make.
    func call(_ kind: CallKind) async -> StepOutcome
    /// Signs the user out, where that is no step of a journey.
    var signOut: (@Sendable () async -> StepOutcome)? { get }
    /// What can be held against the server when nothing runs any more.
    var snapshot: AppSnapshot { get }
    /// What the app's store of tokens holds at this moment; empty strings for what is missing.
    var storedTokens: TokenPair { get }
    /// An object that holds everything the app has begun, and so lives as long as any of that.
    var holder: AnyObject { get }
}

extension MobileApp {
    /// What profiles and load drivers need to know of it.
    public static var listing: AppDescription { AppDescription(Self.self) }

    /// The first server.
    public static var origin: String { "" }

    /// Performs a step of one of the app's journeys, by their positions.
    public func perform(step: Int, ofJourney journey: Int) async -> StepOutcome {
        await Self.journeys[journey].steps[step].action(self)
    }
}

extension InstalledApp {
    /// Itself.
    public var holder: AnyObject { self }

    /// Does nothing: no screen outlives a visit.
    public func processStarted() {}

    /// Does nothing.
    public func stepEnded() {}

    /// Does nothing: the app stays in memory.
    public func visitEnded() {}

    /// None: signing out is a step or impossible.
    public var signOut: (@Sendable () async -> StepOutcome)? { nil }

    /// Nothing.
    public var snapshot: AppSnapshot { AppSnapshot() }

    /// Empty: the store cannot be read from outside.
    public var storedTokens: TokenPair { TokenPair(access: "", refresh: "") }
}

/// An account that an app keeps from an earlier sign-in.
public struct StoredAccount: Sendable, Hashable {
    /// The server's identifier of the user.
    public let userID: String
    /// The e-mail address.
    public let email: String
    /// The name that other users see.
    public let nick: String
    let tokens: TokenPair

    /// An account from its parts; `accessExpiry` is in nanoseconds since 1970, where it is known.
    public init(
        userID: String, email: String, nick: String, accessToken: String, refreshToken: String,
        accessExpiry: Int64? = nil
    ) {
        self.userID = userID
        self.email = email
        self.nick = nick
        tokens = TokenPair(
            access: accessToken, refresh: refreshToken, accessExpiry: accessExpiry)
    }

    /// The short-lived token.
    public var accessToken: String { tokens.access }
    /// The token that buys new access tokens.
    public var refreshToken: String { tokens.refresh }
    /// When the access token expires, in nanoseconds since 1970; `nil` when that is not known.
    public var accessExpiry: Int64? { tokens.accessExpiry }
}

/// What the phone gives to an app: its network session's surroundings, its user, a way to pay.
///
/// Two words, because a million of them lie idle; all phones share the rest.
public struct Device: Sendable {
    /// What all phones share.
    public let services: DeviceServices
    /// The number of the user who owns the phone.
    public let user: UInt64

    /// The device of a user.
    public init(services: DeviceServices, user: UInt64) {
        self.services = services
        self.user = user
    }

    /// Transport, time, randomness and decoding, shared by all sessions.
    public var environment: SessionEnvironment { services.environment }
    /// The user's e-mail address and password.
    public var credentials: Credentials { services.credentials(user) }
}

/// What all phones of a world share.
public final class DeviceServices: Sendable {
    /// Transport, time, randomness and decoding, shared by all sessions.
    public let environment: SessionEnvironment
    /// The payment provider's web page.
    public let paymentPage: any PaymentPage
    /// What each user types into a sign-in screen.
    public let credentials: @Sendable (_ user: UInt64) -> Credentials
    /// Whether a request trades a refresh token for an access token, by the rules of its service;
    /// for measuring clients that do not report it themselves.
    public let isRefresh: @Sendable (URLRequest) -> Bool

    /// The services of a world.
    public init(
        environment: SessionEnvironment, paymentPage: any PaymentPage,
        isRefresh: @escaping @Sendable (URLRequest) -> Bool = { _ in false },
        credentials: @escaping @Sendable (_ user: UInt64) -> Credentials
    ) {
        self.environment = environment
        self.paymentPage = paymentPage
        self.isRefresh = isRefresh
        self.credentials = credentials
    }
}

/// What a user types into a sign-in screen.
public struct Credentials: Sendable, Hashable {
    /// The e-mail address.
    public let email: String
    /// The password.
    public let password: String

    /// Credentials from their parts.
    public init(email: String, password: String) {
        self.email = email
        self.password = password
    }
}
