public import SquallClient
public import SquallHTTP

/// One person's copy of an app, driven action by action.
///
/// **Start here** to read this module. An app is its real client code: router, models, token design
/// and the flows behind its screens. It is given everything it needs by its `Device` and never
/// learns that the world around it is made up. Adding an app is one folder and one line in
/// `AppRegistry`.
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

    /// The origin of the server that keeps its accounts; empty for the first one that there is.
    static var origin: String { get }

    /// The app in one of its `designs` as it lies on a device, with nobody signed in.
    init(device: Device, design: String)
}

/// An app on one person's device, whatever it is made of: code, or what a profile declares.
public protocol InstalledApp: AnyObject, Sendable {
    /// Says which user action the requests made from now on belong to.
    func beginStep(_ ordinal: UInt32)
    /// The user action is over, whether it came to an end or the person has given it up.
    func stepEnded()
    /// Makes the device remember someone who signed in earlier.
    func restore(_ account: StoredAccount)
    /// The app is started: whatever its last process showed or kept alive is gone.
    func processStarted()
    /// The person has left the app, which lies in the background until they come back.
    func visitEnded()
    /// Whether the app shows its sign-in screen and nothing else can be done.
    var needsSignIn: Bool { get }
    /// Signs in with the person's e-mail and password.
    func signIn() async -> StepOutcome
    /// Performs a step of one of the app's journeys, by their positions.
    func perform(step: Int, ofJourney journey: Int) async -> StepOutcome
    /// Makes a call of one of the app's kinds, the simplest that one of its screens makes.
    func call(_ kind: CallKind) async -> StepOutcome
    /// Signs the person out, where that is no step of a journey.
    var signOut: (@Sendable () async -> StepOutcome)? { get }
    /// What there is to hold against the server when nothing runs any more.
    var snapshot: AppSnapshot { get }
    /// What the app's store of tokens holds at this moment; empty strings for what is missing.
    var storedTokens: TokenPair { get }
    /// What everything holds that the app has begun, so that it is there as long as any of that.
    var holder: AnyObject { get }
}

extension MobileApp {
    /// What profiles and load drivers need to know of it.
    public static var listing: AppDescription { AppDescription(Self.self) }

    /// The first server that there is.
    public static var origin: String { "" }

    /// Performs a step of one of the app's journeys, by their positions.
    public func perform(step: Int, ofJourney journey: Int) async -> StepOutcome {
        await Self.journeys[journey].steps[step].action(self)
    }
}

extension InstalledApp {
    /// Itself.
    public var holder: AnyObject { self }

    /// Nothing: no screen outlives a visit.
    public func processStarted() {}

    /// Nothing: nobody has to be told.
    public func stepEnded() {}

    /// Nothing: it stays in memory.
    public func visitEnded() {}

    /// A step, or nothing.
    public var signOut: (@Sendable () async -> StepOutcome)? { nil }

    /// Nothing.
    public var snapshot: AppSnapshot { AppSnapshot() }

    /// Nothing that anybody could see.
    public var storedTokens: TokenPair { TokenPair(access: "", refresh: "") }
}

/// What an app keeps of someone who signed in earlier.
public struct StoredAccount: Sendable, Hashable {
    /// The server's identifier of the person.
    public let userID: String
    /// The e-mail address.
    public let email: String
    /// The name others see.
    public let nick: String
    private let tokens: TokenPair

    /// An account from its parts; `accessExpiry` is in nanoseconds since 1970, where it was told.
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
    /// When the access token expires, in nanoseconds since 1970; `nil` when nobody said.
    public var accessExpiry: Int64? { tokens.accessExpiry }
}

/// What the phone gives to an app: its network session's surroundings, its owner, a way to pay.
///
/// Two words, because a million of them lie idle; what all phones have in common is shared.
public struct Device: Sendable {
    /// What all phones have in common.
    public let services: DeviceServices
    /// The number of the person who owns the phone.
    public let user: UInt64

    /// The device of a user.
    public init(services: DeviceServices, user: UInt64) {
        self.services = services
        self.user = user
    }

    /// Transport, time, randomness and decoding, shared by everybody's session.
    public var environment: SessionEnvironment { services.environment }
    /// The person's e-mail address and password.
    public var credentials: Credentials { services.credentials(user) }
}

/// What all phones of a world have in common.
public final class DeviceServices: Sendable {
    /// Transport, time, randomness and decoding, shared by everybody's session.
    public let environment: SessionEnvironment
    /// The payment provider's web page.
    public let paymentPage: any PaymentPage
    /// What each person types into a sign-in screen.
    public let credentials: @Sendable (_ user: UInt64) -> Credentials
    /// Whether a request trades a refresh token for an access token, by the rules of its service:
    /// for whoever measures a client that does not say so itself.
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

/// What somebody types into a sign-in screen.
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
