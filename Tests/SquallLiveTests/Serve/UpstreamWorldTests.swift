import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel
import SquallRaces
import SquallServices
import Testing

@testable import SquallLive

@Suite("A real server in a live world")
struct UpstreamWorldTests {
    @Test("Null in place of a refresh token is nothing in its place, but in other calls no token")
    func nullToken() throws {
        let rules = try UpstreamRules(UpstreamPlan("http://a.test"))
        func shown(_ path: String, _ body: String) -> (Endpoint.Role, String?) {
            let url = WebURL(origin: "http://a.test", path: path)
            let request = URLRequest(url: url, method: .post, body: Body(body))
            let role = rules.role(of: request)
            return (role, rules.shown(by: request, role: role).refresh)
        }
        #expect(shown("/auth/refresh", #"{"refreshToken": null}"#) == (.refresh, ""))
        #expect(shown("/auth/refresh", #"{"refreshToken": "r"}"#) == (.refresh, "r"))
        #expect(shown("/auth/refresh", "{}") == (.refresh, nil))
        let account = #"{"username": "a", "password": "b", "refreshToken": null}"#
        #expect(shown("/auth/login", account) == (.signIn, nil))
        #expect(shown("/devices", #"{"refreshToken": null}"#) == (.ordinary, nil))
    }

