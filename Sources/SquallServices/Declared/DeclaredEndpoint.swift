import SquallBackend
public import SquallFormat
public import SquallHTTP
public import SquallKernel

/// A call of a declared service: its path, its cost and its response.
public struct DeclaredEndpoint: Sendable {
    /// The call's name in steps and results.
    public var name: String
    /// The verb.
    public var method: HTTPMethod
    /// The path with its variables in braces.
    public var path: String
    /// True if it needs a good access token.
    public var needsToken: Bool
    /// The worker's time; `nil` for the server's own.
    public var serviceTime: Distribution?
    /// The size of each object of the response in bytes.
    public var bytes: Int
    /// The number of objects in a response; the most that a page holds.
    public var rows: Int
    /// The list whose pages it responds with; `nil` when it always sends the same objects.
    public var list: DeclaredList?
    /// The size of a request's body in bytes.
    public var requestBytes: Int
    /// The parts of a request; `nil` where only its size is said.
    public var request: DeclaredRequest?
    /// Its response; lists of objects of one size when `nil`.
    public var response: DeclaredResponse?
    /// Its responses to requests that lack something, or name an object that is not there.
    var errors: [DeclaredResponse] = []
    /// The variables of its path that name an object of a list.
    public var picks: [Pick] = []

    /// A variable of a path whose value is a member of an object that a list showed.
    public struct Pick: Sendable {
        /// The variable's name.
        public var variable: String
        /// The name of the list's endpoint.
        public var list: String
        /// The names that lead to the value in an object, from outside in.
        public var member: [String]
    }

    /// The route; `objects` are the service's, by their names.
    func route(_ objects: [String: JSON]) -> TokenRoute {
        let answer: @Sendable (ServiceCall) -> ServiceReply
        if let own = try? DeclaredAnswers(self, objects) {
            answer = { own.answer($0) }
        } else {
            let pages = DeclaredPages(self)
            answer = { pages.answer($0) }
        }
        var route = TokenRoute(method, path, name: name, answer: answer)
        route.needsToken = needsToken
        route.cost = serviceTime
        return route
    }
}

