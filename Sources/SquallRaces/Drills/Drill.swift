/// A scenario that refresh code is known to get wrong, and what a client promises in it.
///
/// **Start here** to read this folder. A drill sets up the service (`setting`), plays a few actions
/// of a user with a client (`play`), and expects things on the way; ``DrillRecording`` judges
/// what crossed the wire. A new drill is one file in `Catalogue` and one line in ``all``; a package
/// can write drills of its own beside them.
public struct Drill: Sendable {
    /// Its name in code: `signOutDuringRefresh`.
    public let id: String
    /// Its name in reports: `sign-out during a refresh`.
    public let name: String
    /// The sentence that a right client makes true in this scenario.
    public let promise: String
    /// Where the promise comes from: specifications, vendors' rules, public bugs.
    public let source: String
    /// What usually repairs a client that breaks it, in two sentences.
    ///
    /// A rule of all drills has a fix of its own.
    public let fix: String
    /// What a client must be able to do, beside signing in and making a call.
    let needs: Set<Ability>
    /// The servers for which it has a meaning; `nil` for all.
    let servers: Set<String>?
    /// Changes the service and the faults in front of it, before the world is made.
    let setting: @Sendable (inout ServerConfiguration) -> Void
    /// The actions, in order, and what is expected on the way.
    let play: @Sendable (DrillWorld) async throws -> Void
    /// True if one order of events shows what there is to see, because nothing happens at once.
    private(set) var hasOneOrder = false
    /// The rules for which its own fix is the better one.
    private(set) var topics: Set<RaceInvariant> = []

    /// A drill of its parts.
    ///
    /// ```swift
    /// extension Drill {
    ///     static let coupon = Drill(
    ///         "coupon", "a coupon on an expired token", promise: "It is taken once.",
    ///         source: "our issue 12", fix: "Send it again only after a 401.", needs: [.write]
    ///     ) { world in
    ///         try await world.signIn()
    ///         await world.tokenExpires()
    ///         try await world.finish(world.beginWrite())
    ///         world.expect(world.writesDone == 1, "the coupon is taken once")
    ///     }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - id: its name in code; the line that plays it again has it.
    ///   - name: its name in reports.
    ///   - promise: what a client promises in it.
    ///   - source: where the promise comes from.
    ///   - fix: what usually repairs a client that breaks it.
    ///   - needs: what a client must be able to do, beside signing in and making a call.
    ///   - servers: the servers for which it has a meaning; `nil` for all.
    ///   - setting: changes the service and the faults in front of it.
    ///   - play: what happens, and what is expected.
    public init(
        _ id: String, _ name: String, promise: String, source: String, fix: String,
        needs: Set<Ability> = [], servers: [DrillServer]? = nil,
        setting: @escaping @Sendable (inout ServerConfiguration) -> Void = { _ in },
        play: @escaping @Sendable (DrillWorld) async throws -> Void
    ) {
        self.id = id
        self.name = name
        self.promise = promise
        self.source = source
        self.fix = fix
        self.needs = needs
        self.servers = servers.map { Set($0.map(\.name)) }
        self.setting = setting
        self.play = play
    }

    /// A copy that is played in one order of events.
    var inOneOrder: Drill {
        var copy = self
        copy.hasOneOrder = true
        return copy
    }

    /// A copy that gives its own fix where one of these rules is broken.
    func fixing(_ rules: RaceInvariant...) -> Drill {
        var copy = self
        copy.topics.formUnion(rules)
        return copy
    }

    /// Why it cannot be played with a server and abilities; `nil` where it can.
    func reason(against server: DrillServer?, _ abilities: Set<Ability>) -> String? {
        if let server, !applies(to: server) { return "does not apply to this server" }
        let missing = needs.subtracting(abilities)
        return missing.isEmpty
            ? nil : "needs " + missing.sorted().map(\.words).joined(separator: ", ")
    }

    /// False for a server whose rules leave nothing to break in this scenario.
    func applies(to server: DrillServer) -> Bool { servers?.contains(server.name) ?? true }

