internal import Kernel

/// Issues tokens and judges them.
///
/// A token carries everything needed to judge it, and a signature; no table of tokens is kept. So a
/// new token does not end an older one's life, as with the signed tokens of the real server.
struct TokenMint {
    /// What a token is for.
    enum Kind: UInt8 {
        case access = 0x61
        case refresh = 0x72
    }

    /// What the server makes of a token.
    enum Judgement: Equatable {
        case valid(user: Int)
        case expired(user: Int)
        case unverifiable
    }

    let policy: TokenPolicy
    private let signature: RandomStream
    private let jitter: RandomStream
    private var issued: UInt64 = 0
    /// How many access tokens were issued.
    private(set) var accessTokensIssued = 0
    /// When the newest access token expires.
    private(set) var lastAccessExpiry = Instant.start
    /// Tokens issued before these instants count as expired.
    private var epochs: [Kind: Instant] = [:]

    init(policy: TokenPolicy, randomness: RandomStream) {
        self.policy = policy
        signature = randomness.stream("token.signature")
        jitter = randomness.stream("token.jitter")
    }

    /// A new token and the first instant at which it has expired; the policy's life unless given
    /// one.
    mutating func issue(
        _ kind: Kind, to user: Int, at now: Instant, lifetime: Int64? = nil
    ) -> (token: String, expiry: Instant) {
        issued += 1
        let span = lifetime ?? (kind == .access ? accessLifetime(of: user) : refreshLifetime)
        precondition(
            now.nanoseconds + span < 1 << 56, "a token cannot live \(span) ns from \(now) on")
        let fields = Fields(
            kind: kind, user: UInt64(user), serial: issued, issuedAt: now,
            expiry: now.advanced(byNanoseconds: span))
        if kind == .access {
            accessTokensIssued += 1
            lastAccessExpiry = fields.expiry
        }
        return (fields.text(signedBy: signature), fields.expiry)
    }

    /// Makes every token of a kind that was issued so far count as expired.
    mutating func expireAll(_ kind: Kind, at now: Instant) { epochs[kind] = now }

    /// Judges a token by signature, kind and age.
    func judge(_ token: String, as kind: Kind, at now: Instant) -> Judgement {
        guard let fields = Fields(token, signedBy: signature), fields.kind == kind else {
            return .unverifiable
        }
        let isRevoked = epochs[kind].map { fields.issuedAt <= $0 } ?? false
        return fields.expiry <= now || isRevoked
            ? .expired(user: Int(fields.user)) : .valid(user: Int(fields.user))
    }

    private var refreshLifetime: Int64 { policy.refreshLifetimeNanoseconds }

    private func accessLifetime(of user: Int) -> Int64 {
        guard policy.lifetimeJitterNanoseconds > 0 else { return policy.accessLifetimeNanoseconds }
        let bound = UInt64(policy.lifetimeJitterNanoseconds)
        let cut = jitter.stream(number: UInt64(user)).integer(below: bound, at: issued)
        return policy.accessLifetimeNanoseconds - Int64(cut)
    }
}

/// What a token says, as 55 characters: kind, four hexadecimal fields, signature.
private struct Fields {
    let kind: TokenMint.Kind
    let user: UInt64
    let serial: UInt64
    let issuedAt: Instant
    let expiry: Instant

    /// Sixteen million users, and 2⁵⁶ ns are two years.
    private static let digits = (user: 6, serial: 8, instant: 14, signature: 12)
    static let length = 55

    init(kind: TokenMint.Kind, user: UInt64, serial: UInt64, issuedAt: Instant, expiry: Instant) {
        self.kind = kind
        self.user = user
        self.serial = serial
        self.issuedAt = issuedAt
        self.expiry = expiry
    }

    /// Reads a token; `nil` unless it is whole and its signature is right.
    init?(_ token: String, signedBy stream: RandomStream) {
        guard token.utf8.count == Fields.length,
            let (fields, signature) = token.readingHex(Fields.read),
            signature == fields.signature(by: stream)
        else { return nil }
        self = fields
    }

    private static func read(_ reader: inout HexReader) -> (Fields, signature: UInt64)? {
        guard let first = reader.byte(), let kind = TokenMint.Kind(rawValue: first),
            let user = reader.number(digits.user), let serial = reader.number(digits.serial),
            let issuedAt = reader.number(digits.instant),
            let expiry = reader.number(digits.instant),
            let signature = reader.number(digits.signature)
        else { return nil }
        let fields = Fields(
            kind: kind, user: user, serial: serial,
            issuedAt: Instant(nanoseconds: Int64(issuedAt)),
            expiry: Instant(nanoseconds: Int64(expiry)))
        return (fields, signature)
    }

    func text(signedBy stream: RandomStream) -> String {
        String(unsafeUninitializedCapacity: Fields.length) { buffer in
            var writer = HexWriter(buffer: buffer)
            writer.byte(kind.rawValue)
            writer.number(user, digits: Fields.digits.user)
            writer.number(serial, digits: Fields.digits.serial)
            writer.number(UInt64(issuedAt.nanoseconds), digits: Fields.digits.instant)
            writer.number(UInt64(expiry.nanoseconds), digits: Fields.digits.instant)
            writer.number(signature(by: stream), digits: Fields.digits.signature)
            return writer.count
        }
    }

    private func signature(by stream: RandomStream) -> UInt64 {
        stream.stream(number: user << 8 | UInt64(kind.rawValue))
            .stream(number: UInt64(issuedAt.nanoseconds) ^ UInt64(expiry.nanoseconds) << 1)
            .bits(at: serial) >> 16
    }
}
