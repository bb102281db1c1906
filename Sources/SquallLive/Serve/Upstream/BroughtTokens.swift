import Foundation
import SquallBackend
import SquallFormat
import SquallHTTP

/// The tokens in a response of a real server: in its JSON, its cookies or its header fields.
struct BroughtTokens {
    /// A token, and how long it is good where the response says so.
    struct Token {
        let text: String
        let kind: TokenMint.Kind
        var lifeSeconds: Int64?
        /// The cookie that holds it.
        var cookie: String?
    }

    private(set) var all: [Token] = []

    private static let access = [
        "accesstoken", "accessjwt", "idtoken", "jwt", "authtoken", "bearertoken", "sessiontoken",
        "jwttoken",
    ]
    private static let refresh = ["refreshtoken", "refreshjwt", "renewtoken"]
    /// Names that mean a token only where one is awaited.
    private static let vague = ["token", "access", "key"]
    /// Names of a token in an object that says of which kind it is.
    private static let held = ["token", "value", "jwt"]
    private static let bodyBytesMax = 64 << 10

    /// The tokens of the response to a call.
    init(_ headers: HTTPHeaders, _ body: [UInt8], role: Endpoint.Role) {
        let isAwaited = role != .ordinary
        if body.count <= Self.bodyBytesMax, headers["Content-Encoding"] == nil {
            if let token = Self.alone(body, isAwaited: isAwaited && headers["Set-Cookie"] == nil) {
                all = [Token(text: token, kind: .access, lifeSeconds: Self.life(of: token))]
            } else if headers["Content-Type"].map(Self.isJSON) ?? isAwaited,
                isAwaited || Self.mayHaveTokens(body)
            {
                let fields = MessageFields(body, contentType: nil).all
                add(.access, from: fields, Self.access, isAwaited: isAwaited)
                add(.refresh, from: fields, Self.refresh, isAwaited: isAwaited)
            }
        }
        readFields(headers, isAwaited: isAwaited)
        let cookies = headers.values(for: "Set-Cookie")
        for value in cookies { readCookie(value, isAwaited: isAwaited) }
        guard isAwaited, !all.contains(where: { $0.kind == .access }) else { return }
        for value in cookies { readCookie(value, isAwaited: true, isNamed: false) }
    }

    /// The token that a body consists of, as text or as a string in JSON; where none is awaited,
    /// only a JWT is one.
    private static func alone(_ body: [UInt8], isAwaited: Bool) -> String? {
        TokenDelivery.token(inWhole: body).flatMap {
            isAwaited || $0.hasPrefix("eyJ") && JWT.expirySeconds(of: $0) != nil ? $0 : nil
        }
    }

    /// True for JSON that is not sent item by item.
    static func isJSON(_ contentType: String) -> Bool {
        let type = contentType.asciiLowercased.prefix { $0 != ";" && $0 != " " }
        return type.contains("json")
            && !["stream", "seq", "ndjson", "jsonl"].contains(where: type.contains)
    }

    /// True for a body that has a word of a token's name; most have not, and need not be read.
    private static func mayHaveTokens(_ body: [UInt8]) -> Bool {
        body.withUnsafeBytes { bytes in
            guard bytes.count > 16 else { return false }
            for place in 0..<bytes.count - 3 {
                switch bytes[place] {
                case UInt8(ascii: "o") where bytes[place + 1] == UInt8(ascii: "k"):
                    if bytes[place + 2] == UInt8(ascii: "e") { return true }
                case UInt8(ascii: "j"), UInt8(ascii: "J"):
                    if bytes[place + 1] | 32 == UInt8(ascii: "w") { return true }
                default: continue
                }
            }
            return false
        }
    }

