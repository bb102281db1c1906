/// An occasion on which some services refuse with words of their own.
public enum RefusalOccasion: String, Sendable, CaseIterable {
    /// A call shows no access token.
    case missing
    /// An access token was ended before its time: by a refresh, by reuse or by a sign-out.
    case ended
    /// A sign-in has a wrong name or password.
    case wrongPassword
    /// A sign-in has no name or no password.
    case missingAccount
    /// A refresh token's own life is over.
    case refreshExpired
    /// A refresh shows a token that was never issued.
    case unknownRefresh
    /// A refresh shows no token.
    case missingRefresh
    /// A call shows a refresh token where an access token stands, or a refresh the other way round.
    case refreshAsAccess, accessAsRefresh
}

/// A service's response to a bad token.
public struct TokenRefusal: Sendable, Hashable {
    /// The status code, such as 401.
    public var status: Int
    /// The body as JSON text.
    public var body: String
    /// True if the status alone tells it, whatever its body: real servers put times and paths in.
    public var statusAlone = false
    /// Header fields beside `Content-Type`, by their names.
    public var headers: [String: String]

    /// A refusal by its status, body and header fields.
    public init(_ status: Int, _ body: String = "{}", headers: [String: String] = [:]) {
        self.status = status
        self.body = body
        self.headers = headers
    }
}

extension TokenRefusal {
    /// True if a response is this one, however its server sets its JSON.
    public func matches(status: Int, body bytes: some Collection<UInt8>) -> Bool {
        guard status == self.status else { return false }
        guard !statusAlone else { return true }
        let own = body.utf8
        guard bytes.count >= own.count / 4, bytes.count <= 2 * own.count + 200 else { return false }
        return bytes.elementsEqual(own) || bytes.withoutJSONSpace == own.withoutJSONSpace
    }
}

extension Sequence<UInt8> {
    /// A JSON text without the white space that means nothing.
    fileprivate var withoutJSONSpace: [UInt8] {
        var isText = false
        var isEscaped = false
        return filter { byte in
            defer {
                if byte == UInt8(ascii: "\""), !isEscaped { isText.toggle() }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
            }
            return isText || !" \n\t\r".utf8.contains(byte)
        }
    }
}
