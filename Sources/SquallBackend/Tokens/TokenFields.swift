import SquallKernel

/// What a token says, in 61 characters: kind, five hexadecimal fields, signature.
struct TokenFields: Equatable {
    let kind: TokenMint.Kind
    let user: UInt32
    /// The sign-in that the token descends from, unique to the user.
    let family: UInt32
    /// How many refreshes lie between the sign-in and the token.
    let generation: UInt32
    let issuedAt: Instant
    let expiry: Instant

    /// The last generation that a token can name.
    static let lastGeneration: UInt32 = 0xFF_FFFF

    /// Sixteen million users, as many refreshes of one sign-in; 2⁵⁶ ns are two years.
    private static let digits = (user: 6, family: 8, generation: 6, instant: 14, signature: 12)
    static let length = 61

    init(
        kind: TokenMint.Kind, user: UInt32, family: UInt32, generation: UInt32, issuedAt: Instant,
        expiry: Instant
    ) {
        precondition(
            expiry.nanoseconds < 1 << 56 && generation <= TokenFields.lastGeneration,
            "no token can hold expiry \(expiry) and generation \(generation)")
        self.kind = kind
        self.user = user
        self.family = family
        self.generation = generation
        self.issuedAt = issuedAt
        self.expiry = expiry
    }

    /// Reads a token; `nil` unless it is whole and its signature is right.
    init?(_ token: String, signedBy stream: RandomStream) {
        guard token.utf8.count == TokenFields.length,
            let (fields, signature) = token.readingHex(TokenFields.read),
            signature == fields.signature(by: stream)
        else { return nil }
        self = fields
    }

    private static func read(_ reader: inout HexReader) -> (TokenFields, signature: UInt64)? {
        // Sixteen digits at a time, whatever the fields they belong to.
        guard let first = reader.byte(), let kind = TokenMint.Kind(rawValue: first),
            let a = reader.number(16), let b = reader.number(16), let c = reader.number(16),
            let signature = reader.number(digits.signature)
        else { return nil }
        let fields = TokenFields(
            kind: kind, user: UInt32(a >> 40), family: UInt32(truncatingIfNeeded: a >> 8),
            generation: UInt32(a & 0xFF) << 16 | UInt32(b >> 48),
            issuedAt: Instant(nanoseconds: Int64(b & 0xFFFF_FFFF_FFFF) << 8 | Int64(c >> 56)),
            expiry: Instant(nanoseconds: Int64(c & 0xFF_FFFF_FFFF_FFFF)))
        return (fields, signature)
    }

    func text(signedBy stream: RandomStream) -> String {
        String(unsafeUninitializedCapacity: TokenFields.length) { buffer in
            var writer = HexWriter(buffer: buffer)
            writer.byte(kind.rawValue)
            writer.number(UInt64(user), digits: TokenFields.digits.user)
            writer.number(UInt64(family), digits: TokenFields.digits.family)
            writer.number(UInt64(generation), digits: TokenFields.digits.generation)
            writer.number(UInt64(issuedAt.nanoseconds), digits: TokenFields.digits.instant)
            writer.number(UInt64(expiry.nanoseconds), digits: TokenFields.digits.instant)
            writer.number(signature(by: stream), digits: TokenFields.digits.signature)
            return writer.count
        }
    }

    /// Depends on every field: they are folded one after another into the stream's key.
    private func signature(by stream: RandomStream) -> UInt64 {
        stream.stream(number: UInt64(user) << 32 | UInt64(family))
            .stream(number: UInt64(issuedAt.nanoseconds) ^ UInt64(expiry.nanoseconds) << 1)
            .bits(at: UInt64(generation) << 8 | UInt64(kind.rawValue)) >> 16
    }
}

/// Genuine tokens that were read lately, by where their texts are in memory: a phone shows the text
/// that it was given again and again, and reading one takes a fiftieth of a request.
///
/// A text that is kept keeps its place, and is compared all the same. Made after so many tokens
/// only: most worlds of an exploration read a dozen.
struct ReadTokens {
    private static let count = 1_024
    private var reads = 0
    private var known: [(text: String, fields: TokenFields)?] = []

    /// Reads a token; `nil` unless it is whole and its signature is right.
    mutating func read(_ token: String, signedBy stream: RandomStream) -> TokenFields? {
        let place = token.utf8.withContiguousStorageIfAvailable {
            Int(bitPattern: $0.baseAddress) >> 4 & (Self.count - 1)
        }
        guard let place, !known.isEmpty else {
            reads += 1
            if reads > Self.count { known = Array(repeating: nil, count: Self.count) }
            return TokenFields(token, signedBy: stream)
        }
        if let known = known[place], known.text == token { return known.fields }
        let fields = TokenFields(token, signedBy: stream)
        if let fields { known[place] = (token, fields) }
        return fields
    }
}