    /// What usually repairs a client that breaks something in it.
    ///
    /// The fix belongs to the rule or the expectation that broke; a drill that is about that rule
    /// has a better one.
    func fix(of violation: Violation) -> String {
        let isAbout = topics.contains { $0.id == violation.invariant || $0.fix == violation.fix }
        return isAbout ? fix : violation.fix ?? fix
    }

    /// An ability that only some clients or services have.
    public enum Ability: String, Comparable, Sendable {
        /// The client can do this.
        case signOut, isSignedIn, refresh, write, otherScope
        /// The client can do this, too.
        case list, reconnect, otherProcess, switchTo, earlierVersion
        /// The client keeps something that survives a kill of the app.
        case restart = "something kept in device.storage"
        /// The client's storage can be made to fail.
        case storage = "device.storage"
        /// The service can say more about a failure than its status.
        case failureHeaders = "a service with header fields in its failures"
        /// The service leaves a refresh token that stays as it is out of its response.
        case omission = "a service that leaves an unchanged refresh token out"
        /// The app can be stopped at an instant, and go on at another.
        case stopping = "an app that can be stopped at an instant"
        /// Single calls can be cancelled.
        case cancellation = "calls that can be cancelled"
        /// The time of the app's timers can pass at once.
        case timers = "timers of the app that can be made to fire"
        /// The device's clock can be set.
        case clock = "a device with a clock that can be set"
        /// The API has further hosts.
        case hosts = "further hosts of the API"
        /// Connections are set up, and can be ended.
        case connections = "a network whose connections can be ended"

        /// The ability in words, with the name by which a client under test declares it.
        var words: String {
            switch self {
            case .signOut: "a sign-out (signOut)"
            case .isSignedIn: "a signed-in state (isSignedIn)"
            case .refresh: "a refresh of its own (refresh)"
            case .write: "a write (write)"
            case .otherScope: "a second scope (otherScope)"
            case .list: "a paged list (list)"
            case .reconnect: "a connection to reopen (reconnect)"
            case .otherProcess: "a second process (otherProcess)"
            case .switchTo: "an account switch (switchTo)"
            case .earlierVersion: "an earlier version (earlierVersion)"
            case .storage: "storage that can fail (device.storage)"
            case .restart, .failureHeaders, .omission, .stopping, .cancellation, .timers, .clock,
                .hosts, .connections:
                rawValue
            }
        }

        /// The abilities that a simulated device and its network always have.
        static let simulated: Set<Ability> = [
            .stopping, .cancellation, .timers, .clock, .hosts, .connections,
        ]

        /// The order of their names, which is that of messages.
        public static func < (left: Ability, right: Ability) -> Bool {
            left.rawValue < right.rawValue
        }
    }
}

extension Drill {
    /// Every drill there is, in the order of the table.
    public static let all: [Drill] = [
        expiredToken, fullPool, nextExpiries, noNewRefreshToken, lateRefusal, revokedUnderWay,
        refreshFailsOnce, refreshWithoutToken, waitersOfFailure, refreshRetried, refreshRefused,
        refreshUnauthorized,
        refreshAnswerLost, outage, retryAfter, forbidden, otherRefusal, cachedRefusal,
        redirectDropsToken, redirectLeaksToken, revokedElsewhere,
        signOutDuringRefresh, signOutOffline, timerAfterSignOut, nextPerson, timerOfBefore,
        switchAccounts, twoScopes, scopeMeanwhile, callerCancels, screenGivesUp, dayAway,
        monthAway, killedDuringRefresh, killedAfterRefresh, startAfterSignOut, startOffline,
        updated, reinstalled, suspendedInRefresh, wokenInBackground, otherProcess, frozenInRefresh,
        storageFails, storageSlow, lockedAtStart,
        lockedThenKilled, clockAhead, clockBehind, clockSetBack, shortToken, shortLived,
        alwaysExpired, writeOnExpired, writeAnswerLost, pages, reconnect,
        handoverInRefresh, handoverInWrite, refreshOnDeadConnection, refreshOnDeadStreams,
        goAwayInRefresh,
    ]
}
