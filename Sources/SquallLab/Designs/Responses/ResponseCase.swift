import SquallBackend

/// What a screen's calls are answered with.
struct ResponseCase: Sendable {
    /// The response in words, as the head of a row.
    let words: String
    /// How the call is answered; nil if the server performs it.
    private(set) var call: NotedTransport.Failure?
    /// Whether the access token has expired before the tap, which concerns every call.
    private(set) var isExpired = false
    /// How the refresh is answered; nil for a new token.
    private(set) var refresh: NotedTransport.Failure?

    /// The responses to one call: every status that the apps' service has, and two of other
    /// services, then none at all and one without content.
    static let ofOneCall =
        [400, 401, 402, 403, 404, 409, 410, 420, 429, 444, 445, 500, 503].map {
            ResponseCase(words: "\($0)", call: .status($0))
        } + [
            ResponseCase(words: "no response", call: .lost),
            ResponseCase(words: "200, unreadable", call: .undecodable),
        ]

    /// The responses to the refresh of a screen whose token has expired, in the statuses of a
    /// service.
    static func ofExpiry(_ transport: NotedTransport) -> [ResponseCase] {
        let dead = ServiceError.signedOut
        let refreshes: [(String, NotedTransport.Failure?)] = [
            ("refresh 200", nil), ("refresh \(transport.status(of: dead))", .refused(dead)),
            ("refresh 500", .status(500)), ("no response to the refresh", .lost),
            ("refresh 200, unreadable", .undecodable),
        ]
        return refreshes.map { words, refresh in
            ResponseCase(words: words, isExpired: true, refresh: refresh)
        }
    }
}
