import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallRaces
import Testing

@testable import SquallLive
@testable import SquallCases
@testable import SquallServices
@testable import SquallSockets

@Suite("Live server")
struct LiveServerTests {
    @Test("Requests enter at the present instant, and expired tokens are what a setup says")
    func world() throws {
        let clocked = ClockedWorld { $0.expireEveryNanoseconds = 10_000_000_000 }
        let token = try clocked.signIn()
        #expect(try clocked.call(token).status == 200)
        #expect(LiveReport(of: clocked.world).nothingEnded != nil)
        try clocked.pass(seconds: 11)
        #expect(try clocked.call(token).status == 401)
        #expect(clocked.world.judge.summary.requests == 3)
        let report = LiveReport(of: clocked.world)
        #expect(report.sentence.hasPrefix("3 requests by 1 user; "), "\(report.sentence)")
        #expect(report.nothingEnded == nil)
        #expect(clocked.world.tally.endpoints["posts"]?.statuses == [200: 1, 401: 1])
    }

    @Test("A header field that every request needs is named where requests lack it")
    func missingField() throws {
        let clocked = ClockedWorld {
            $0.services = .standard
            $0.origin = ContractYear.year2024.origin
        }
        for headers in [["SesacKey": "x"], [:]] as [HTTPHeaders] {
            let url = WebURL(origin: ContractYear.year2024.origin, path: "/v1/posts")
            _ = clocked.world.take(URLRequest(url: url, headers: headers), connection: 1) { _ in }
        }
        try clocked.pass(seconds: 5)
        let sentence = LiveReport(of: clocked.world).sentence
        #expect(sentence.contains("1 of 2 requests lacked the header field SesacKey"))
        #expect(sentence.hasPrefix("2 requests; nothing was judged."))
        let report = LiveReport(of: clocked.world)
        #expect(report.passes == nil && !report.isNotJudged)
    }

    @Test("Who asks without the path before all calls is told of it, and of an account")
    func basePath() throws {
        let clocked = ClockedWorld {
            $0.services = .standard
            $0.origin = ContractYear.year2024.origin
        }
        let url = WebURL(origin: ContractYear.year2024.origin, path: "/users/login")
        _ = clocked.world.take(URLRequest(url: url, method: .post), connection: 1) { _ in }
        try clocked.pass(seconds: 5)
        let sentence = LiveReport(of: clocked.world).sentence
        #expect(sentence.hasSuffix("under /v1: the client's base URL has to end with it."))
        let other = ClockedWorld()
        _ = other.world.take(URLRequest(url: url, method: .post), connection: 1) { _ in }
        try other.pass(seconds: 5)
        #expect(LiveReport(of: other.world).sentence.contains("can sign in with"))
    }

    @Test("A fault begins and ends when it is told to")
    func faults() throws {
        let clocked = ClockedWorld()
        let token = try clocked.signIn()
        let number = clocked.world.backend.beginFault(.failing(status: 503))
        #expect(try clocked.call(token).status == 503)
        #expect(clocked.world.backend.begunFaults.map(\.name) == ["serverError"])
        #expect(clocked.world.backend.endFault(number))
        #expect(!clocked.world.backend.endFault(number))
        #expect(try clocked.call(token).status == 200)
    }

