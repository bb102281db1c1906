public import SquallClient

/// One user's copy of an app, driven action by action.
///
/// **Start here** to read this module. An app is its real client code: router, models, token design
/// and the flows behind its screens. Its `Device` gives it everything it needs, and the app cannot
/// tell that its world is simulated.
public protocol MobileApp: InstalledApp, RegisteredApp {
    /// The name by which profiles ask for the app.
    static var name: String { get }
    /// What the app is, in one sentence.
    static var about: String { get }
    /// The token designs the app comes in, the one it was built with first.
    static var designs: [String] { get }
    /// The ways through the app that profiles give weights.
    static var journeys: [Journey<Self>] { get }
    /// The kinds of call that the app makes, by which drills choose one of each.
    static var callKinds: [CallKind] { get }

    /// The origin of the server that keeps its accounts; empty for the first server.
    static var origin: String { get }
    /// The stories of its designs, in the order in which they came; none by default.
    static var stories: [DesignStory] { get }
    /// True for an app whose users share no object, so that no rule looks for a user's token in
    /// another one's request. False by default.
    static var isolatesUsers: Bool { get }

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
    /// True while the app shows its sign-in screen and the user can do nothing else.
    var needsSignIn: Bool { get }
    /// Signs in with the user's e-mail and password.
    func signIn() async -> StepOutcome
    /// Performs a step of one of the app's journeys, by their positions.
    func perform(step: Int, ofJourney journey: Int) async -> StepOutcome
    /// Makes a call of one of the app's kinds, the simplest that its screens make.
    func call(_ kind: CallKind) async -> StepOutcome
    /// Signs the user out, where that is no step of a journey.
    var signOut: (@Sendable () async -> StepOutcome)? { get }
    /// The app's screens and its user's memory, for a comparison with the server when nothing runs
    /// any more.
    var snapshot: AppSnapshot { get }
    /// The tokens in the app's store at this moment; empty strings for those that are missing.
    var storedTokens: TokenPair { get }
    /// An object that holds everything the app has begun, and so lives as long as any of that.
    var holder: AnyObject { get }
}

extension MobileApp {
    /// The app without its type, as profiles and load drivers know it.
    public static var listing: AppDescription { AppDescription(Self.self) }

    /// Empty, for the first server.
    public static var origin: String { "" }
    /// None.
    public static var stories: [DesignStory] { [] }
    /// False: its users may share a store by mistake.
    public static var isolatesUsers: Bool { false }

    /// Performs a step of one of the app's journeys, by their positions.
    ///
    /// Inlinable: without the app's type, looking types up took a thousand instructions a step.
    @inlinable
    public func perform(step: Int, ofJourney journey: Int) async -> StepOutcome {
        await Self.journeys[journey].steps[step].action(self)
    }
}

extension InstalledApp {
    /// The app: all that it has begun keeps it alive.
    public var holder: AnyObject { self }

    /// Keeps all: right for an app of which no screen outlives a visit.
    public func processStarted() {}

    /// Leaves the step as it is: right for an app that keeps nothing of one.
    public func stepEnded() {}

    /// Keeps all: the app stays in memory.
    public func visitEnded() {}

    /// `nil`: signing out is a step, or impossible.
    public var signOut: (@Sendable () async -> StepOutcome)? { nil }

    /// Empty: nothing of its screens can be compared.
    public var snapshot: AppSnapshot { AppSnapshot() }

    /// Two empty strings: the store cannot be read from outside.
    public var storedTokens: TokenPair { TokenPair(access: "", refresh: "") }
}
