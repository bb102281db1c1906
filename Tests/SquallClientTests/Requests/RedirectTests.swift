import SquallHTTP
import Testing

@testable import SquallClient

@Suite("Redirection")
struct RedirectTests {
    /// Sends everybody who is not there yet to a place.
    static func sending(to location: String, status: Int = 302) -> FakeTransport {
        FakeTransport { request, _ in
            guard request.url.absoluteString.hasSuffix("/there") else {
                return .init(status: status, headers: ["Location": location], body: .empty)
            }
            return .ok
        }
    }

    @Test(
        "An answer that points elsewhere is followed",
        arguments: [301, 302, 303, 307, 308],
        ["http://test/there", "/there", "http://other/there"])
    func follows(status: Int, location: String) async {
        let stack = Stack(Self.sending(to: location, status: status))
        let response = await stack.get().serializingData().response
        #expect(response.response?.statusCode == 200 && stack.transport.requests.count == 2)
        #expect(response.request?.url == URLRequest.test.url)
        #expect(stack.log.lines("redirect").count == 1)
        #expect(stack.transport.causes[0] == stack.transport.causes[1])
    }

    @Test(
        "Statuses other than redirects, and redirects without a location, are delivered",
        arguments: [(200, "/there"), (300, "/there"), (304, "/there"), (302, ""), (302, "there")])
    func notFollowed(status: Int, location: String) async {
        let stack = Stack(Self.sending(to: location, status: status))
        let response = await stack.get().serializingResponse().response
        #expect(response.response?.statusCode == status && stack.transport.requests.count == 1)
    }

    @Test(
        "307 and 308 keep verb and body, the others turn a POST into a GET",
        arguments: [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
    func verbs(status: Int, verb: String) async {
        let stack = Stack(Self.sending(to: "/there", status: status))
        var urlRequest = URLRequest.test(.post, body: "x")
        urlRequest.headers["Content-Type"] = "text/plain"
        _ = await stack.session.request(urlRequest).serializingData().response
        let last = stack.transport.requests.last
        #expect(last?.method.rawValue == verb)
        #expect(last?.body.text == (verb == "POST" ? "x" : ""))
        #expect((last?.headers["Content-Type"] == nil) == (verb == "GET"))
    }

    @Test(
        "Credentials do not travel to another origin",
        arguments: [("/there", true), ("http://other/there", false)])
    func credentials(location: String, staysHere: Bool) async {
        let stack = Stack(Self.sending(to: location))
        var urlRequest = URLRequest.test
        urlRequest.headers["Authorization"] = "secret"
        _ = await stack.session.request(urlRequest).serializingData().response
        #expect((stack.transport.requests.last?.headers["Authorization"] != nil) == staysHere)
    }

    @Test("No adapter sees the request an answer points to")
    func adapters() async {
        let probe = Probe()
        let stack = Stack(Self.sending(to: "/there"), interceptor: probe)
        _ = await stack.get().serializingData().response
        #expect(probe.adapts == 1)
    }

    @Test("A circle of redirects ends after the limit", arguments: [0, 1, 16])
    func circle(limit: Int) async {
        let stack = Stack(Self.sending(to: "/get")) { $0.redirectLimit = limit }
        let response = await stack.get().serializingData().response
        #expect(response.error?.label == "transport.httpTooManyRedirects")
        #expect(stack.transport.requests.count == limit + 1)
    }

    @Test("A session or a request can refuse or change redirections; the request's word counts")
    func redirectors() async {
        let changing = Redirector { target, _, _ in
            var target = target
            target.headers["Changed"] = "yes"
            return target
        }
        let stack = Stack(Self.sending(to: "/there")) { $0.redirector = .doNotFollow }
        let refused = await stack.get().serializingResponse().response
        #expect(refused.response?.statusCode == 302)
        let changed = await stack.get().redirect(using: changing).serializingData().response
        #expect(changed.response?.statusCode == 200)
        #expect(stack.transport.requests.last?.headers["Changed"] == "yes")
    }
}