    @Test(
        "The control API names what is wrong with a request, whatever it is",
        arguments: [
            ("/accounts?user=18446744073709551615", HTTPMethod.get, "", 200),
            ("/accounts?user=-1", .get, "", 400), ("/quiet?for=abc", .get, "", 400),
            ("/quiet?timeout=106751d", .get, "", 400), ("/faults", .post, "[]", 400),
            ("/faults", .post, "fault={\"kind\": \"tokenOutage\"}\r\n", 201),
            ("/faults", .post, #"{"kind": "latency", "at": "1m"}"#, 400),
            ("/drills", .post, "{", 400), ("/drills", .post, #"{"drill": 7}"#, 400),
        ])
    func wrongInput(path: String, method: HTTPMethod, body: String, status: Int) throws {
        let server = try LiveServer(ClockedWorld.setup, isStopped: { false })
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let url = WebURL(
            origin: "http://a.test", path: "/_squall" + parts[0],
            query: parts.count > 1 ? parts[1] : nil)
        let client = SocketServer.Client(file: 0, serial: 1)
        let request = URLRequest(url: url, method: method, body: Body(body))
        #expect(server.control(request, from: client)?.status == status)
    }

    @Test("The control API tells findings, and refuses pages of other origins")
    func control() throws {
        let server = try LiveServer(ClockedWorld.setup, isStopped: { false })
        func ask(_ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders = []) -> Int? {
            let url = WebURL(origin: "http://a.test", path: "/_squall" + path)
            return server.control(
                URLRequest(url: url, method: method, headers: headers),
                from: SocketServer.Client(file: 0, serial: 0))?.status
        }
        #expect(ask(.get, "/status") == 200)
        #expect(ask(.get, "/assert-none") == 200)
        #expect(ask(.get, "/accounts") == 200)
        #expect(ask(.post, "/expire") == 200)
        #expect(ask(.get, "/expire") == 404)
        #expect(ask(.delete, "/faults/7") == 404)
        #expect(ask(.post, "/reset", ["Accept": "text/html,*/*"]) == 303)
        let foreign: HTTPHeaders = ["Origin": "http://evil.test", "Host": "localhost:8080"]
        #expect(ask(.post, "/reset", foreign) == 403)
        let own: HTTPHeaders = ["Origin": "http://localhost:8080", "Host": "localhost:8080"]
        #expect(ask(.post, "/reset", own) == 200)
        #expect(ask(.post, "/expire/refresh") == 200)
        #expect(server.report.passes == nil)
        // A page whose own name points here (DNS rebinding).
        let rebound: HTTPHeaders = ["Origin": "http://evil.test:8080", "Host": "evil.test:8080"]
        #expect(ask(.post, "/reset", rebound) == 403)
        #expect(ask(.get, "/accounts", ["Host": "evil.test:8080"]) == 403)
        for host in ["127.0.0.1:8080", "[::1]:8080", "10.0.2.2", "host.docker.internal:8080"] {
            #expect(ask(.get, "/accounts", ["Host": host]) == 200)
        }
        // A network's name of this machine is one of its own, a page's is not, wherever it listens.
        _ = try server.listen(on: "0.0.0.0", port: 0)
        #expect(ask(.get, "/accounts", ["Host": "ci.example.com:8080"]) == 403)
        // A link or an image of another site sends no origin, and says where it comes from.
        #expect(ask(.post, "/expire", ["Sec-Fetch-Site": "cross-site"]) == 403)
        #expect(ask(.post, "/expire", ["Sec-Fetch-Site": "same-origin"]) == 200)
        let page = server.control(
            URLRequest(url: WebURL(origin: "http://a.test", path: "/_squall/"), method: .get),
            from: SocketServer.Client(file: 0, serial: 0))
        #expect(page?.headers["Content-Security-Policy"] == "frame-ancestors 'none'")
        #expect(
            server.report.document.remarks == [
                "4 requests of other sites or for another host got 403."
            ])
    }

    @Test("The status page has the last requests with their meaning, of one user or of all")
    func lastRequests() throws {
        let server = try LiveServer(ClockedWorld.setup, isStopped: { false })
        let clocked = ClockedWorld(of: server.world)
        let token = try clocked.signIn()
        _ = try clocked.call(token)
        server.world.expireAccessTokens()
        _ = try clocked.call(token)
        func page(_ query: String?) -> String {
            let url = WebURL(origin: "http://a.test", path: "/_squall/", query: query)
            return server.statusPage(URLRequest(url: url))
        }
        let whole = page(nil)
        #expect(whole.contains(#"http-equiv="refresh""#))
        #expect(whole.contains("the access token has expired") && whole.contains("T0"))
        #expect(!whole.contains(token) && !whole.contains("password-0"))
        let user = try #require(server.world.judge.recentRequests.first?.user)
        #expect(page("user=" + user.replacing(" ", with: "%20")).contains("has expired"))
        #expect(!page("user=nobody").contains("has expired"))
    }

    @Test("Each fault of a button of the status page can begin")
    func faultButtons() throws {
        let server = try LiveServer(ClockedWorld.setup, isStopped: { false })
        for (words, fault) in LiveServer.faults {
            let answer = try? server.world.perform(.post, "/faults", Body("fault=\(fault)\r\n"))
            #expect(answer?.status == 201, "\(words)")
        }
    }

    @Test(
        "Dates are those of the standard",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (1_725_148_800, "Sun, 01 Sep 2024 00:00:00 GMT"),
            (1_795_651_200, "Thu, 26 Nov 2026 00:00:00 GMT"),
        ] as [(Int64, String)])
    func dates(seconds: Int64, text: String) { #expect(HTTPDate.text(seconds) == text) }

    @Test("The curl lines of the live server send tokens where the service reads them")
    func curlLines() {
        var form = TokenForm.bearer
        form.access = .query("key")
        (form.refresh.path, form.refresh.token) = ("/renew/{token}", .path("token"))
        let access = ServiceAccess(
            form: form, headers: [], endpoints: [], example: (.get, "/posts?limit=5"),
            callsWithToken: [])
        let lines = access.curlLines(base: "http://a:1", ("user0@example.com", "it's"))
        #expect(lines.count == 4)
        #expect(lines[0].hasPrefix(#"TOKENS=$(curl -s -X POST "http://a:1/oauth/token""#))
        #expect(lines[0].contains(#"-d '{"email":"user0@example.com","password":"it'\''s"}'"#))
        #expect(lines[1].contains(#""http://a:1/posts?limit=5&key=$(echo "$TOKENS""#))
        #expect(lines[3].contains(#""http://a:1/renew/$(echo "$TOKENS""#))
        form.delivery = .json(access: "a.token", refresh: "r.token", lifetime: nil)
        let nested = ServiceAccess(
            form: form, headers: [], endpoints: [], example: nil, callsWithToken: [])
        let last = nested.curlLines(base: "http://a:1", ("", "")).last
        let token = #"grep -oE '"r" *: *\{[^}]*"token" *: *"[^"]*"' | head -n 1"#
        #expect(last?.contains(token) == true)
    }
}

/// A world that is served to no client, with a clock that the test moves.
final class ClockedWorld {
    let world: LiveWorld

