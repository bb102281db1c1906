import SquallBackend
import SquallFormat
import SquallHTTP
import SquallJudge
import SquallServices

/// A token of a live session, as judging needs it.
struct LiveToken {
    /// The number of the user who got it, or the first of its line.
    let user: UInt64
    /// Its place among all tokens, which no other has.
    let place: Int
    let kind: TokenMint.Kind
    /// Its number among the user's tokens of its kind.
    let number: Int
    let life: TokenLife
    /// The call that brought it, where only the response tells.
    let role: Endpoint.Role?
    /// The number of the first token that was brought at the same time, any of which its app may
    /// keep.
    var siblings: Int
    /// True as soon as it was refused as expired.
    var isRefused = false

    /// A short name: `T0`, `R1`.
    var name: String { (kind == .access ? "T" : "R") + "\(number)" }

    /// True if a client may refresh it proactively: half of its life is over, or its end unknown.
    func isDue(at now: Int64) -> Bool { life.isDue(at: now) ?? true }
}

/// The tokens that users of a live session got lately, by the numbers of their texts.
struct LiveTokens {
    private var known: [TokenNumber: LiveToken] = [:]
    private var places = 0

    /// A user's older tokens are forgotten; the mint still tells whose a genuine one is.
    static let perUserMax = 32

    subscript(token: TokenNumber?) -> LiveToken? { token.flatMap { known[$0] } }

    /// Notes a user's token, unless it is known.
    mutating func note(
        _ token: TokenNumber, _ kind: TokenMint.Kind, of user: LiveUser, at now: Int64,
        expiry: Int64?, by role: Endpoint.Role? = nil
    ) {
        guard known[token] == nil else { return }
        places += 1
        let number = user.numbers(kind)
        known[token] = LiveToken(
            user: user.number, place: places, kind: kind, number: number,
            life: TokenLife(issuedAt: now, expiry: expiry), role: role, siblings: number)
        user.tokens.append(token)
        if user.tokens.count > Self.perUserMax { known[user.tokens.removeFirst()] = nil }
    }

    /// The name of a user's token at a place; other words where it is forgotten.
    func name(ofPlace place: Int?, of user: LiveUser) -> String {
        token(atPlace: place, of: user)?.name ?? "the token"
    }

    /// A user's token at a place, unless it is forgotten.
    func token(atPlace place: Int?, of user: LiveUser) -> LiveToken? {
        user.tokens.lazy.compactMap { known[$0] }.first { $0.place == place }
    }

    /// The access token that a request shows where its service does not look, and how it shows it:
    /// `Authorization: OAuth …`, `?access_token=…` (RFC 6750 §2.3), or a cookie.
    func misplaced(in request: URLRequest) -> (token: LiveToken, place: String)? {
        for field in request.headers {
            let words = field.value.split(separator: " ")
            if words.count <= 2, let token = issued(words.last) {
                let place = ([field.name + ":"] + words.dropLast().map(String.init)).joined(
                    separator: " ")
                return (token, "\(place.keptFromOutside()) …")
            }
            guard field.name.lowercased() == "cookie" else { continue }
            for cookie in FormFields.cookies(in: field.value) {
                guard let token = issued(cookie.value) else { continue }
                return (token, "Cookie: \(String(cookie.name).keptFromOutside())=…")
            }
        }
        let body = request.body.count <= 1 << 16 ? request.body.bytes : []
        let fields = [("?", Array((request.url.query ?? "").utf8)), ("body: ", Array(body))]
        for (place, bytes) in fields {
            for pair in FormFields.pairs(in: bytes) {
                guard let token = issued(pair.value[...]) else { continue }
                return (token, "\(place)\(pair.name.keptFromOutside())=…")
            }
        }
        return nil
    }

    /// The access token that has a text and a stated end; the mint knows a JWT by its own.
    private func issued(_ text: Substring?) -> LiveToken? {
        guard let text = text.map(String.init),
            let token = self[TokenNumber(text: text)]
                ?? self[TokenNumber(text: JWT.signature(of: text))],
            token.kind == .access, token.life.expiry != nil
        else { return nil }
        return token
    }

    /// True for a text that programs write for a value that is not there.
    static func isPlaceholder(_ text: String) -> Bool {
        text.utf8.count <= 16 && placeholders.contains(text.lowercased())
    }

    private static let placeholders = [
        "undefined", "null", "(null)", "none", "nil", "nan", "[object object]", "false",
    ]

    /// True for a request that shows such a word as its token, or nothing where a refresh token
    /// belongs.
    static func hasPlaceholder(_ shows: TokenTexts?, _ endpoint: Endpoint) -> Bool {
        guard let shows else { return false }
        return lacksRefresh(shows, endpoint)
            || [shows.access, shows.refresh].contains { $0.map(isPlaceholder) ?? false }
    }

    private static func lacksRefresh(_ shows: TokenTexts, _ endpoint: Endpoint) -> Bool {
        endpoint.role == .refresh && shows.refresh?.isEmpty == true
    }

    /// What stands in place of a token that a request should show, in a sentence about it.
    func misused(
        _ shows: TokenTexts?, _ access: TokenNumber?, _ refresh: TokenNumber?,
        _ endpoint: Endpoint, isOwn: Bool
    ) -> String? {
        guard let shows else { return nil }
        if Self.lacksRefresh(shows, endpoint) { return BrokenPromise.emptyRefresh(endpoint.name) }
        if Self.hasPlaceholder(shows, endpoint) { return BrokenPromise.placeholder(endpoint.name) }
        guard isOwn else { return nil }
        if let access = self[access], access.kind == .refresh {
            return BrokenPromise.otherKind(endpoint.name, access.name, asAccess: true)
        }
        guard endpoint.role == .refresh, let refresh = self[refresh], refresh.kind == .access
        else { return nil }
        return BrokenPromise.otherKind(endpoint.name, refresh.name, asAccess: false)
    }

    mutating func refused(_ token: TokenNumber?) {
        if let token { known[token]?.isRefused = true }
    }

    /// A token was brought by a request that was sent when there were so many.
    mutating func note(_ token: TokenNumber, issuedBefore count: Int) {
        guard let number = known[token]?.number else { return }
        known[token]?.siblings = min(number, count)
    }

    mutating func forget(_ user: LiveUser) {
        for token in user.tokens { known[token] = nil }
    }
}