    @Test("Calls of odd names are known by the tokens that they bring, and judged like others")
    func oddNames() throws {
        let proxied = try ProxiedWorld()
        let first = try proxied.send(.post, "/v1/enter", #"{"code":"x"}"#)
        #expect(first.status == 200)
        try proxied.pass(seconds: 1)
        for expiry in 1...2 {
            let old = proxied.access
            #expect(try proxied.send(.get, "/posts", access: old).status == 200)
            proxied.world.expireAccessTokens()
            #expect(try proxied.send(.get, "/posts", access: old).status == 401)
            let body = #"{"rt":"\#(proxied.refresh)"}"#
            #expect(try proxied.send(.post, "/v1/again", body, access: old).status == 200)
            try proxied.pass(seconds: 1)
            #expect(try proxied.send(.get, "/posts", access: proxied.access).status == 200)
            #expect(proxied.world.judge.summary.refreshes == expiry)
        }
        #expect(proxied.world.judge.summary.expiries == 2)
        #expect(proxied.world.judge.findings.isEmpty)
        _ = try proxied.send(.post, "/v1/again", #"{"rt":"renewal-2"}"#, access: "token-no-2")
        #expect(proxied.world.judge.summary.redundantRefreshes == 1)
    }

    @Test("Tokens for several audiences do not replace each other; two for one audience do")
    func audiences() throws {
        let proxied = try ProxiedWorld {
            let refresh = $1 == "renewal-1" ? #","refresh_token":"renewal-1""# : ""
            return #"{"access_token":"\#($0)"\#(refresh),"expires_in":60}"#
        }
        let refresh = #"{"grant_type":"refresh_token","refresh_token":"renewal-1","scope":"#
        let account = #"{"grant_type":"password","username":"anna","password":"hush"}"#
        _ = try proxied.send(.post, "/oauth/token", account)
        var tokens: [String: String] = [:]
        for _ in 1...3 {
            for scope in ["mail", "files", "graph"] {
                _ = try tokens[scope].map { try proxied.send(.get, "/" + scope, access: $0) }
                _ = try proxied.send(.post, "/oauth/token", refresh + #""\#(scope)"}"#)
                tokens[scope] = proxied.access
                _ = try proxied.send(.get, "/" + scope, access: proxied.access)
            }
            for _ in 1...3 {
                try proxied.pass(seconds: 2)
                for (scope, token) in tokens.sorted(by: { $0.key < $1.key }) {
                    _ = try proxied.send(.get, "/" + scope, access: token)
                }
            }
            try proxied.pass(seconds: 2)
            proxied.world.expireAccessTokens()
        }
        #expect(proxied.found == [])
        _ = try proxied.send(.get, "/mail", access: tokens["mail"])
        for _ in 1...2 { _ = try proxied.send(.post, "/oauth/token", refresh + #""mail"}"#) }
        #expect(proxied.found == ["S4"])
    }

    @Test(
        "Calls that are refused with 403 where their token was taken before have no verdict",
        arguments: zip([2, 3, 5, 3], [0, 3, 5, 0]))
    func refusedLate(times: Int, told: Int) throws {
        let proxied = try ProxiedWorld()
        _ = try proxied.send(.post, "/oauth/token", #"{"grant_type":"password","username":"a"}"#)
        for path in ["/posts", "/me"] { _ = try proxied.send(.get, path, access: proxied.access) }
        for _ in 1...times {
            proxied.refusal = Answer(status: 403, body: Body("{}"))
            _ = try proxied.send(.get, "/posts", access: proxied.access)
            proxied.refusal = nil
            if told == 0, times > 2 { _ = try proxied.send(.get, "/me", access: proxied.access) }
        }
        #expect(proxied.world.judge.summary.refusedLate == told && proxied.found == [])
        let report = LiveReport(of: proxied.world)
        #expect(report.nothingEnded?.hasSuffix("--expired-status 403.") == (told > 0))
        #expect(report.passes == (told > 0 ? nil : true))
    }

    @Test(
        "A refresh that is refused for its scope or client ends no session",
        arguments: zip(["invalid_grant", "invalid_scope", "invalid_client"], [1, 0, 0]))
    func refusedRequests(error: String, ends: Int) throws {
        let proxied = try ProxiedWorld()
        _ = try proxied.send(.post, "/oauth/token", #"{"grant_type":"password","username":"a"}"#)
        proxied.renewal = Answer(status: 400, body: Body(#"{"error":"\#(error)"}"#))
        let refresh = #"{"grant_type":"refresh_token","refresh_token":"renewal-1"}"#
        for _ in 1...3 {
            try proxied.pass(seconds: 4)
            _ = try proxied.send(.post, "/oauth/token", refresh)
        }
        #expect(proxied.found == (ends == 1 ? ["L4"] : []))
        let verdict = proxied.world.judge.verdicts.first { $0.promise.id == "L4" }
        #expect(
            verdict?.outcome
                == (ends == 1
                    ? .broken(2)
                    : .notJudged(
                        "a refresh was refused with 400, but not for its token: its error says why,"
                            + " and its session goes on")))
    }

    @Test("A call shows its access token in its body once that was brought, but revokes no other")
    func inBody() throws {
        var rules = try UpstreamRules(UpstreamPlan("http://a.test"))
        let own = UpstreamTests.Call("", .ordinary, .post, "/", [], #"{"AccessToken":"token-a1"}"#)
            .request
        let other = UpstreamTests.Call(
            "", .ordinary, .post, "/introspect", [], #"{"token":"token-a1"}"#
        ).request
        #expect(rules.shown(by: own, role: .ordinary).access == nil)
        rules.learn(access: "token-a1")
        #expect(rules.shown(by: own, role: .ordinary).access == "token-a1")
        #expect(rules.shown(by: other, role: .ordinary).access == nil)
    }

    @Test("JSON is known by its type, and what is sent item by item is none")
    func types() {
        let types = [
            "application/json; charset=utf-8", "application/x-amz-json-1.1", "text/json",
            "application/vnd.api+json", "application/x-ndjson", "application/json-seq",
            "application/stream+json", "text/html",
        ]
        let read = types.filter(BroughtTokens.isJSON)
        #expect(read == Array(types.prefix(4)))
    }

    @Test("A call that brings a token for another organisation or password is no refresh")
    func otherOrganisations() throws {
        let proxied = try ProxiedWorld()
        _ = try proxied.send(.post, "/auth/login", #"{"username":"anna","password":"hush"}"#)
        for organisation in 1...4 {
            proxied.world.expireAccessTokens()
            _ = try proxied.send(.get, "/posts", access: proxied.access)
            let refresh = #"{"refresh_token":"\#(proxied.refresh)"}"#
            _ = try proxied.send(.post, "/auth/refresh", refresh)
            try proxied.pass(seconds: 1)
            _ = try proxied.send(.get, "/posts", access: proxied.access)
            let body = #"{"organisation":\#(organisation)}"#
            _ = try proxied.send(.post, "/memberships", body, access: proxied.access)
            try proxied.pass(seconds: 1)
            _ = try proxied.send(.get, "/posts", access: proxied.access)
            #expect(proxied.world.judge.summary.refreshes == organisation)
        }
        #expect(proxied.found == [])
    }

    @Test("A token in a field of its own that each response replaces is one user's")
    func rotatingFields() throws {
        let proxied = try ProxiedWorld()
        func token(_ number: UInt64) -> HTTPHeaders { ["access-token": "rotating-\(number)"] }
        proxied.renewal = Answer(status: 200, headers: token(1), body: Body("{}"))
        _ = try proxied.send(.post, "/auth/sign_in", #"{"email":"anna","password":"hush"}"#)
        for number: UInt64 in 1...3 {
            proxied.refusal = Answer(status: 200, headers: token(number + 1), body: Body("{}"))
            _ = try proxied.send(
                .get, "/posts", fields: token(number), connection: number + 1)
        }
        #expect(proxied.world.judge.summary.users == 1)
    }

    @Test("What a sign-in calls its parts is noted, and nothing that these hold")
    func seen() throws {
        let proxied = try ProxiedWorld { access, refresh in
            #"{"data":{"jwt":"\#(access)","renew_token":"\#(refresh)","ttl":60}}"#
        }
        #expect(proxied.seen == nil)
        let account = #"{"account":{"userName":"anna","passwd":"hush"}}"#
        _ = try proxied.send(.post, "/api/v1/auth/login", account)
        let (access, refresh) = (proxied.access, proxied.refresh)
        _ = try proxied.send(.get, "/posts", access: access)
        let seen = try #require(proxied.seen)
        let texts = seen.map { "\($0): \($1.line)" }.joined(separator: "\n")
        for part in [
            #""userField":"account.userName""#, #""passwordField":"account.passwd""#,
            #""path":"/api/v1/auth/login""#, #""access":"data.jwt""#,
            #""refresh":"data.renew_token""#, #""lifetime":"data.ttl""#,
        ] {
            #expect(texts.contains(part), "\(part) of \(texts)")
        }
        for text in ["anna", "hush", access, refresh] { #expect(!texts.contains(text)) }
    }

    @Test(
        "A client that goes on is found where its server refuses the token in words",
        arguments: [
            (403, #"{"error":"token_expired"}"#, ["L8"]),
            (400, #"{"error":"ExpiredToken"}"#, ["L8"]),
            (200, #"{"errors":[{"extensions":{"code":"UNAUTHENTICATED"}}]}"#, ["L8"]),
            (403, #"{"error":"forbidden"}"#, []),
        ])
    func words(status: Int, body: String, found: [String]) throws {
        let proxied = try ProxiedWorld()
        _ = try proxied.send(.post, "/auth/login", #"{"username":"anna","password":"hush"}"#)
        proxied.refusal = Answer(status: status, body: Body(body))
        for _ in 1...5 {
            try proxied.pass(seconds: 5)
            _ = try proxied.send(.get, "/posts", access: proxied.access)
        }
        #expect(proxied.found == found)
    }

    @Test("Only the server is asked that is named, and not for calls with an expired token")
    func asked() throws {
        let proxied = try ProxiedWorld()
        _ = try proxied.send(.post, "/auth/login", "{}")
        proxied.world.expireAccessTokens()
        let count = proxied.asked
        let refused = try proxied.send(.get, "/posts", access: proxied.access)
        #expect(refused.status == 401)
        #expect(refused.text.contains("token_expired"))
        #expect(proxied.asked == count)
        #expect(proxied.world.tally.endpoints["GET /posts"]?.statuses == [401: 1])
    }

    @Test(
        "A profile's faults strike in front of the server, by the names of calls",
        arguments: [("", "1"), (#""retryAfter":"29.5s","#, "30")])
    func faults(retryAfter: String, said: String) throws {
        let proxied = try ProxiedWorld()
        let fault =
            #"{"kind":"serverError","status":429,\#(retryAfter)"endpoints":["GET /posts"]}"#
        let number = proxied.world.backend.beginFault(try LiveFaults.upstream.read(fault)[0])
        let refused = try proxied.send(.get, "/posts")
        #expect(refused.status == 429)
        #expect(refused.retryAfter == said)
        #expect(proxied.asked == 0)
        #expect(try proxied.send(.get, "/others").status == 200)
        #expect(proxied.world.backend.endFault(number))
        #expect(try proxied.send(.get, "/posts").status == 200)
    }
}

/// A world whose server answers at once: every POST brings tokens.
private final class ProxiedWorld {
    let world: LiveWorld
    private let service: UpstreamService
    private(set) var asked = 0
    private var issued = 0
    /// What the server answers to a GET; success where it is `nil`.
    var refusal: Answer?
    /// What it answers to a POST; tokens where it is `nil`.
    var renewal: Answer?

    /// The newest token.
    var access: String { "token-no-\(issued)" }
    var refresh: String { "renewal-\(issued)" }

    var found: [String] { world.judge.findings.map(\.promise.id) }

    /// The settings that say how tokens were seen to travel.
    var seen: [(key: String, value: JSON)]? { service.seen.form?.settings }

    init(
        bringing tokens: @escaping (_ access: String, _ refresh: String) -> String = {
            #"{"access_token":"\#($0)","refresh_token":"\#($1)"}"#
        }
    ) throws {
        let plan = try UpstreamPlan("http://a.test")
        world = LiveWorld(LiveSetup(plan, seed: 1))
        service = try #require(world.upstream)
        service.handOut = { [unowned self] number, request, _ in
            asked += 1
            var body = "{}"
            if request.method == .post {
                issued += 1
                body = tokens(access, refresh)
            }
            let own = request.method == .get ? refusal : renewal
            service.answer(number, with: own ?? Answer(status: 200, body: Body(body)))
            return true
        }
    }

    func pass(seconds: Int64) throws {
        let end = world.simulation.now.advanced(byNanoseconds: seconds * 1_000_000_000)
        try world.simulation.follow(until: end)
    }

    func send(
        _ method: HTTPMethod, _ path: String, _ body: String = "", access: String? = nil,
        fields: HTTPHeaders = [], connection: UInt64 = 1
    ) throws -> (status: Int, text: String, retryAfter: String?) {
        var headers = fields
        if !body.isEmpty { headers["Content-Type"] = "application/json" }
        headers["Authorization"] = access.map { "Bearer \($0)" }
        let url = WebURL(origin: "http://a.test", path: path)
        let request = URLRequest(url: url, method: method, headers: headers, body: Body(body))
        var got: (Int, String, String?)?
        _ = world.take(request, connection: connection) { result in
            guard case .success(let response) = result else { return }
            let head = response.head
            got = (head.statusCode, response.body.text, head.headers["Retry-After"])
        }
        try pass(seconds: 1)
        return try #require(got)
    }
}