    init(of world: LiveWorld) { self.world = world }

    init(_ change: (inout LiveSetup) -> Void = { _ in }) {
        var setup = ClockedWorld.setup
        change(&setup)
        world = LiveWorld(setup)
    }

    static var setup: LiveSetup {
        var services = ServicesPlan.standard
        services.userCount = 3
        services.declared = DeclaredService(
            origin: "http://a.test", form: .bearer,
            endpoints: [
                DeclaredEndpoint(
                    name: "posts", method: .get, path: "/posts", needsToken: true,
                    serviceTime: nil, bytes: 20, rows: 1, list: nil, requestBytes: 0)
            ])
        let backend = BackendPlan(
            tokens: .standard, network: .standard, server: .standard, userCount: 3)
        return LiveSetup(
            name: "test", seed: 1, backend: backend, services: services, origin: "http://a.test")
    }

    /// Lets time pass.
    func pass(seconds: Int64) throws {
        let end = world.simulation.now.advanced(byNanoseconds: seconds * 1_000_000_000)
        try world.simulation.follow(until: end)
    }

    func signIn() throws -> String {
        let body = #"{"email":"user0@example.com","password":"password-0"}"#
        let answer = try send(.post, "/oauth/token", ["Content-Type": "application/json"], body)
        let pattern = /"access_token" *: *"([^"]*)"/
        return try String(#require(answer.text.firstMatch(of: pattern)).1)
    }

    func call(_ token: String) throws -> (status: Int, text: String) {
        try send(.get, "/posts", ["Authorization": "Bearer \(token)"])
    }

    private func send(
        _ method: HTTPMethod, _ path: String, _ headers: HTTPHeaders, _ body: String = ""
    ) throws -> (status: Int, text: String) {
        let url = WebURL(origin: "http://a.test", path: path)
        let request = URLRequest(url: url, method: method, headers: headers, body: Body(body))
        var answer: (Int, String)?
        _ = world.take(request, connection: 1) { result in
            guard case .success(let response) = result else { return }
            answer = (response.head.statusCode, response.body.text)
        }
        try pass(seconds: 5)
        return try #require(answer)
    }
}
