import SquallFormat
import SquallHTTP
import SquallKernel

/// What goes wrong, with its own settings.
///
/// A new kind is a case and its row here, a row in ``FaultFormat/all``, and in `LiveFaults` what a
/// proxy can do of it. It has exactly one effect.
enum FaultKind: Hashable, Sendable {
    /// Both ways take longer: times a factor, and each plus something; in a profile the way up
    /// only.
    case latency(
        factor: Double, added: Distribution,
        addedDown: Distribution = .constant(nanoseconds: 0))
    /// No connection comes about, and the client learns of it after the time of the way up; what
    /// goes on a connection that is there is spared.
    case refuseConnection
    /// The server never sees the request.
    case dropRequest(LossNotice)
    /// The server does what was asked, and the client never learns of it.
    case dropAnswer(LossNotice)
    /// The server gets the request again, one trip's time later; the client gets one response.
    case duplicate
    /// The response's second half is missing, as behind a proxy that ends a stream too soon.
    case partialBody
    /// Some bytes of the response are overwritten with ones that no UTF-8 text has.
    case corruptBody
    /// Every access token issued so far counts as expired, as when its key is rotated.
    case expireAllTokens
    /// Every refresh token issued so far counts as expired.
    case revokeRefreshTokens
    /// Signing in and refreshing are answered 503 by a worker that does nothing else.
    case tokenOutage
    /// Signing in and refreshing are answered 200 with this body, in which there is no token, by a
    /// worker that does nothing else.
    case noToken(body: String)
    /// A worker spends its time, nothing changes, and the answer has this status; `Retry-After`
    /// says what the service says with such a status where it is `nil`.
    case serverError(status: Int, retryAfterNanoseconds: Int64? = nil)
    /// The work on a request takes longer: times a factor, and plus something.
    case slowServer(factor: Double, added: Distribution)
    /// Only this many workers are there.
    case capacity(workers: Int)
    /// Each worker's clock is ahead or behind by up to this, evenly.
    case clockSkew(nanoseconds: Int64)
    /// Phones change networks: what they had open ends so.
    case handover(Handover)
    /// Phones have no network.
    case offline
    /// The server ends its connections, as at a deployment; if it reloads, it finishes its work.
    case restart(isReload: Bool)

    /// Its name in profiles, and of its random streams.
    var name: String { row.name }

    var effect: FaultEffect { row.effect }

    private var row: (name: String, effect: FaultEffect) {
        switch self {
        case .latency(let factor, let added, let addedDown):
            return (
                "latency",
                .wire(
                    up: { $0.stretch(by: factor, plus: $1.sample(added)) },
                    down: { $0.stretch(by: factor, plus: $2.sample(addedDown)) })
            )
        case .refuseConnection:
            return (
                "refuseConnection",
                .wire(
                    up: { trip, _ in
                        if trip.opensConnection { trip.end = .breaks(.cannotConnectToHost) }
                    }, down: nil)
            )
        case .dropRequest(let notice):
            return ("dropRequest", .wire(up: { trip, _ in trip.lose(notice) }, down: nil))
        case .dropAnswer(let notice):
            return ("dropAnswer", .wire(up: nil, down: { trip, _, _ in trip.lose(notice) }))
        case .duplicate:
            return ("duplicate", .wire(up: { trip, _ in trip.isDoubled = true }, down: nil))
        case .partialBody:
            return (
                "partialBody",
                .wire(
                    up: nil,
                    down: { _, answer, _ in
                        answer.body = Body(Array(answer.body.bytes.prefix(answer.body.count / 2)))
                    })
            )
        case .corruptBody:
            return (
                "corruptBody",
                .wire(
                    up: nil,
                    down: { _, answer, stroke in
                        let stream = stroke.details.stream(number: stroke.exchange.draw)
                        answer.body = answer.body.corrupted(stream)
                    })
            )
        case .expireAllTokens: return ("expireAllTokens", .tokens(.access))
        case .revokeRefreshTokens: return ("revokeRefreshTokens", .tokens(.refresh))
        case .tokenOutage:
            return (
                "tokenOutage",
                .work { $0.endpoint.role == .ordinary ? nil : FaultFailure(status: 503) }
            )
        case .noToken(let body):
            return (
                "noToken",
                .work {
                    $0.endpoint.role == .ordinary ? nil : FaultFailure(status: 200, body: body)
                }
            )
        case .serverError(let status, let retryAfter):
            return (
                "serverError",
                .work { _ in FaultFailure(status: status, retryAfterNanoseconds: retryAfter) }
            )
        case .slowServer(let factor, let added):
            return (
                "slowServer",
                .service { span, stroke in
                    // Not longer than a year: no run lasts that long.
                    let stretched = min(Double(Span.year), Double(span) * factor)
                    span = min(Span.year, Int64(stretched).clampedSum(stroke.sample(added)))
                }
            )
        case .capacity(let workers): return ("capacity", .workers(workers))
        case .clockSkew(let nanoseconds): return ("clockSkew", .clocks(nanoseconds: nanoseconds))
        case .handover(let how): return ("handover", .phones(.handover(how)))
        case .offline: return ("offline", .phones(.offline))
        case .restart(let isReload): return ("restart", .phones(.restart(isReload: isReload)))
        }
    }
}

