import Foundation

/// What a JSON web token says of itself; its signature is not checked.
public enum JWT {
    /// How long a token lives, in seconds, from its issue (`iat`) to its expiry (`exp`); nil where
    /// it is no JWT or does not say (RFC 7519 §4.1).
    public static func lifeSeconds(of token: String) -> Double? {
        let parts = token.split(separator: ".")
        guard parts.count == 3, let claims = base64(parts[1]),
            let node = try? JSONParser.parse(claims),
            case .number(let issued)? = node["iat"]?.value,
            case .number(let expiry)? = node["exp"]?.value,
            let from = Double(issued), let to = Double(expiry), to > from
        else { return nil }
        return to - from
    }

    /// The bytes of base 64 as JWTs have it (RFC 7515 §2): with `-` and `_`, and without padding.
    private static func base64(_ text: Substring) -> [UInt8]? {
        let usual = text.replacing("-", with: "+").replacing("_", with: "/").prefix { $0 != "=" }
        let padding = String(repeating: "=", count: (4 - usual.utf8.count % 4) % 4)
        return Data(base64Encoded: usual + padding).map(Array.init)
    }
}