    private mutating func add(
        _ kind: TokenMint.Kind, from fields: [MessageFields.Field], _ names: [String],
        isAwaited: Bool
    ) {
        func find(_ names: [String]) -> MessageFields.Field? {
            for name in names {
                if let found = fields.first(where: { $0.name == name && Self.isToken($0.text) }) {
                    return found
                }
            }
            return nil
        }
        var found = find(names)
        if found == nil, isAwaited {
            // As in {"tokens": {"access": {"token": …}, "refresh": {"token": …}}}.
            let part = kind == .access ? "access" : "refresh"
            // As in {"tokens": [access, refresh]}.
            let row = fields.filter { $0.name.isEmpty && ["", "tokens"].contains($0.parent) }
            found =
                fields.first {
                    Self.held.contains($0.name) && $0.parent == part && Self.isToken($0.text)
                }
                ?? find(kind == .access ? Self.vague : ["refresh"])
                ?? row.dropFirst(kind == .access ? 0 : 1).first { Self.isToken($0.text) }
        }
        guard let found else { return }
        let life = kind == .access ? found.lifeSeconds ?? Self.life(of: found.text) : nil
        all.append(Token(text: found.text, kind: kind, lifeSeconds: life))
    }

    /// Takes the tokens of header fields; a sign-in's are in any that is called so, such as
    /// OpenStack's `X-Subject-Token`.
    private mutating func readFields(_ headers: HTTPHeaders, isAwaited: Bool) {
        for field in headers where field.name.utf8.count >= (isAwaited ? 5 : 11) {
            let kind: TokenMint.Kind
            let name = MessageFields.plain(field.name)
            switch name {
            case "authorization", "accesstoken", "xaccesstoken", "xauthtoken": kind = .access
            case "refreshtoken", "xrefreshtoken": kind = .refresh
            case _ where isAwaited && name.hasSuffix("token"):
                if ["csrf", "xsrf"].contains(where: name.contains) { continue }
                kind = name.contains("refresh") ? .refresh : .access
            default: continue
            }
            let text = field.value.split(separator: " ").last.map(String.init) ?? ""
            guard Self.isToken(text), !all.contains(where: { $0.kind == kind }) else { continue }
            all.append(Token(text: text, kind: kind))
        }
    }

    /// Takes the tokens of a cookie.
    ///
    /// Where no cookie has a token's name, a sign-in's are those that scripts cannot read; one that
    /// is for few paths is for the refresh.
    private mutating func readCookie(_ value: String, isAwaited: Bool, isNamed: Bool = true) {
        let parts = value.split(separator: ";")
        let halves = (parts.first ?? "").split(separator: "=", maxSplits: 1)
        guard halves.count == 2, Self.isToken(String(halves[1])) else { return }
        let rules = parts.dropFirst().map { $0.asciiLowercased.filter { $0 != " " } }
        let name = MessageFields.plain(String(halves[0]))
        guard !rules.contains("max-age=0"), !name.contains("csrf"), !name.contains("xsrf") else {
            return
        }
        var isRefresh = ["refresh", "renew"].contains { name.contains($0) } || name == "rt"
        if isNamed {
            let words =
                isAwaited ? ["access", "session", "sid", "jwt", "auth", "token"] : Self.access
            guard isRefresh || name == "at" || words.contains(where: { name.contains($0) })
            else { return }
        } else {
            guard rules.contains("httponly") else { return }
            isRefresh =
                isRefresh || rules.contains { $0.hasPrefix("path=/") && $0.utf8.count > 6 }
        }
        let kind: TokenMint.Kind = isRefresh ? .refresh : .access
        guard !all.contains(where: { $0.kind == kind }) else { return }
        all.append(
            Token(
                text: String(halves[1]), kind: kind, lifeSeconds: Self.life(of: String(halves[1])),
                cookie: String(halves[0])))
    }

    private static func isToken(_ text: String) -> Bool {
        text.utf8.count >= 8 && !text.utf8.contains(32)
    }

    /// The life that a JWT tells, up to a year.
    private static func life(of token: String) -> Int64? {
        JWT.lifeSeconds(of: token).flatMap { $0 < 31_536_000 ? Int64($0) : nil }
    }
}
