import Foundation

/// A JSON web token (RFC 7519); its signature is not checked.
public enum JWT {
    /// The life of a token in seconds, from its issue (`iat`) to its expiry (`exp`); `nil` where it
    /// is no JWT or does not say (RFC 7519 §4.1).
    public static func lifeSeconds(of token: String) -> Double? {
        guard let from = number("iat", of: token), let to = expirySeconds(of: token), to > from
        else { return nil }
        return to - from
    }

    /// The expiry of a token (`exp`), in seconds since 1970; `nil` where it is no JWT or does not
    /// say.
    public static func expirySeconds(of token: String) -> Double? { number("exp", of: token) }

    /// True for a token with a claim; false for a text that is no JWT.
    public static func has(_ claim: String, _ token: String) -> Bool {
        claims(of: token)?[claim] != nil
    }

    /// The account that a token is for (`sub`, RFC 7519 §4.1.2; `user_id` in Django's); `nil` where
    /// it is no JWT or does not say.
    public static func subject(of token: String) -> String? {
        let claims = claims(of: token)
        switch (claims?["sub"] ?? claims?["user_id"])?.value {
        case .string(let text), .number(let text): return text
        default: return nil
        }
    }

    private static func number(_ claim: String, of token: String) -> Double? {
        guard case .number(let text)? = claims(of: token)?[claim]?.value else { return nil }
        return Double(text)
    }

    private static func claims(of token: String) -> JSONNode? {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let claims = base64(parts[1]) else { return nil }
        return try? JSONParser.parse(claims)
    }

    /// A token with claims; the signature is a text of base 64's letters that does not end with an
    /// `A`, which fills it up to whole bytes: clients decode it although they do not check it.
    public static func text(claims: JSON, signature: String) -> String {
        let head: JSON = ["alg": "HS256", "typ": "JWT"]
        let rest = String(repeating: "A", count: (4 - signature.utf8.count % 4) % 4)
        return [head, claims].map { base64($0.line) + "." }.joined() + signature + rest
    }

    /// The signature of a token that ``text(claims:signature:)`` has made; the text itself where it
    /// has none.
    public static func signature(of token: String) -> String {
        guard let dot = token.utf8.lastIndex(of: UInt8(ascii: ".")) else { return token }
        var signature = token[token.utf8.index(after: dot)...]
        while signature.last == "A" { signature.removeLast() }
        return String(signature)
    }

    private static func base64(_ text: String) -> String {
        Data(text.utf8).base64EncodedString().replacing("+", with: "-")
            .replacing("/", with: "_").replacing("=", with: "")
    }

    /// The bytes of base 64 as JWTs have it (RFC 7515 §2): with `-` and `_`, and without padding.
    private static func base64(_ text: Substring) -> [UInt8]? {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4)
        return Data(base64Encoded: usual + padding).map(Array.init)
    }
}
