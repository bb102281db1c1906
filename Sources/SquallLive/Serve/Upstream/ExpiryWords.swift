import SquallBackend
import SquallHTTP

/// How real servers say that the access token of a call has ended: by a status that means nothing
/// else, by a redirection to the sign-in, or in words.
///
/// A client that never refreshes leaves no other trace: without them its calls would be refused
/// for ever, and nothing would have been put to the test. By words speak Bluesky (400), many with
/// 403, and GraphQL, JSON-RPC and others that answer everything with 200.
enum ExpiryWords {
    /// True for a response to a call with an access token that says so.
    static func are(in answer: Answer) -> Bool {
        switch answer.status {
        case 401: !isAboutMore(answer.headers["WWW-Authenticate"] ?? "")
        case 419, 440, 498: true
        case 200..<300: (1...bytesOfSuccessMax).contains(answer.body.count) && errorTells(answer)
        case 300..<400: leadsToSignIn(answer)
        case 400..<500: answer.body.count <= bytesMax && refusalTells(answer)
        default: false
        }
    }

    private static let bytesMax = 16 << 10
    private static let bytesOfSuccessMax = 4 << 10
    private static let textMax = 300

    /// True for a refusal that a fresh token does not help: RFC 9470 §3, RFC 6750 §3.1.
    private static func isAboutMore(_ challenge: String) -> Bool {
        ["insufficient_user_authentication", "insufficient_scope"].contains {
            challenge.contains($0)
        }
    }

    private static func leadsToSignIn(_ answer: Answer) -> Bool {
        guard let path = answer.headers["Location"]?.prefix(while: { $0 != "?" && $0 != "#" })
        else { return false }
        return TokenWords.isLogIn(String(path))
    }

    private static func refusalTells(_ answer: Answer) -> Bool {
        if let challenge = answer.headers["WWW-Authenticate"], tell(challenge) { return true }
        let body = answer.body.bytes
        let fields = MessageFields(body, contentType: nil).all
        guard fields.isEmpty else {
            return fields.contains { tell($0.text) || codes.contains(MessageFields.plain($0.text)) }
        }
        return body.count <= textMax && tell(String(decoding: body, as: UTF8.self))
    }

    /// True for an error in a successful response: its name, and where it stands, say that it is
    /// one, for a message of a chat may have the same words.
    private static func errorTells(_ answer: Answer) -> Bool {
        let body = answer.body.bytes
        guard mayTell(body) else { return false }
        return MessageFields(body, contentType: nil).all.contains { field in
            errorNames.contains(field.name) && errorParents.contains(field.parent)
                && (tell(field.text) || codes.contains(MessageFields.plain(field.text)))
        }
    }

    private static let errorNames: Set = [
        "code", "error", "message", "msg", "errmsg", "errormsg", "errormessage", "errcode",
        "errorcode", "reason", "status", "errordescription",
    ]
    private static let errorParents: Set = [
        "", "error", "errors", "errorresponse", "extensions", "data",
    ]
    /// The codes of Apollo and gRPC, Hasura, and Hot Chocolate.
    private static let codes: Set = ["unauthenticated", "invalidjwt", "authnotauthenticated"]

    private static let parts = ["xpired", "enticated", "jwt"].map { Array($0.utf8) }

    /// True for a body that has a part of a word that tells; most have not, and need not be read.
    private static func mayTell(_ body: [UInt8]) -> Bool {
        body.indices.contains { start in
            parts.contains { part in
                body.count - start >= part.count
                    && part.indices.allSatisfy { body[start + $0] | 32 == part[$0] }
            }
        }
    }
}

extension ExpiryWords {
    /// True for a text that says of an access token, and of no other thing, that it has expired:
    /// `ExpiredToken`, `jwt expired`, `Your session has expired`, and not `reset token expired`.
    static func tell(_ text: String) -> Bool {
        guard text.utf8.count <= textMax else { return false }
        let words = words(of: text)
        return words.indices.contains { place in
            guard words[place] == "expired" else { return false }
            let before = words[..<place].lastIndex { !between.contains($0) }
            if let before, things.contains(words[before]) {
                return before == 0 || kinds.contains(words[before - 1])
            }
            let behind = words[(place + 1)...].firstIndex { !kinds.contains($0) }
            return behind.map { things.contains(words[$0]) } ?? false
        }
    }

    private static let things: Set = ["token", "jwt", "session"]
    /// Words between a token and what is said of it: "that you provided has", "is invalid or".
    private static let between: Set = [
        "has", "is", "was", "have", "been", "already", "that", "which", "you", "provided",
        "supplied", "sent", "used", "included", "in", "with", "the", "request", "invalid", "or",
    ]
    /// Words before a token that leave it an access token; "" is the mark between two clauses.
    private static let kinds: Set = [
        "", "access", "auth", "authentication", "authorization", "bearer", "id", "identity", "user",
        "login", "security", "api", "web", "oauth", "jwt", "your", "the", "this", "incoming",
        "provided", "specified", "error", "err", "code", "invalid", "or",
    ]

    /// The words of a text or a name in lower case, with "" where a clause ends.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word = []
        }
        let bytes = Array(text.utf8)
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case 65...90:
                let isAfterLower = place > 0 && (97...122).contains(bytes[place - 1])
                let isBeforeLower = place + 1 < bytes.count && (97...122).contains(bytes[place + 1])
                if isAfterLower || isBeforeLower { end() }
                word.append(byte | 32)
            case 97...122, 48...57, 128...: word.append(byte)
            case UInt8(ascii: " "), UInt8(ascii: "_"), UInt8(ascii: "-"): end()
            default:
                end()
                words.append("")
            }
        }
        end()
        return words
    }
}