extension FaultKind {
    /// What a token endpoint says that tells its errors with a 200, as GitHub's does.
    static let noTokenBody = #"{"error":"temporarily_unavailable"}"#
}

extension Body {
    /// A copy in which `0xFF` replaces about one byte in 64, but at least one.
    fileprivate func corrupted(_ stream: RandomStream) -> Body {
        guard !isEmpty else { return self }
        var bytes = bytes
        for index in 0..<UInt64(1 + count / 64) {
            bytes[Int(stream.integer(below: UInt64(count), at: index))] = 0xFF
        }
        return Body(bytes)
    }
}

/// The places of the backend where a fault can strike.
enum FaultEffect {
    /// Changes requests on their way up and responses on their way down.
    case wire(up: WayUp?, down: WayDown?)
    /// A worker spends its time and does nothing else; gives what is answered, nil for requests
    /// that are left alone.
    case work(@Sendable (Exchange) -> FaultFailure?)
    /// Changes the time that the work on a request takes.
    case service(@Sendable (inout Int64, FaultStroke) -> Void)
    /// Each worker's clock is ahead or behind by up to this, evenly.
    case clocks(nanoseconds: Int64)
    /// At most this many workers are there.
    case workers(Int)
    /// Every token of a kind issued so far counts as expired.
    case tokens(TokenMint.Kind)
    /// Connections end.
    case phones(ConnectionEnd)

    typealias WayUp = @Sendable (inout Transmission, FaultStroke) -> Void
    typealias WayDown = @Sendable (inout Transmission, inout Answer, FaultStroke) -> Void
}

/// The response of a worker that does nothing else.
struct FaultFailure {
    let status: Int
    /// The value of `Retry-After`; `nil` for what the service says with such a status.
    var retryAfterNanoseconds: Int64?
    /// The body; `nil` for what the service says with such a status.
    var body: String?
}

/// A fault and the exchange that it strikes.
struct FaultStroke {
    let exchange: Exchange
    let fault: ArmedFault

    /// The stream that decides what exactly happens to the exchange's user.
    var details: RandomStream { fault.details(of: exchange.cause.user) }

    /// What is added to this exchange's time.
    func sample(_ added: Distribution) -> Int64 { added.sample(details, at: exchange.draw) }
}

/// Which of the settings that all faults share have a meaning for a kind.
public enum FaultReach: Hashable, Sendable {
    /// It happens at once, to all users.
    case everybodyAtOnce
    /// It happens at once, to some users.
    case usersAtOnce
    /// It lasts, and concerns the server itself.
    case server
    /// It lasts, and strikes some users.
    case users
    /// It lasts, and strikes some calls of some users.
    case attempts
    /// It lasts, and strikes calls of some users; the kind decides which calls.
    case attemptsOfItsOwn
}