/// The responses of a declared endpoint, made of chunks that all objects of one size share.
final class DeclaredPages: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread; a world has its own.

    private let endpoint: DeclaredEndpoint
    /// The moment at which a page was last asked for.
    private var latest = Instant(nanoseconds: 0)
    private lazy var object = object(of: endpoint.bytes)
    private var runs: [Int: BodyChunk] = [:]
    private static let opening = BodyChunk(#"{"data":["#)
    private static let ending = BodyChunk(#"],"next":null}"#)
    /// The bytes of an object before and after its text.
    private static let frame = (Array(#"{"text":""#.utf8), Array(#""}"#.utf8))

    init(_ endpoint: DeclaredEndpoint) { self.endpoint = endpoint }

    private func object(of bytes: Int) -> [UInt8] {
        let (opening, closing) = Self.frame
        let count = max(0, bytes - opening.count - closing.count)
        return opening + Array(repeating: UInt8(ascii: "x"), count: count) + closing
    }

    func answer(_ call: ServiceCall) -> ServiceReply {
        guard let list = endpoint.list else { return whole }
        latest = call.now
        guard let page = list.page(of: call, endpoint.rows) else {
            return ServiceReply(status: 400, json: #"{"error":"no such page"}"#)
        }
        var reply = ServiceReply(headers: Self.headers)
        reply.shared = (
            body(of: page.items.count, next: list.next(after: page)),
            list.counted(page, of: endpoint.name, keptBy: self)
        )
        return reply
    }

    /// The response that is no page.
    private var whole: ServiceReply {
        var reply = ServiceReply(headers: Self.headers)
        let page = ListPage(
            of: ListID(endpoint.name), by: .cursor, isFirst: true, isLast: true,
            items: (0..<endpoint.rows).map { Int32($0) }, itemsEver: endpoint.rows,
            rowsScanned: endpoint.rows)
        reply.shared = (body(of: endpoint.rows, next: nil), endpoint.rows > 1 ? page : nil)
        return reply
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

extension DeclaredPages: ListKeeper {
    func items(of list: ListID) -> [Int32] {
        guard let list = endpoint.list else { return [] }
        return list.objects(at: latest).map { Int32($0) }
    }
}

extension DeclaredEndpoint {
    init(_ read: inout SettingsReader) {
        name = read("name", .name, "What screens, thresholds and results call it.")
        method = read("method", .method, otherwise: "GET", "The verb.")
        path = read("path", .path, "The path with its variables in braces, such as /posts/{id}.")
        needsToken = read(
            "needsToken", .flag, otherwise: .bool(true),
            "Whether it requires a valid access token.")
        serviceTime = read.optional(
            "serviceTime", .distribution(0...Span.hour),
            "Time a worker needs for it; as long as the server's by default.")
        bytes = read(
            "bytes", .integer(11...10_000_000), otherwise: 1_000,
            "How many bytes each object of the response has.")
        rows = read(
            "rows", .integer(0...10_000), otherwise: 1,
            "How many objects a response holds; of a list a page holds so many.")
        list = read.optional(
            "list", .section { DeclaredList(&$0) },
            "The list of which it returns pages; always the same objects by default.")
        requestBytes = read(
            "requestBytes", .integer(0...100_000_000), otherwise: 0,
            "Size of the request body, in bytes.")
        request = read.optional(
            "request", .section { DeclaredRequest(&$0) }, "What a request carries.")
        response = read.optional(
            "response", .section { DeclaredResponse(&$0, usually: 200, isOfList: true) },
            "Its response; by default a list of objects of the size in bytes.")
        errors = read(
            "errors",
            .list(of: .section { DeclaredResponse(&$0, usually: 400, isOfList: false) }, 0...20),
            otherwise: [],
            "With 'response': what a request gets that lacks part of 'request' (422 or 400), or"
                + " names nothing with its path (404).")
        picks = read(
            "picks", .list(of: .section { Pick(&$0) }, 0...20), otherwise: [],
            "Variables of the path that name an object of a list that the app has loaded, in place"
                + " of 'request'.")
        checkSize(&read)
    }

    /// Refuses a response that is too large to be made in memory.
    private func checkSize(_ read: inout SettingsReader) {
        let limit = 100_000_000
        let most = max(rows, list?.sizeMax ?? 0)
        let size = max(bytes, response?.row?.line.utf8.count ?? 0)
        guard size.multipliedReportingOverflow(by: most).partialValue > limit,
            read.isSound("bytes", "rows")
        else { return }
        let path = read.path.appending(most == rows ? "rows" : "list.sizeMax")
        read.report(
            at: path,
            "\(path): a response may have \(Units.grouped(Int64(limit))) bytes, and"
                + " \(Units.grouped(Int64(most))) objects of \(Units.grouped(Int64(size))) are"
                + " more")
    }
}

extension DeclaredEndpoint.Pick {
    fileprivate init(_ read: inout SettingsReader) {
        variable = read("variable", .text(1...200), "The variable's name in the path.")
        list = read("list", .name, "The endpoint of the list.")
        member = read(
            "member", .text(1...200), otherwise: "id",
            "The value's name in an object of the list, such as id or key.id."
        ).split(separator: ".").map(String.init)
    }
}

extension SettingFormat<HTTPMethod> {
    /// A verb of HTTP.
    static var method: SettingFormat {
        let words = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"]
        return SettingFormat<String>.words(words).map { HTTPMethod(rawValue: $0) }
    }
}

extension SettingFormat<String> {
    /// A name for results: letters, digits, `-` and `_`.
    public static var name: SettingFormat {
        SettingFormat.text(1...40).refusing { text, path in
            let unfit = text.first { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            return unfit.map {
                "\(path) must have letters, digits, - and _ only, got \"\(text)\" with \"\($0)\""
            }
        }
    }

    /// A path of an API.
    static var path: SettingFormat {
        SettingFormat.text(1...200).refusing { text, path in
            guard text.hasPrefix("/"), !text.contains(where: { " ?#".contains($0) }) else {
                return "\(path) must begin with / and have no space, ? or #, got \"\(text)\""
            }
            let isSound = text.split(separator: "/").allSatisfy { part in
                VariablePart(part) != nil || !part.contains { "{}".contains($0) }
            }
            return isSound
                ? nil : "\(path) must have one variable a part, as in /posts/{id} or /{id}.json"
        }
    }

    /// A path of an API, also with a query behind it.
    static var target: SettingFormat {
        SettingFormat.text(1...400).refusing { text, path in
            let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            guard text.hasPrefix("/"), !text.contains(where: { " #".contains($0) }),
                parts.count == 1 || !parts[1].isEmpty
            else {
                return "\(path) must begin with / and have no space or #, got \"\(text)\""
            }
            return nil
        }
    }

    /// Scheme, host and port.
    static var origin: SettingFormat {
        SettingFormat.text(1...200).refusing { text, path in
            guard let url = WebURL(text + "/"), url.path == "/", text.contains("://"),
                url.origin == text
            else {
                return "\(path) must be scheme and host, such as \"https://api.example.com\","
                    + " got \"\(text)\""
            }
            return nil
        }
    }
}
