public import SquallBackend
import SquallHTTP

/// The service of a drill and the faults in front of it; the drill may change both.
public struct ServerConfiguration: Sendable {
    /// The lives of tokens, and what a refresh does to them.
    public var tokens: TokenPolicy
    /// What goes wrong, where, when and how often.
    public var faults: [Fault] = []
    /// What connections carry and when they end; `nil` where they are always there.
    public var connections: ConnectionPlan?
    /// Header fields of a response that a fault makes, by their names.
    public var failureHeaders: [String: String] = [:]
    /// How long an app that goes to the background runs on before it is suspended.
    public var backgroundGrace = usualGrace
    /// The grace that a phone gives an app that asks for none.
    public static let usualGrace: Duration = .seconds(5)
    /// The time that a user needs to act while a response is late; zero for a simulated one.
    var personsPace: Duration = .zero
    let client: any ClientUnderTest
    let server: DrillServer

    /// How many starts of the app, and how many accounts, a drill may have at most.
    public static let users = 4
    /// The time that a request and its response travel together.
    public static let roundTrip: Duration = .milliseconds(80)

    init(_ client: any ClientUnderTest, _ server: DrillServer) {
        self.client = client
        self.server = server
        tokens = client.tokens
        tokens.refresh = server.refresh
        tokens.revocationLagNanoseconds = 0
        // Expired refresh tokens have a drill of their own.
        tokens.refreshLifetimeNanoseconds = max(
            tokens.refreshLifetimeNanoseconds, 14 * 86_400_000_000_000)
    }

    /// How long an access token is good.
    public var lifetime: Duration { .nanoseconds(tokens.accessLifetimeNanoseconds) }

    /// When the token of a sign-in at the beginning has expired for certain, in virtual time.
    public var stale: Duration { lifetime + .seconds(60) }

    /// The calls that a user makes, by their names.
    public var calls: Set<String> {
        var all = names { $0 == .ordinary }
        if let logOut = client.logOut { all.remove(logOut) }
        return all
    }

    /// The calls that exchange a refresh token, by their names.
    public var refreshes: Set<String> { names { $0 == .refresh } }

    private func names(_ isMeant: (Endpoint.Role) -> Bool) -> Set<String> {
        Set(client.endpoints.filter { isMeant($0.role) }.map(\.name))
    }

    /// Adds a fault of some calls.
    ///
    /// ```swift
    /// setting.strike(setting.refreshes, .failing(status: 503).between(setting.stale, and: end))
    /// ```
    public mutating func strike(_ calls: Set<String>, _ fault: Fault) {
        var fault = fault
        fault.scope.endpoints = calls
        faults.append(fault)
    }

    /// Makes refreshes fail with a status, from when the first token has expired and for a span.
    mutating func failRefreshes(status: Int, for span: Duration) {
        strike(refreshes, .failing(status: status).between(stale, and: stale + span))
    }

    /// Makes calls fail with a status, from the first minute on and for a span.
    mutating func failCalls(status: Int, for span: Duration) {
        strike(calls, .failing(status: status).between(.seconds(60), and: .seconds(60) + span))
    }

    /// Takes the network away from every call, from a moment on and for a while.
    public mutating func goOffline(from start: Duration, for span: Duration) {
        faults.append(.connectionRefused().between(start, and: start + span))
    }

    /// Another host of the API.
    public static let otherHost = "https://other.example.com"
    /// A host that is not the API's.
    public static let foreignHost = "https://elsewhere.example.net"

    /// Redirects the first call from a moment on to another host, as a moved API does.
    mutating func redirect(to host: String, from start: Duration) {
        let place = client.endpoints.first {
            $0.role == .ordinary && $0.method == .get && !$0.path.contains("{")
        }
        failureHeaders["Location"] = host + (place?.path ?? "/")
        let end = start + .seconds(10)
        strike(calls, Fault.redirecting().onlyTurns(1...1).between(start, and: end))
    }

    /// Delays responses to refreshes, from when the first token has expired and for a span.
    public mutating func answerRefreshLate(by delay: Duration, for span: Duration) {
        let late = Fault.answerLate(by: max(delay, personsPace))
        strike(refreshes, late.between(stale, and: stale + span))
    }
}

/// The rules of a drill's server for refresh tokens.
public struct DrillServer: Sendable {
    /// The server's name in reports, and the column of its cells.
    public let name: String
    /// The server's action on a refresh token that is shown.
    public let refresh: RefreshSemantics

    /// A server by its name and rules.
    public init(_ name: String, refresh: RefreshSemantics) {
        self.name = name
        self.refresh = refresh
    }

    /// The refresh token stays as it is.
    public static let lenient = DrillServer("lenient", refresh: .coexist)
    /// Each is good once; showing one again ends the session (RFC 9700 §4.14.2).
    public static let strict = DrillServer("strict", refresh: .rotatingStrict)
    /// As strict, but for ten seconds the latest exchanged token buys another (Auth0's overlap).
    public static let leeway = DrillServer(
        "leeway", refresh: .rotatingWithLeeway(windowNanoseconds: 10_000_000_000, generations: 1))
    /// Each is good once; showing it again is refused and changes nothing.
    public static let oneShot = DrillServer("oneShot", refresh: .oneShot)

    /// The four of them.
    public static let all = [lenient, strict, leeway, oneShot]

    /// The one of the four that treats refresh tokens most like a service with these semantics.
    public static func nearest(to semantics: RefreshSemantics) -> DrillServer {
        switch semantics {
        case .coexist, .early409, .rotatingCoexist: lenient
        case .rotatingStrict: strict
        case .oneShot, .once: oneShot
        case .rotatingUntilUsed: leeway
        case .rotatingWithLeeway(let window, _), .rotatingWithReplay(let window, _):
            window > 0 ? leeway : strict
        }
    }

    /// True if it still takes a refresh token whose exchange's response was lost a moment ago.
    var takesTokenAgain: Bool {
        switch refresh {
        case .coexist, .early409, .rotatingCoexist, .rotatingUntilUsed: true
        case .rotatingWithLeeway(let window, _), .rotatingWithReplay(let window, _): window > 0
        case .rotatingStrict, .oneShot, .once: false
        }
    }

    /// The expression for it in Swift code: `.strict`.
    public var code: String { DrillServer.all.contains { $0.name == name } ? ".\(name)" : name }
}
