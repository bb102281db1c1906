import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Code written for Alamofire")
struct SourceCompatibilityTests {
    @Test("Session(interceptor:) is one on the running task's phone")
    func session() async {
        let stack = Stack()
        let device = CurrentDevice(environment: stack.environment, user: 7)
        let session = CurrentDevice.$value.withValue(device) { Session(interceptor: Probe()) }
        #expect(session.user == 7 && session.environment === stack.environment)
        #expect(CurrentDevice.value == nil && session.interceptor is Probe)
    }

    @Test("Session(interceptor:) where no phone is known ends the program")
    func nobody() async {
        await #expect(processExitsWith: .failure) { _ = Session(interceptor: nil) }
    }

    @Test("Untyped parameters go into the query or the body, sorted on every level")
    func encoding() throws {
        let parameters: Parameters = [
            "tags": ["a", "b"], "page": ["size": 5, "at": 1.0] as Parameters, "is": true,
        ]
        let get = try URLEncoding.default.encode(URLRequest.test, with: parameters)
        #expect(
            get.url.query
                == "is=1&page%5Bat%5D=1&page%5Bsize%5D=5&tags%5B%5D=a&tags%5B%5D=b")
        let post = try URLEncoding(arrayEncoding: .indexInBrackets, boolEncoding: .literal)
            .encode(URLRequest.test(.post), with: ["t": ["x y"], "b": false])
        #expect(post.httpBody?.text == "b=false&t%5B0%5D=x%20y")
        #expect(post.headers["Content-Type"]?.hasPrefix("application/x-www-form") == true)
        #expect(try URLEncoding.httpBody.encode(URLRequest.test, with: nil) == .test)
    }

    @Test("A request from an address, parameters and an encoding")
    func request() async {
        let stack = Stack()
        let request = stack.session.request(
            "http://test/get", method: .get, parameters: ["q": 1],
            encoding: URLEncoding.queryString, headers: ["X": "1"])
        _ = await request.serializingData().response
        let sent = stack.transport.requests.first
        #expect(sent?.url.absoluteString == "http://test/get?q=1" && sent?.headers["X"] == "1")
    }

    @Test("Encoders have a default")
    func encoders() throws {
        let form: any ParameterEncoder = .default
        let json = JSONParameterEncoder.default
        #expect(try form.encode(["a": 1], into: .test).url.query == "a=1")
        #expect(try json.encode(["a": 1], into: .test(.post)).httpBody?.text == #"{"a":1}"#)
    }

    @Test("A request's body, verb and fields by Foundation's names")
    func members() {
        var urlRequest = URLRequest.test
        #expect(urlRequest.httpBody == nil && urlRequest.httpMethod == "GET")
        urlRequest.httpMethod = "POST"
        urlRequest.httpBody = Body("x")
        urlRequest.allHTTPHeaderFields = ["B": "2", "A": "1"]
        #expect(urlRequest.method == .post && urlRequest.body.text == "x")
        #expect(urlRequest.headers.map(\.name) == ["A", "B"])
        #expect(urlRequest.allHTTPHeaderFields == ["A": "1", "B": "2"])
    }

    @Test("Completions are called completionHandler, and statuses may be allowed to be empty")
    func handlers() async {
        let stack = Stack(FakeTransport(.status(201, "")))
        let value = await withCheckedContinuation { continuation in
            stack.get().responseData(
                emptyResponseCodes: [201], completionHandler: { continuation.resume(returning: $0) }
            )
        }
        #expect(value.error == nil)
        let request = stack.get()
        #expect(await request.serializingData().response.error != nil)
        #expect(request.task?.response?.statusCode == 201)
        #expect(await stack.get().serializingString(emptyResponseCodes: [201]).result == "")
    }

    @Test("A redirector with a behaviour", arguments: [("follow", 2), ("stay", 1), ("modify", 2)])
    func redirector(name: String, sends: Int) async {
        let stack = Stack(
            FakeTransport(
                .init(status: 302, headers: ["Location": "http://test/next"]), .ok))
        let behaviors: [String: Redirector.Behavior] = [
            "follow": .follow, "stay": .doNotFollow, "modify": .modify { target, _ in target },
        ]
        guard let behavior = behaviors[name] else { return }
        let request = stack.get().redirect(using: Redirector(behavior: behavior))
        _ = await request.serializingResponse().response
        #expect(stack.transport.requests.count == sends)
    }

    @Test("A refresh window by its nested name")
    func window() {
        let window = AuthenticationInterceptor<TestAuthenticator>.RefreshWindow(interval: 1)
        #expect(window == RefreshWindow(interval: 1, maximumAttempts: 5))
    }
}

extension Result where Success == String {
    fileprivate static func == (left: Self, right: String) -> Bool {
        if case .success(right) = left { true } else { false }
    }
}
