import SquallBackend
import SquallFormat
import SquallHTTP

/// The access tokens of a real server that are answered as expired, and the response that says so.
///
/// Tokens are known by the numbers of their texts; no text is kept.
struct UpstreamTokens {
    private let lifetime: Int64?
    /// The time at which each token was brought, or shown first; the oldest are forgotten.
    private var since: [TokenNumber: Int64] = [:]
    private var order: [TokenNumber] = []
    /// The time at which each refresh token was brought; those that came before are missing.
    private var refreshes: [TokenNumber: Int64] = [:]
    /// Every refresh token from until then is refused.
    private var revokedAt = Int64.min
    /// The fate of a refresh token that is shown again; `nil` for what the server does.
    private let rotation: UpstreamPlan.Rotation?
    /// The refresh tokens that were exchanged for others, the first one of each line of them, and
    /// the lines that were ended.
    private var spent: Set<TokenNumber> = []
    private var families: [TokenNumber: TokenNumber] = [:]
    private var ended: Set<TokenNumber> = []
    /// Every token from until then has expired.
    private var expiredAt = Int64.min
    /// The server's own expired response, as it is learnt.
    private var learnt: Answer?
    private var isLearntExactly = false
    private let given: (status: Int?, body: String?)
    /// True as soon as a token was seen to have expired.
    private var hasSeenExpiry = false
    /// Access tokens that calls showed after that, and that no response was seen to bring.
    private(set) var strangers = 0

    private static let knownMax = 65_536
    private static let bodyBytesMax = 16 << 10

    init(_ plan: UpstreamPlan) {
        (lifetime, rotation) = (plan.expireAfterNanoseconds, plan.rotation)
        given = (plan.expiredStatus, plan.expiredBody)
    }

    mutating func expire(at now: Int64) { expiredAt = now }

    mutating func revokeRefreshTokens(at now: Int64) {
        revokedAt = now
        refreshes = [:]
    }

    mutating func brought(refresh token: TokenNumber, at now: Int64) {
        if refreshes.count >= Self.knownMax { refreshes = [:] }
        refreshes[token] = now
    }

    /// Notes that a refresh has brought another refresh token for the one that it showed.
    mutating func exchanged(_ old: TokenNumber, for new: TokenNumber) {
        guard rotation != nil, old != new else { return }
        if families.count >= Self.knownMax { (families, spent, ended) = ([:], [], []) }
        spent.insert(old)
        families[new] = families[old] ?? old
    }

    /// True for a refresh token that is refused: it was revoked, or is shown again where each is
    /// good once.
    ///
    /// Its line ends then where the rotation is strict.
    mutating func refuses(refresh token: TokenNumber) -> Bool {
        if revokedAt > .min, refreshes[token] == nil { return true }
        guard let rotation else { return false }
        let family = families[token] ?? token
        guard spent.contains(token) else { return ended.contains(family) }
        if rotation == .strict { ended.insert(family) }
        return true
    }

    /// The response to a refresh that is refused (RFC 6749 §5.2).
    static let refusal = Answer(
        status: 400, headers: ["Content-Type": "application/json"],
        body: Body(#"{"error":"invalid_grant"}"#))

    func isKnown(_ token: TokenNumber) -> Bool { since[token] != nil }

    /// Notes a token: it is good, also where it was before and had expired.
    mutating func brought(_ token: TokenNumber, at now: Int64) {
        guard since.updateValue(now, forKey: token) == nil else { return }
        order.append(token)
        guard order.count > Self.knownMax else { return }
        for old in order.prefix(Self.knownMax / 4) { since[old] = nil }
        order.removeFirst(Self.knownMax / 4)
    }

    mutating func hasExpired(_ token: TokenNumber, at now: Int64) -> Bool {
        guard let start = since[token] else {
            brought(token, at: now)
            if hasSeenExpiry { strangers += 1 }
            return false
        }
        let isOver = start <= expiredAt || lifetime.map { now >= start + $0 } ?? false
        hasSeenExpiry = hasSeenExpiry || isOver
        return isOver
    }

    /// True for a response to a call with an access token that says that the token has expired.
    func meansExpired(_ answer: Answer) -> Bool {
        guard let status = given.status else { return ExpiryWords.are(in: answer) }
        guard answer.status == status, status < 300 else { return answer.status == status }
        return given.body.map { Self.has($0, answer.body.bytes) } ?? false
    }

    /// True for a body that has all members of another one in JSON, or is the same otherwise.
    private static func has(_ wanted: String, _ body: [UInt8]) -> Bool {
        guard body.count <= bodyBytesMax else { return false }
        guard case .object(let members)? = (try? JSONParser.parse(Array(wanted.utf8)))?.value,
            let node = try? JSONParser.parse(body)
        else { return Array(wanted.utf8) == body }
        return members.allSatisfy { $0.value.value == node[$0.name]?.value }
    }

    /// Learns the expired response from one by which the server itself refused a token.
    mutating func learn(_ answer: Answer) {
        hasSeenExpiry = true
        let (status, headers, body) = (answer.status, answer.headers, answer.body.bytes)
        guard !isLearntExactly, body.count <= Self.bodyBytesMax else { return }
        guard learnt.map({ $0.status != status || $0.body.bytes != body }) ?? true else { return }
        let text = String(decoding: body, as: UTF8.self) + (headers["WWW-Authenticate"] ?? "")
        isLearntExactly = text.lowercased().contains("expire")
        guard learnt == nil || isLearntExactly else { return }
        var kept = HTTPHeaders()
        for field in headers where Self.kept.contains(field.name.asciiLowercased) {
            kept.append(field)
        }
        learnt = Answer(status: status, headers: kept, body: Body(body))
    }

    private static let kept = [
        "content-type", "content-encoding", "www-authenticate", "cache-control", "vary", "location",
    ]

    /// The expired response: as it was told, else as the server's own, else 401.
    var response: Answer {
        if given.status == nil, given.body == nil, let learnt { return learnt }
        let body =
            given.body ?? #"{"error":"token_expired","message":"The access token has expired."}"#
        let isJSON = body.first == "{" || body.first == "["
        var headers: HTTPHeaders = [
            "Content-Type": isJSON ? "application/json" : "text/plain; charset=utf-8"
        ]
        let status = given.status ?? learnt?.status ?? 401
        if status == 401 {
            headers.add(name: "WWW-Authenticate", value: #"Bearer error="invalid_token""#)
        }
        return Answer(status: status, headers: headers, body: Body(body))
    }
}
