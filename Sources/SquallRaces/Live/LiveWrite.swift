import SquallBackend
import SquallFormat
import SquallHTTP
import SquallJudge
import SquallServices

/// The key by which a server can tell a write that it has done already.
struct IdempotencyKey {
    let text: String

    /// The key that a request shows, in a field or in its body.
    init?(of request: URLRequest) {
        if let text = Self.field(of: request) {
            self.text = text
            return
        }
        // Pictures are megabytes, and no body of that size is searched.
        guard 1...BodyContent.bytesMax ~= request.body.count, let text = BodyContent(request).key
        else { return nil }
        self.text = text
    }

    /// Header fields: of the IETF's draft, of Stripe and Adyen, PayPal, Checkout.com, and OASIS's
    /// Repeatable Requests.
    private static let fields = [
        "idempotency-key", "x-idempotency-key", "paypal-request-id", "cko-idempotency-key",
        "repeatability-request-id",
    ]
    /// Members of a body, in small letters without marks: of Square, of Google's AIP-155 and of
    /// AWS.
    private static let members = ["idempotencykey", "requestid", "clienttoken"]

    static func isMember(_ name: String) -> Bool {
        members.contains(name.lowercased().filter { $0.isLetter })
    }

    static func field(of request: URLRequest) -> String? {
        request.headers.first { fields.contains($0.name.lowercased()) }?.value
    }
}

extension LiveCalls {
    /// True for a request that changes something twice when it is done twice, as far as it shows.
    ///
    /// `PUT` and `DELETE` may be repeated (RFC 9110 §9.2.2), and so may searches and queries.
    static func isWrite(_ request: URLRequest) -> Bool {
        guard request.method == .post || request.method == .patch else { return false }
        let name = request.url.path.split(separator: "/").last?.lowercased() ?? ""
        if name.contains("search") || name.contains("query") { return false }
        guard name.contains("graphql") else { return true }
        return request.body.text.contains("mutation")
    }
}

extension WriteWatch.Write {
    /// A request that changes something; its body is read where `isWhole` is true.
    init(_ sent: LiveRequest, isWhole: Bool) {
        let request = sent.request
        let size = request.value(forHTTPHeaderField: "Content-Length").flatMap(Int.init)
        // A body that is passed on in pieces is not here.
        let isInPieces = request.value(forHTTPHeaderField: "Transfer-Encoding") != nil
        let count = request.body.count
        let bytes = size ?? (isInPieces && count == 0 ? nil : count)
        let content = isWhole ? BodyContent(request) : BodyContent()
        self.init(
            call: TokenTrace(call: request, shows: nil).call,
            body: isWhole ? StableHash(of: request.body.bytes).value : 0,
            content: content.hash.value,
            bytes: bytes, isHollow: count == bytes && Self.isHollow(request.body.bytes),
            key: IdempotencyKey.field(of: request) ?? content.key,
            request: Int(sent.number), sentAt: sent.sentAt)
    }

    private static func isHollow(_ body: [UInt8]) -> Bool {
        if body.starts(with: Array("\"{".utf8)) || body.starts(with: Array("\"[".utf8)) {
            return true
        }
        let text = String(decoding: body.prefix(20), as: UTF8.self)
        return text == "{}" || text == "\"\"" || LiveTokens.isPlaceholder(text)
    }
}

/// The content of a body, apart from its idempotency key and from times: those change with each
/// try.
private struct BodyContent {
    private(set) var hash = StableHash()
    private(set) var key: String?
    static let bytesMax = 64 << 10

    init() {}

    init(_ request: URLRequest) {
        let body = request.body.bytes
        if body.count <= Self.bytesMax, let first = body.first(where: { $0 > 32 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let node = try? JSONParser.parse(body)
        {
            read(node)
            return
        }
        let type = request.value(forHTTPHeaderField: "Content-Type")?.lowercased()
        guard body.count <= Self.bytesMax, type?.contains("urlencoded") == true else {
            hash.combine(body)
            return
        }
        for pair in FormFields.pairs(in: body) { read(pair.name, .string(pair.value)) }
    }

    private mutating func read(_ name: String, _ value: JSONNode.Value) {
        if IdempotencyKey.isMember(name) {
            if case .string(let text) = value { key = key ?? text }
            return
        }
        hash.combine(name.utf8)
        read(value)
    }

    private mutating func read(_ node: JSONNode) { read(node.value) }

    private mutating func read(_ value: JSONNode.Value) {
        switch value {
        case .null: hash.mix(0)
        case .bool(let isTrue): hash.mix(isTrue ? 2 : 1)
        case .number(let text), .string(let text):
            hash.combine(Self.isTime(text) ? "time".utf8 : text.utf8)
        case .array(let elements): for element in elements { read(element) }
        case .object(let members): for member in members { read(member.name, member.value.value) }
        }
    }

    /// True for a text that is a moment: `2026-11-28T…`, or seconds to nanoseconds since 1970.
    private static func isTime(_ text: String) -> Bool {
        let head = Array(text.utf8.prefix(11))
        func isDigit(_ place: Int) -> Bool { (48...57).contains(head[place]) }
        if head.count == 11, head[4] == UInt8(ascii: "-"), head[7] == UInt8(ascii: "-") {
            return [0, 1, 2, 3, 5, 6, 8, 9].allSatisfy(isDigit)
                && (head[10] == UInt8(ascii: "T") || head[10] == 32)
        }
        let whole = text.prefix { $0 != "." }
        return [10, 13, 16, 19].contains(whole.utf8.count) && whole.first == "1"
            && whole.utf8.allSatisfy { (48...57).contains($0) }
    }
}
