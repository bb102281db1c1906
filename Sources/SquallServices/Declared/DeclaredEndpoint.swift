public import SquallBackend
public import SquallHTTP
public import SquallKernel

/// A call of a declared service: its path, its cost and its answer.
public struct DeclaredEndpoint: Sendable {
    /// Its name in screens and results.
    public var name: String
    /// The verb.
    public var method: HTTPMethod
    /// The path with its variables in braces.
    public var path: String
    /// Whether it needs a good access token.
    public var needsToken: Bool
    /// How long a worker works on it; as long as the server says when `nil`.
    public var serviceTime: Distribution?
    /// How many bytes each object of the answer has.
    public var bytes: Int
    /// How many objects an answer holds; the most that a page holds.
    public var rows: Int
    /// The list whose pages it answers; `nil` when it always answers the same objects.
    public var list: (paging: ListPage.Paging, objects: Int)?
    /// How many bytes a request carries.
    public var requestBytes: Int

    var route: TokenRoute {
        let pages = DeclaredPages(self)
        var route = TokenRoute(method, path, name: name) { pages.answer($0) }
        route.needsToken = needsToken
        route.cost = serviceTime
        return route
    }
}

/// The answers of a declared endpoint, made of chunks that all objects of one size share.
final class DeclaredPages: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread; a world has its own.

    private let endpoint: DeclaredEndpoint
    private lazy var object = object(of: endpoint.bytes)
    private var runs: [Int: BodyChunk] = [:]
    private static let opening = BodyChunk(#"{"data":["#)
    private static let ending = BodyChunk(#"],"next":null}"#)
    /// What an object has before and after its text.
    private static let frame = (Array(#"{"text":""#.utf8), Array(#""}"#.utf8))

    init(_ endpoint: DeclaredEndpoint) { self.endpoint = endpoint }

    private func object(of bytes: Int) -> [UInt8] {
        let (opening, closing) = Self.frame
        let count = max(0, bytes - opening.count - closing.count)
        return opening + Array(repeating: UInt8(ascii: "x"), count: count) + closing
    }

    func answer(_ call: ServiceCall) -> ServiceReply {
        guard let list = endpoint.list else { return whole }
        guard let start = start(of: call, list.paging), start <= list.objects else {
            return ServiceReply(status: 400, json: #"{"error":"no such page"}"#)
        }
        let limit = call.query("limit").flatMap { Int($0) } ?? endpoint.rows
        let count = max(0, min(limit, endpoint.rows, list.objects - start))
        let end = start + count
        let isLast = end >= list.objects
        var reply = ServiceReply(headers: Self.headers)
        reply.shared = (
            body(of: count, next: isLast ? nil : end),
            ListPage(
                of: ListID(endpoint.name), by: list.paging, isFirst: start == 0, isLast: isLast,
                items: (start..<end).map { Int32($0) }, itemsEver: list.objects,
                rowsScanned: list.paging == .offset ? end : count)
        )
        return reply
    }

    /// The objects of an answer that is no page.
    private var whole: ServiceReply {
        var reply = ServiceReply(headers: Self.headers)
        let page = ListPage(
            of: ListID(endpoint.name), by: .cursor, isFirst: true, isLast: true,
            items: (0..<endpoint.rows).map { Int32($0) }, itemsEver: endpoint.rows,
            rowsScanned: endpoint.rows)
        reply.shared = (body(of: endpoint.rows, next: nil), endpoint.rows > 1 ? page : nil)
        return reply
    }

    private func start(of call: ServiceCall, _ paging: ListPage.Paging) -> Int? {
        guard let text = call.query(paging.rawValue) else { return 0 }
        return Int(text).flatMap { $0 >= 0 ? $0 : nil }
    }

    private func body(of count: Int, next: Int?) -> Body {
        let closing = next.map { BodyChunk(#"],"next":"\#($0)"}"#) } ?? Self.ending
        return Body(chunks: [Self.opening, run(of: count), closing].filter { $0.count > 0 })
    }

    private func run(of count: Int) -> BodyChunk {
        if let run = runs[count] { return run }
        let text = Array(repeating: object, count: count).joined(separator: [UInt8(ascii: ",")])
        let run = BodyChunk(Array(text), isRun: count > 0)
        runs[count] = run
        return run
    }

    private static let headers = [("Content-Type", "application/json; charset=utf-8")].map {
        (name: $0.0, value: $0.1)
    }
}
