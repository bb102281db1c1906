public import SquallBackend
public import SquallKernel

/// What drills are played over: an API and a client of it, in worlds of somebody's making.
///
/// Whoever brings clients conforms to it: the test door for code of a package, the tool for apps
/// and for what a profile declares. Nothing of a drill depends on which of them it is.
public protocol DrillGround: Sendable {
    /// What reports call the client; `nil` where the reader has brought it.
    var name: String? { get }
    /// The calls of the API.
    var endpoints: [EndpointDescription] { get }
    /// The call that a sign-out makes, by its name; `nil` for an API without one.
    var logOut: String? { get }
    /// The status that says that an access token has expired.
    var expiredStatus: Int { get }
    /// How long tokens live; what a refresh does to them is a server's of the drill.
    var tokens: TokenPolicy { get }
    /// What the API can be made to do, beside what every one can.
    var abilities: Set<Drill.Ability> { get }

    /// What code of more than one world has used, although each has a device of its own.
    var outlived: [String] { get }

    /// Whether a call is answered only if it shows a good token.
    func needsToken(_ endpoint: String) -> Bool
    /// A world in which nothing has happened yet; of the plan it heeds the seed and preemptions.
    ///
    /// - Throws: what keeps the world from being built.
    func stage(
        _ setting: DrillSetting, _ schedule: Schedule, _ plan: ExplorationPlan
    ) throws -> any DrillStage
    /// The line that plays an order of events again.
    func replay(
        _ drill: Drill, before server: DrillServer, choices: [UInt16], _ plan: ExplorationPlan
    ) -> String
}

extension DrillGround {
    /// Nothing: its worlds make everything anew.
    public var outlived: [String] { [] }
}

/// A world of a drill: one device that starts an app once or more often, and the far side.
///
/// It is used on the thread that runs its world.
public protocol DrillStage: AnyObject, Sendable {
    /// The world's time and events.
    var simulation: Simulation { get }
    /// Who writes down what crosses the wire.
    var tap: WireTap { get }
    /// What the device keeps can be broken by this, where the client uses it.
    var storage: any DrilledStorage { get }
    /// The refreshes that were one too many, by their requests.
    var redundantRefreshes: [UInt32] { get }

    /// Runs a body until it ends, and at the most for so long.
    ///
    /// - Throws: what the body throws, and what makes the world useless.
    func run(
        for limit: Duration, _ body: @escaping @Sendable () async throws -> Void
    ) throws -> DrillRun
    /// Starts the app: the first time on a new device, later with what the device has kept.
    ///
    /// Requests of it carry the number of the start, from 0.
    ///
    /// - Throws: what making the client throws.
    func startApp(life: Int) throws -> DrillClient
    /// Nothing that a start of the app has begun reaches anybody any more.
    func kill(life: Int)
    /// Who owns an account.
    func person(_ name: String, account: Int) -> DrillPerson
    /// Sets the device's clock, until the world ends.
    func setClock(aheadBy span: Duration)
    /// Makes every access token that was issued so far count as expired.
    func expireAccessTokens()
    /// Makes every refresh token that was issued so far count as expired.
    func revokeRefreshTokens()
    /// Everything was judged: what still waits is let go.
    func end()
}

extension DrillStage {
    /// Nothing stays behind.
    public func end() {}
}

/// What a device keeps, as a drill breaks it.
public protocol DrilledStorage {
    /// Whether an app has kept anything in it.
    var wasUsed: Bool { get }
    /// Fails so many times from now on.
    func fail(times: Int)
    /// Takes so long each time from now on.
    func slowDown(to pause: Duration)
}

/// How the world of a drill ended.
public struct DrillRun: Sendable {
    /// Whether time stood still while things went on and on.
    public var isSpinning = false
    /// Whether the body came to its end.
    public var isWhole = true
    /// What the client's own code expected of its world and was not so.
    public var disappointments: [String] = []

    /// It came to its end.
    public init() {}
}
