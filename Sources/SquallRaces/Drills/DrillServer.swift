public import SquallBackend

/// What the server of a drill does with refresh tokens.
public struct DrillServer: Sendable {
    /// Its name in reports, and the column.
    public let name: String
    /// What happens to a refresh token that is shown.
    public let refresh: RefreshSemantics

    /// A server by its name and what it does with refresh tokens.
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
        case .coexist, .early409: lenient
        case .rotatingStrict: strict
        case .oneShot: oneShot
        case .rotatingWithLeeway(let window, _), .rotatingWithReplay(let window, _):
            window > 0 ? leeway : strict
        }
    }

    /// Its name in Swift code.
    public var code: String { DrillServer.all.contains { $0.name == name } ? ".\(name)" : name }
}
