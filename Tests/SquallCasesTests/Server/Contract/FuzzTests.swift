import SquallHTTP
import SquallKernel
import Testing

import SquallBackend
@testable import SquallCases

@Suite("Rubbish")
struct FuzzTests {
    @Test(
        "A hundred thousand random requests get answers of the contract and break nothing",
        arguments: 1...20)
    func fuzz(seed: UInt64) throws {
        let scene = try Scene()
        var rubbish = Rubbish(seed: seed, scene: scene)
        for ordinal in 0..<5_000 {
            let request = rubbish.request(UInt64(ordinal))
            let operation = scene.server.operation(of: request)
            let answer = scene.server.answer(request)
            try #require(
                Self.isOfTheContract(answer, operation),
                "\(request.method) \(request.url) \(answer)")
        }
        try Self.checkInvariants(of: scene)
    }

    /// A success, or one of the refusals that the row names.
    private static func isOfTheContract(_ answer: Answer, _ operation: SquallCases.Operation?)
        -> Bool
    {
        guard answer.status != 200 else { return operation != nil }
        let named = operation?.refusals ?? [.wrongKey, .unknownRoute]
        return named.contains {
            $0.status == answer.status && $0.answer.body == answer.body
        }
    }

    /// What holds whatever was asked for.
    private static func checkInvariants(of scene: Scene) throws {
        let contract = scene.server.contract
        let numbers = try contract.posts.page(
            of: PostStore.Selection(), PageWindow(limit: .max)
        ).posts
        #expect(numbers == numbers.sorted(by: >) && Set(numbers).count == numbers.count)
        for user in 0..<contract.users.count where contract.users.contains(user) {
            #expect(contract.users.user(withNick: contract.users.nick(user)) == user)
            #expect(contract.users.user(withEmail: contract.users.email(user)) == user)
            for other in contract.users.followed(by: user) {
                #expect(contract.users.followers(of: Int(other)).contains(Int32(user)))
            }
        }
        let booked = contract.ledger.charges.count { $0.isValidated }
        #expect(contract.ledger.payments.count == booked)
    }
}

/// Makes requests that are nearly right, quite wrong, or nothing at all.
private struct Rubbish {
    private let stream: RandomStream
    private let scene: Scene
    private var number: RandomStream
    private var draws: UInt64 = 0

    init(seed: UInt64, scene: Scene) {
        stream = RandomStream(seed: seed).stream("fuzz")
        number = stream
        self.scene = scene
    }

    mutating func request(_ ordinal: UInt64) -> URLRequest {
        number = stream.stream(number: ordinal)
        draws = 0
        var attempt = attempt()
        if chance(3) { attempt.postID = name() }
        if chance(3) { attempt.userID = pick([name(), scene.server.userID(draw(8))]) }
        if chance(3) { attempt.commentID = name() }
        if chance(3) { attempt.filePath = pick(["..", "%2e%2e/etc", name(), "posts/a.png"]) }
        if chance(2) { attempt.query = query() }
        if chance(9) { attempt.key = pick([nil, "", name()]) }
        if chance(4) { attempt.token = token(attempt.token) }
        if chance(4) { attempt.refreshToken = token(attempt.refreshToken ?? "") }
        if chance(2) { attempt.body = body(attempt.body) }
        if chance(5) { attempt.contentType = pick(Self.contentTypes) }
        var request = attempt.request
        if chance(9) {
            request.url.path = "/" + (0..<draw(6)).map { _ in name() }.joined(separator: "/")
        }
        if chance(9) { request.method = pick([.get, .post, .put, .delete, .patch, .trace]) }
        if chance(20) { request.headers.add(name: name(), value: Self.long) }
        return request
    }

    /// A request that would succeed, had nobody written, deleted or withdrawn before.
    private mutating func attempt() -> Attempt {
        let endings: [ContractCall] = [.withdraw, .deletePost]
        var operation = pick(Operation.all)
        if endings.contains(operation.name), !chance(20) { operation = Operation.all[0] }
        var attempt = scene.attempt(operation)
        let author = draw(5)
        if operation.access == .accessToken { attempt.token = scene.server.token(of: author) }
        let posts = scene.server.contract.posts.ids(of: author)
        if !posts.isEmpty { attempt.postID = pick(posts).text }
        return attempt
    }

    private mutating func query() -> String {
        (0..<draw(5)).map { _ in
            pick(["next", "limit", "product_id", "hashTag", "", "limit%"]) + pick(["=", "", "=="])
                + pick([name(), "-1", "0", "5", "99999999999999999999", "1e3", "+5", "%zz", "٣"])
        }.joined(separator: pick(["&", "&&", ";"]))
    }

    private mutating func token(_ token: String) -> String {
        let text = pick([token, "", "r" + token, String(repeating: "f", count: 55), Self.long])
        return pick([text, String(text.reversed()), text + "\u{0}", text.uppercased()])
    }

    private mutating func body(_ body: Body) -> Body {
        var bytes = body.count > 10_000 ? [] : body.bytes
        switch draw(6) {
        case 0: return Body(pick(Self.bodies))
        case 1: bytes = Array(bytes.prefix(draw(bytes.count + 1)))
        case 2: if !bytes.isEmpty { bytes[draw(bytes.count)] = UInt8(draw(256)) }
        case 3: bytes += bytes
        case 4: return Body(parts: [body, Body(Blob(magic: [], seed: 1, count: draw(1 << 28)))])
        default: bytes = (0..<draw(200)).map { _ in UInt8(draw(256)) }
        }
        return Body(bytes)
    }

    private mutating func name() -> String {
        pick([
            scene.post.text, scene.comment.text, scene.server.userID(draw(6)), "v1", "posts", "me",
            "xyz", "%zz", "%2F", "%ff%fe", "🦊", "", String(scene.post.text.dropLast()),
            "ffffffffffffffffffffffff", "66d3ad80505651701700ffff", Self.long,
        ])
    }

    private mutating func pick<Value>(_ values: [Value]) -> Value { values[draw(values.count)] }

    private mutating func chance(_ oneIn: Int) -> Bool { draw(oneIn) == 0 }

    private mutating func draw(_ bound: Int) -> Int {
        draws += 1
        return Int(number.integer(below: UInt64(max(1, bound)), at: draws))
    }

    private static let long = String(repeating: "0123456789abcdef", count: 64)
    private static let contentTypes = [
        "", "application/json", "multipart/form-data", "multipart/form-data; boundary=",
        "multipart/form-data; boundary=fence", "multipart/form-data; boundary=\"fe;nce\"",
    ]
    private static let bodies = [
        "", "{}", "[", "null", "[]", "{\"email\":1}", "{\"email\":null,\"nick\":\"a b\"}",
        "{\"like_status\":\"true\"}", "{\"price\":1e400}", "{\"price\":1.5}", "{\"files\":[1]}",
        "{\"content\":\"\\ud800\"}", "\u{FEFF}{}", "{\"content\":\"#a\\u0000b #\"}",
        "{\"imp_uid\":\"imp_-1\",\"post_id\":\"\"}", "--fence--", "--fence\r\n\r\n\r\n--fence--",
        "--fence\r\nContent-Disposition: form-data; name=\"nick\"\r\n\r\na\r\n--fence--",
        "--fence\r\nContent-Disposition: form-data; name=\"files\"; filename=\"../a.png\"\r\n"
            + "\r\nx\r\n--fence--\r\n", "{\"a\":" + String(repeating: "[", count: 5_000),
    ]
}
