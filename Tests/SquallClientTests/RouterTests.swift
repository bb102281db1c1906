import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Routers")
struct RouterTests {
    enum Books: TargetType {
        case list(limit: Int, tag: String?)
        case add(String)

        var origin: String { "http://books.kr" }
        var path: String { "/v1/books" }
        var method: HTTPMethod { if case .add = self { .post } else { .get } }
        var query: [(name: String, value: String?)] {
            guard case .list(let limit, let tag) = self else { return [] }
            return [("limit", "\(limit)"), ("tag", tag)]
        }
        func body() -> Body { if case .add(let name) = self { Body(name) } else { .empty } }
    }

    @Test("A target's parts make its request, absent pairs left out and the rest escaped")
    func target() throws {
        let list = try Books.list(limit: 5, tag: "로 a&b").asURLRequest()
        #expect(
            list.url.absoluteString
                == "http://books.kr/v1/books?limit=5&tag=%EB%A1%9C%20a%26b")
        let plain = try Books.list(limit: 5, tag: nil).asURLRequest()
        #expect(plain.url.query == "limit=5" && plain.method == .get)
        let add = try Books.add("x").asURLRequest()
        #expect(add.url.query == nil && add.method == .post && add.body.text == "x")
    }
}

@Suite("Parameters")
struct ParameterTests {
    static let url = "http://books.kr/v1?a=1"

    /// The request that is sent for parameters.
    static func sent(
        _ method: HTTPMethod, _ parameters: [String: String]?, _ encoder: any ParameterEncoder,
        url: String = url, headers: HTTPHeaders = []
    ) async -> URLRequest? {
        let stack = Stack()
        let request = stack.session.request(
            url, method: method, parameters: parameters, encoder: encoder, headers: headers)
        _ = await request.serializingResponse().response
        return stack.transport.requests.first
    }

    @Test(
        "A form goes into the query of GET, HEAD and DELETE and into the body of others",
        arguments: RetryPolicyTests.methods)
    func methodDependent(method: HTTPMethod) async {
        let request = await Self.sent(method, ["b": "x y"], .urlEncodedForm)
        let isQuery = ["GET", "HEAD", "DELETE"].contains(method.rawValue)
        #expect(request?.url.query == (isQuery ? "a=1&b=x%20y" : "a=1"))
        #expect(request?.body.text == (isQuery ? "" : "b=x%20y"))
        let type = "application/x-www-form-urlencoded; charset=utf-8"
        #expect(request?.headers["Content-Type"] == (isQuery ? nil : type))
    }

    @Test("A form goes where it is told to", arguments: [true, false])
    func forced(isQuery: Bool) async {
        let encoder = URLEncodedFormParameterEncoder(
            destination: isQuery ? .queryString : .httpBody)
        let request = await Self.sent(.post, ["b": "1"], encoder)
        #expect(request?.url.query == (isQuery ? "a=1&b=1" : "a=1"))
        #expect(request?.body.text == (isQuery ? "" : "b=1"))
    }

    @Test("An empty form makes no query")
    func emptyForm() async {
        let request = await Self.sent(.get, [:], .urlEncodedForm, url: "http://books.kr/v1")
        #expect(request?.url.query == nil)
    }

    @Test("JSON goes into the body with sorted keys and a content type")
    func json() async {
        let request = await Self.sent(.post, ["b": "1/2", "a": "2"], .json)
        #expect(request?.body.text == #"{"a":"2","b":"1\/2"}"#)
        #expect(request?.headers["Content-Type"] == "application/json")
        let plain = JSONParameterEncoder(escapesSlashes: false)
        #expect(await Self.sent(.post, ["b": "1/2"], plain)?.body.text == #"{"b":"1/2"}"#)
    }

    @Test("A content type that is there already stays", arguments: [true, false])
    func keptType(isJSON: Bool) async {
        let encoder: any ParameterEncoder = isJSON ? .json : .urlEncodedForm
        let request = await Self.sent(.post, ["b": "1"], encoder, headers: ["content-type": "own"])
        #expect(request?.headers.map(\.description) == ["content-type: own"])
    }

    @Test("No parameters change nothing", arguments: [true, false])
    func absent(isJSON: Bool) async {
        let request = await Self.sent(.post, nil, isJSON ? .json : .urlEncodedForm)
        #expect(request?.body.isEmpty == true && request?.headers.isEmpty == true)
    }

    @Test("What cannot be encoded is the request's error", arguments: [true, false])
    func failing(isJSON: Bool) async {
        struct Failing: Encodable, Sendable {
            func encode(to encoder: any Encoder) throws { throw TestError() }
        }
        let encoder: any ParameterEncoder = isJSON ? .json : .urlEncodedForm
        let request = Stack().session.request(
            Self.url, method: .post, parameters: Failing(), encoder: encoder)
        #expect(
            await request.serializingResponse().response.error?.label == "parameterEncoderFailed")
    }

    @Test("An address that is none is the request's error")
    func invalidURL() async {
        let error = await Stack().session.request("nowhere").serializingResponse().response.error
        #expect(error?.label == "invalidURL")
    }

    @Test("A modifier changes the request anew for every attempt, and may fail")
    func modifier() async {
        let count = Notes<Int>()
        let stack = Stack(FakeTransport(.status(500), .ok), interceptor: Probe(retries: 1))
        let request = stack.session.request(Self.url) { urlRequest in
            count.append(0)
            urlRequest.headers["N"] = "\(count.values.count)"
        }
        _ = await request.validate().serializingData().response
        #expect(stack.transport.requests.map { $0.headers["N"] } == ["1", "2"])
        let failing = stack.session.request(Self.url) { _ in throw TestError() }
        let error = await failing.serializingResponse().response.error
        #expect(error?.label == "createURLRequestFailed")
    }

    @Test("Alamofire's default fields name encodings, six languages and the app")
    func defaultHeaders() {
        let headers = HTTPHeaders.alamofireDefault(
            languages: ["ko-KR", "en", "ja", "zh", "de", "fr", "it"], userAgent: "app")
        #expect(headers["Accept-Encoding"] == "br;q=1.0, gzip;q=0.9, deflate;q=0.8")
        #expect(
            headers["Accept-Language"]
                == "ko-KR;q=1.0, en;q=0.9, ja;q=0.8, zh;q=0.7, de;q=0.6, fr;q=0.5")
        #expect(headers.map(\.name) == ["Accept-Encoding", "Accept-Language", "User-Agent"])
    }
}
