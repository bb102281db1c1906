public import Foundation
import SquallBackend
public import SquallHTTP
import SquallKernel
import SquallRaces
public import SquallServices

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A service that is mounted in a world: how code reaches it, and which requests it got.
public final class MountedService: @unchecked Sendable {
    // Safe because it is used by the thread that runs its world, or after the run.

    /// The origins on which it answers.
    public let origins: [String]
    let backend: Backend
    private let simulation: Simulation
    private let serverLog: ServerLog
    private let paced: [any PacedService]
    private let endpoints: [EndpointDescription]
    private var requests: UInt32 = 0
    /// Between its users, who are the starts of an app in a drill, and the backend.
    let network: DrilledNetwork

    /// The services behind a network; a tap observes the backend in place of the log.
    init(
        _ services: [any Service], conditions: NetworkConditions, simulation: Simulation,
        randomness: RandomStream, tap: WireTap? = nil
    ) {
        self.simulation = simulation
        origins = services.flatMap(\.origins)
        endpoints = services.flatMap(\.endpoints)
        paced = services.compactMap { $0 as? any PacedService }
        serverLog = ServerLog(name: services.first?.name ?? "", simulation)
        backend = Backend(
            simulation: simulation, plan: conditions.plan, services: services,
            randomness: randomness, observer: tap ?? serverLog as any BackendObserver)
        network = DrilledNetwork(backend.transport)
    }

    /// The first address on which it answers.
    public var url: URL {
        guard let url = origins.first.flatMap(URL.init(string:)) else {
            preconditionFailure("a service without an origin has no address")
        }
        return url
    }

    /// The configuration of a session that reaches only the world's services.
    public var urlSessionConfiguration: URLSessionConfiguration {
        urlSessionConfiguration(user: 0)
    }

    /// The configuration of a session of one of several users; each has connections of its own.
    public func urlSessionConfiguration(user: Int) -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [WorldURLProtocol.self]
        // A cache looks for its folder whenever a session is made.
        configuration.urlCache = nil
        if user > 0 {
            configuration.httpAdditionalHeaders = [WorldURLProtocol.userField: "\(user)"]
        }
        return configuration
    }

    /// The network of a user, for clients that bring their own networking.
    public func transport(user: Int = 0) -> any Transport {
        CountingTransport(service: self, user: user)
    }

    /// Sends a request and waits for its answer: the network as a closure, for clients that take
    /// one.
    ///
    /// - Throws: `URLError` when no answer comes.
    public func send(
        _ method: String, _ path: String, headers: [(String, String)] = [], body: [UInt8] = [],
        user: Int = 0
    ) async throws -> ServiceResponse {
        let parts = path.split(separator: "?", maxSplits: 1)
        let address = WebURL(
            origin: origins.first ?? "", path: String(parts.first ?? "/"),
            query: parts.count > 1 ? String(parts[1]) : nil)
        let request = SquallHTTP.URLRequest(
            url: address, method: HTTPMethod(rawValue: method),
            headers: HTTPHeaders(headers.map { HTTPHeader(name: $0, value: $1) }),
            body: Body(body))
        do {
            let answer = try await transport(user: user).send(request, cause: RequestCause())
            return ServiceResponse(
                status: answer.head.statusCode,
                headers: answer.head.headers.map { ($0.name, $0.value) }, body: answer.body.bytes)
        } catch {
            throw URLError(error)
        }
    }

    /// A user's tokens of a sign-in now.
    public func tokens(user: Int = 0) -> IssuedTokens { issue(user, isExpired: false) }

    /// A user's tokens of a sign-in whose access token has just expired.
    public func expiredTokens(user: Int = 0) -> IssuedTokens { issue(user, isExpired: true) }

    private func issue(_ user: Int, isExpired: Bool) -> IssuedTokens {
        IssuedTokens(
            access: backend.issue(.access, to: user, isExpired: isExpired),
            refresh: backend.issue(.refresh, to: user))
    }

    /// What a user types to sign in.
    public func credentials(user: Int = 0) -> (email: String, password: String) {
        backend.credentials(of: UInt64(user), at: origins.first ?? "")
    }

    /// Makes every access token that was issued so far count as expired.
    public func expireAccessTokens() { backend.expireAccessTokens() }

    /// Makes every refresh token that was issued so far count as expired: sessions are over.
    public func revokeRefreshTokens() { backend.revokeRefreshTokens() }

    /// Every request that it received so far, in the order of its replies.
    public var log: [LogEntry] { serverLog.entries }

    /// How many refreshes it received so far.
    public var refreshes: Int { log.count { $0.isRefresh } }

    /// How many of them were redundant; known after the world's end.
    var redundantRefreshes: Int { serverLog.redundantRefreshes }

    /// The requests that it does not know beside those that it does, and the accounts that it has
    /// where a sign-in was refused, in sentences.
    var lacks: [String] {
        var sentences = [endpoints.lacks(serverLog.unknownCalls)].compactMap(\.self)
        if serverLog.refusedSignIn {
            let (email, password) = credentials()
            sentences.append(
                """
                the service refused a sign-in; its accounts are those of credentials(user:), such \
                as \(email) with \(password)
                """)
        }
        return sentences
    }

    /// Requests that are still without a response.
    var unanswered: [Hang] { serverLog.unanswered }

    /// Sends a request as one of a user's.
    func exchange(
        _ request: SquallHTTP.URLRequest, user given: Int?
    ) async throws(TransportError) -> (answer: TransportResponse, pace: Pace?) {
        let user = given.map(UInt64.init) ?? simulation.subject?.user ?? 0
        // What a killed start sends later is not even noted.
        try await network.check(user)
        let cause = RequestCause(user: user, request: requests)
        requests += 1
        serverLog.sends(request, cause, at: simulation.now)
        defer { serverLog.ended(cause) }
        return (try await network.send(request, cause: cause), pace(of: cause))
    }

    private func pace(of cause: RequestCause) -> Pace? {
        for service in paced {
            let exchange = UInt64(cause.request) << 16
            if let pace = service.pace(user: cause.user, exchange: exchange) { return pace }
        }
        return nil
    }

    typealias Pace = [(gap: Duration, count: Int)]
}

/// The response of a service to ``MountedService/send(_:_:headers:body:user:)``.
public struct ServiceResponse: Sendable {
    /// The HTTP status code, 100 to 599.
    public let status: Int
    /// The header fields, in order.
    public let headers: [(name: String, value: String)]
    /// The body, decoded if the service encoded it.
    public let body: [UInt8]
}

/// The network of a user, which counts its requests too.
private struct CountingTransport: Transport {
    let service: MountedService
    let user: Int

    func send(_ request: SquallHTTP.URLRequest, cause: RequestCause)
        async throws(TransportError) -> TransportResponse
    { try await service.exchange(request, user: user).answer }
}
