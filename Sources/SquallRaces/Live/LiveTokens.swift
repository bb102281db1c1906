import SquallBackend
import SquallFormat
import SquallHTTP
import SquallJudge

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
        known[token] = LiveToken(
            user: user.number, place: places, kind: kind, number: user.numbers(kind),
            life: TokenLife(issuedAt: now, expiry: expiry), role: role)
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
    /// `Authorization: OAuth …`.
    func misplaced(in request: URLRequest) -> (token: LiveToken, place: String)? {
        for field in request.headers {
            let words = field.value.split(separator: " ")
            // The mint knows a JWT by its end.
            guard words.count <= 2, let text = words.last.map(String.init),
                let token = self[TokenNumber(text: text)]
                    ?? self[TokenNumber(text: JWT.signature(of: text))],
                token.kind == .access, token.life.expiry != nil
            else { continue }
            let place = ([field.name + ":"] + words.dropLast().map(String.init)).joined(
                separator: " ")
            return (token, "\(place.keptFromOutside()) …")
        }
        return nil
    }

    /// True for a text that programs write for a value that is not there.
    static func isPlaceholder(_ text: String) -> Bool {
        let words = [
            "undefined", "null", "(null)", "none", "nil", "nan", "[object object]", "false",
        ]
        return text.utf8.count <= 16 && words.contains(text.lowercased())
    }

    mutating func refused(_ token: TokenNumber?) {
        if let token { known[token]?.isRefused = true }
    }

    mutating func forget(_ user: LiveUser) {
        for token in user.tokens { known[token] = nil }
    }
}
