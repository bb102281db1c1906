import Foundation
import Squall

/// What a world asks of a client and how its service answers, drawn from a number.
struct RealPlan: Sendable {
    /// The refusal of an expired token.
    var expiry: (status: Int?, headers: [String: String])
    /// What some calls are answered at first, with a good token.
    var refusals: [Int: ServiceReply] = [:]
    var success = ServiceReply(json: "[1]")
    let calls: [RealCall]

    /// Calls of all kinds, and a service that refuses nothing but the expired token.
    ///
    /// None has a stream: it is used up when the token is refused, and cannot be sent again.
    init(plain count: Int, _ all: [RealCall.Kind]) {
        let kinds = all.filter { $0 != .stream }
        let refused = #"{"error": "invalid_token"}"#
        expiry = (
            nil,
            [
                "Content-Length": "\(refused.utf8.count)", "Vary": "Accept-Encoding",
                "Cache-Control": "no-store", "Date": "Sun, 01 Sep 2024 00:00:00 GMT",
                "WWW-Authenticate": #"Bearer error="invalid_token""#,
            ]
        )
        calls = (0..<count).map { number in
            RealCall(
                number, kinds[number % kinds.count], "POST", "/posts", length: 60, isKept: true,
                .never)
        }
    }

    /// Calls of any kinds, and whatever may happen to them.
    init(drawn seed: Int, count: Int, _ kinds: [RealCall.Kind]) {
        var dice = Dice(state: UInt64(seed))
        let status = dice.roll(3) == 0 ? 419 : nil
        expiry = (status, RealPlan.fields[dice.roll(RealPlan.fields.count)])
        success = RealPlan.successes[dice.roll(RealPlan.successes.count)]
        var calls: [RealCall] = []
        for number in 0..<count {
            let kind = kinds[dice.roll(kinds.count)]
            let method = dice.roll(4) == 0 ? "PUT" : "POST"
            let moves = dice.roll(6) == 0 && kind != .read
            let status = [301, 302, 303, 307, 308][dice.roll(5)]
            let isKept = !moves || status > 303 || status < 303 && method == "PUT"
            calls.append(
                RealCall(
                    number, kind, method, moves ? "/moved/\(status)" : "/posts",
                    length: RealFiles.lengths[dice.roll(RealFiles.lengths.count)],
                    isKept: isKept && kind != .read, RealPlan.cancellation(&dice)))
            if dice.roll(4) == 0 { refusals[number] = RealPlan.refusal(&dice) }
        }
        self.calls = calls
    }

    private static func cancellation(_ dice: inout Dice) -> RealCall.Cancellation {
        // Before it is sent, under way, refused, while a refresh is under way, sent again.
        let spans: [Int] = [
            0, 0, 1, 20, 40, 41, 79, 80, 81, 100, 160, 161, 200, 240, 241, 300, 900,
        ]
        let span = Duration.milliseconds(spans[dice.roll(spans.count)])
        switch dice.roll(8) {
        case 0: return .task(span)
        case 1: return .own(span)
        case 2: return .progress
        default: return .never
        }
    }

    private static func refusal(_ dice: inout Dice) -> ServiceReply {
        var reply = ServiceReply(
            status: [400, 403, 408, 419, 429, 429, 500, 502, 503, 503][dice.roll(10)])
        let all = fields[dice.roll(fields.count)]
        reply.headers = all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        if dice.roll(2) == 0 { reply.body = Array(#"{"error": "refused"}"#.utf8) }
        if all["Content-Encoding"] != nil, dice.roll(2) == 0 { reply.body = gzipped }
        if dice.roll(3) == 0 {
            reply.pieces = [(.milliseconds(5), Array(reply.body)), (.milliseconds(5), [])]
        }
        return reply
    }

    /// What usual servers and proxies say with a refusal, some of it wrong or for no body.
    private static let fields: [[String: String]] = [
        [:],
        ["Content-Length": "26", "Content-Type": "application/json"],
        ["Content-Length": "0"],
        ["Content-Length": "1000000"],
        ["Content-Length": "-1", "Content-Type": ""],
        ["Content-Length": "99999999999999999999"],
        ["WWW-Authenticate": #"Bearer realm="api", error="invalid_token""#],
        ["WWW-Authenticate": #"Basic realm="api""#],
        ["WWW-Authenticate": #"Digest realm="api", nonce="a", Basic realm="b""#],
        ["WWW-Authenticate": "Negotiate", "Proxy-Authenticate": "Basic"],
        ["Retry-After": "2"], ["Retry-After": "Sun, 01 Sep 2024 00:00:03 GMT"],
        ["Retry-After": "-1"], ["Retry-After": ""],
        ["Set-Cookie": "a=b; Path=/; HttpOnly"],
        ["Set-Cookie": "a=; Max-Age=0, b=c; Expires=Sun, 01 Sep 2024 00:00:00 GMT; Secure"],
        ["Set-Cookie": "=; ;,,"], ["Set-Cookie": ""],
        ["Content-Encoding": "gzip"], ["Content-Encoding": "gzip", "Content-Length": "20"],
        ["Content-Encoding": "br", "Content-Type": "text/html; charset=\"utf-8"],
        ["Transfer-Encoding": "chunked"], ["Transfer-Encoding": "chunked", "Content-Length": "5"],
        ["Content-Disposition": "attachment; filename=\"/a/b\"", "ETag": "W/\"a\""],
        ["Location": "/elsewhere"], ["Location": ""],
        ["Connection": "close", "Alt-Svc": "h3=\":443\"", "Server": "nginx", "X-Empty": ""],
        ["Content-Type": "multipart/mixed; boundary=", "Content-Range": "bytes */0"],
    ]

    private static let successes: [ServiceReply] = [
        ServiceReply(json: "[1]"), ServiceReply(status: 201, json: "[1]"),
        ServiceReply(status: 200, headers: [("Content-Length", "3")], body: Array("[1]".utf8)),
        ServiceReply(status: 204), ServiceReply(status: 204, headers: [("Content-Length", "9")]),
        ServiceReply(status: 200, headers: [("Content-Length", "0")]),
        .stream(["[", "1", "]"], every: .milliseconds(30), type: "application/json"),
        .stream(["[1]", ""], every: .zero, type: "application/json"),
    ]

    /// The bytes of `gzip` for an empty file.
    private static let gzipped: [UInt8] = [
        0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ]
}

/// SplitMix64, so that a number makes the same plan anywhere.
private struct Dice {
    var state: UInt64

    mutating func roll(_ sides: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var word = state
        word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
        word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((word ^ (word >> 31)) % UInt64(sides))
    }
}
