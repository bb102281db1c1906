import SquallBackend
import SquallHTTP
import SquallSockets
import Testing

@testable import SquallLive

@Suite("A real server behind the proxy")
struct UpstreamTests {
    @Test(
        "An address is read with its port and path, or refused",
        arguments: [
            ("http://127.0.0.1:9000", "127.0.0.1:9000", ""), ("HTTP://a.test/", "a.test", ""),
            ("https://a.test:443/api/v1/", "a.test", "/api/v1"), ("http://[::1]:80", "[::1]", ""),
            ("a.test", nil, ""), ("ftp://a.test", nil, ""), ("http://", nil, ""),
            ("http://u:p@a.test", nil, ""), ("http://a.test:0", nil, ""),
            ("http://a.test:http", nil, ""), ("http://a.test/?q", nil, ""),
        ] as [(String, String?, String)])
    func addresses(text: String, authority: String?, path: String) {
        let plan = try? UpstreamPlan(text)
        #expect(plan?.address.authority == authority)
        #expect(plan?.address.path ?? "" == path)
    }

    @Test("Fields of one connection end at the proxy, and Host names the server")
    func requestFields() throws {
        let headers = try UpstreamHeaders(plan: UpstreamPlan("http://a.test:9000"))
        let sent = headers.request(
            [
                "Host": "localhost:8080", "Connection": "keep-alive, X-Hop", "X-Hop": "1",
                "TE": "trailers", "Upgrade": "h2c", "X-Squall-User": "anna", "x-Low": "b",
                "Accept-Encoding": "gzip",
            ], isRead: false)
        #expect(sent.map(\.name) == ["Host", "x-Low", "Accept-Encoding"])
        #expect(sent["Host"] == "a.test:9000")
        #expect(headers.request(["Accept-Encoding": "gzip"], isRead: true).isEmpty)
    }

    @Test(
        "Addresses on the server lead to the proxy, others stay",
        arguments: [
            ("https://a.test/x?y#z", "http://localhost:8080/x?y#z"),
            ("HTTPS://A.test:443/x", "http://localhost:8080/x"),
            ("//a.test/x", "http://localhost:8080/x"), ("/x", "/x"), ("x", "x"),
            ("https://a.test.evil/x", "https://a.test.evil/x"),
            ("https://a.test:8443/x", "https://a.test:8443/x"),
            ("http://a.test/x", "http://a.test/x"), ("https://a.test", "http://localhost:8080"),
        ])
    func locations(value: String, expected: String) throws {
        let headers = try UpstreamHeaders(plan: UpstreamPlan("https://a.test"))
        let sent = headers.response(["Location": value], base: "http://localhost:8080")
        #expect(sent["Location"] == expected)
    }

    @Test("Cookies are kept for the proxy's host, each of several")
    func cookies() throws {
        let headers = try UpstreamHeaders(plan: UpstreamPlan("https://a.test"))
        var fields = HTTPHeaders()
        for value in [
            "a=1; Domain=.a.test; Secure; HttpOnly", "b=2; SameSite=None; Secure",
            "__Host-c=3; Secure; Path=/",
        ] { fields.append(name: "Set-Cookie", value: value) }
        fields.append(name: "Alt-Svc", value: "h3=\":443\"")
        let sent = headers.response(fields, base: "http://localhost")
        #expect(
            sent.values(for: "Set-Cookie") == [
                "a=1; HttpOnly", "b=2", "__Host-c=3; Secure; Path=/",
            ])
        #expect(sent["Alt-Svc"] == nil)
    }

    @Test(
        "A call signs out by the last part of its path, or by the token of the user that it shows",
        arguments: [
            (HTTPMethod.post, "/v1/users/logout", "", true), (.post, "/sign-out", "", true),
            (.post, "/oauth/revoke", #"{"token": "refresh-token-of-the-user"}"#, true),
            (.post, "/oauth/revoke", #"{"token": "token-of-an-invitation"}"#, false),
            (.post, "/invites/3/revoke", "", false), (.post, "/sessions/revoke-others", "", false),
            (.get, "/help/logout-faq", "", false),
        ])
    func signOut(method: HTTPMethod, path: String, body: String, isOne: Bool) throws {
        var rules = try UpstreamRules(UpstreamPlan("http://a.test"))
        rules.learn(refresh: "refresh-token-of-the-user")
        var request = URLRequest(url: WebURL(origin: "http://a.test", path: path), method: method)
        request.body = Body(body)
        #expect(rules.isSignOut(request) == isOne)
    }

    @Test(
        "A grant of any type is a call for tokens, and those of a client are one account's",
        arguments: [
            ("client_credentials", true), ("urn:ietf:params:oauth:grant-type:jwt-bearer", true),
            ("urn:ietf:params:oauth:grant-type:token-exchange", true), ("password", false),
        ])
    func grants(grant: String, isClient: Bool) throws {
        let rules = try UpstreamRules(UpstreamPlan("http://a.test"))
        let url = WebURL(origin: "http://a.test", path: "/oauth/token")
        var request = URLRequest(url: url, method: .post)
        request.headers.add(name: "Content-Type", value: "application/x-www-form-urlencoded")
        request.body = Body("grant_type=\(grant)&client_id=app&username=anna")
        #expect(rules.role(of: request) == .signIn)
        #expect(UpstreamRules.account(of: request)?.isClient == isClient)
    }

    @Test(
        "Calls about tokens are found by what they are sent, then by their names", arguments: calls)
    func roles(_ call: Call) throws {
        let rules = try UpstreamRules(UpstreamPlan("http://a.test"))
        #expect(rules.role(of: call.request) == call.role, "\(call.name)")
        #expect(rules.shown(by: call.request, role: call.role) == call.shows, "\(call.name)")
    }

    struct Call: CustomTestStringConvertible {
        let name: String
        let request: URLRequest
        let role: Endpoint.Role
        let shows: TokenTexts
        var testDescription: String { name }

        init(
            _ name: String, _ role: Endpoint.Role, _ method: HTTPMethod, _ path: String,
            _ headers: HTTPHeaders = [], _ body: String = "", access: String? = nil,
            refresh: String? = nil
        ) {
            (self.name, self.role) = (name, role)
            let parts = path.split(separator: "?")
            var url = WebURL(origin: "http://a.test", path: String(parts[0]))
            if parts.count > 1 { url.query = String(parts[1]) }
            request = URLRequest(url: url, method: method, headers: headers, body: Body(body))
            shows = TokenTexts(access: access, refresh: refresh)
        }
    }

    static let calls = [
        Call("a read", .ordinary, .get, "/posts", ["Authorization": "Bearer t1"], access: "t1"),
        Call("a bare token", .ordinary, .get, "/posts", ["Authorization": "t1"], access: "t1"),
        Call("basic", .ordinary, .get, "/posts", ["Authorization": "Basic dTpw"]),
        Call("a sign-in", .signIn, .post, "/v1/x", [], #"{"email":"a","password":"b"}"#),
        Call("a sign-in by name", .signIn, .post, "/auth/login"),
        Call("a new password", .ordinary, .post, "/password", [], #"{"id":"a","password":"b"}"#),
        Call(
            "OAuth's sign-in", .signIn, .post, "/oauth/token",
            ["Content-Type": "application/x-www-form-urlencoded"],
            "grant_type=password&username=a"),
        Call(
            "OAuth's refresh", .refresh, .post, "/oauth/token",
            ["Content-Type": "application/x-www-form-urlencoded"],
            "grant_type=refresh_token&refresh_token=r%2F1", refresh: "r/1"),
        Call(
            "a refresh in JSON", .refresh, .post, "/v1/y", ["Authorization": "Bearer t1"],
            #"{"refreshToken":"r1"}"#, access: "t1", refresh: "r1"),
        Call(
            "a refresh in a field", .refresh, .get, "/v1/auth/refresh",
            ["Authorization": "t1", "Refresh": "r1"], access: "t1", refresh: "r1"),
        Call(
            "a refresh as bearer", .refresh, .post, "/auth/refresh", ["Authorization": "Bearer r1"],
            refresh: "r1"),
        Call(
            "a refresh in a query", .refresh, .get, "/v1/renew?refreshToken=r1", refresh: "r1"),
        Call(
            "a refresh in parts", .refresh, .post, "/v1/y",
            ["Content-Type": "multipart/form-data; boundary=b"],
            "--b\r\nContent-Disposition: form-data; name=\"refresh_token\"\r\n\r\nr1\r\n--b--\r\n",
            refresh: "r1"),
        Call("a feed's refresh", .ordinary, .post, "/feed/refresh"),
        Call("a sign-out", .ordinary, .post, "/logout", [], #"{"refreshToken":"r1"}"#),
        Call("a habit", .ordinary, .post, "/settings", [], #"{"refresh":"daily"}"#),
    ]

    @Test("Paths that are told count, and others do not")
    func told() throws {
        var plan = try UpstreamPlan("http://a.test")
        (plan.refreshPath, plan.tokenHeader) = ("/renewals", "X-Key")
        let rules = UpstreamRules(plan)
        let renewal = Call("", .refresh, .post, "/renewals").request
        let other = Call("", .ordinary, .post, "/auth/refresh").request
        #expect(rules.role(of: renewal) == .refresh)
        #expect(rules.role(of: other) == .ordinary)
        let read = Call("", .ordinary, .get, "/x", ["X-Key": "Bearer t1"]).request
        #expect(rules.shown(by: read, role: .ordinary).access == "t1")
    }

    @Test("Tokens are found in JSON, cookies and fields", arguments: responses)
    func brought(_ body: String, _ headers: HTTPHeaders, _ texts: [String], _ life: Int64?) {
        var fields = headers
        if !body.isEmpty { fields.append(name: "Content-Type", value: "application/json") }
        let found = BroughtTokens(fields, Array(body.utf8), role: .signIn).all
        #expect(found.map(\.text) == texts)
        #expect(found.first?.lifeSeconds == life)
    }

    static let responses: [(String, HTTPHeaders, [String], Int64?)] = [
        (
            #"{"access_token":"token-a1","refresh_token":"token-r1","expires_in":300}"#, [],
            ["token-a1", "token-r1"], 300
        ),
        (
            #"{"data":{"accessToken":"token-a1","refreshToken":"token-r1"}}"#, [],
            ["token-a1", "token-r1"], nil
        ),
        (
            #"{"tokens":{"access":{"token":"token-a1"},"refresh":{"token":"token-r1"}}}"#, [],
            ["token-a1", "token-r1"], nil
        ),
        (
            #"{"tokens":[{"type":"refresh","value":"token-r1"},"#
                + #"{"type":"access_token","value":"token-a1","expires_in":60}]}"#, [],
            ["token-a1", "token-r1"], 60
        ),
        (#"{"tokens":["token-a1","token-r1"]}"#, [], ["token-a1", "token-r1"], nil),
        (#"["token-a1","token-r1"]"#, [], ["token-a1", "token-r1"], nil),
        (#"{"roles":["reader-1","writer-1"]}"#, [], [], nil),
        (#"{"token":"token-a1","user":{"id":"1"}}"#, [], ["token-a1"], nil),
        // {"iat":1000,"exp":1900}
        (
            #"{"jwt":"eyJh.eyJpYXQiOjEwMDAsImV4cCI6MTkwMH0.c2ln"}"#, [],
            ["eyJh.eyJpYXQiOjEwMDAsImV4cCI6MTkwMH0.c2ln"], 900
        ),
        ("", ["Set-Cookie": "session=token-a1; HttpOnly"], ["token-a1"], nil),
        ("", ["Set-Cookie": "XSRF-TOKEN=token-x1"], [], nil),
        ("", ["Set-Cookie": "at=token-a1; HttpOnly; Path=/"], ["token-a1"], nil),
        ("", ["Set-Cookie": "rt=token-r1; HttpOnly; Path=/auth"], ["token-r1"], nil),
        ("", ["Set-Cookie": "theme=dark-and-light; Path=/"], [], nil),
        ("", ["Set-Cookie": "rt=token-r1; HttpOnly; Path=/"], ["token-r1"], nil),
        ("", ["Set-Cookie": "session=token-a1; Max-Age=0"], [], nil),
        (
            "", ["X-Access-Token": "token-a1", "X-Refresh-Token": "token-r1"],
            ["token-a1", "token-r1"], nil
        ),
        ("", ["X-Token": "token-a1"], ["token-a1"], nil),
        ("", ["Auth-Token": "token-a1", "ETag": "token-e1"], ["token-a1"], nil),
        (#"{"message":"none"}"#, [], [], nil),
        (#""token-of-16-letters""#, [], ["token-of-16-letters"], nil),
        ("", ["X-Subject-Token": "token-a1", "X-CSRF-Token": "token-x1"], ["token-a1"], nil),
    ]

    @Test("Tokens of ordinary responses are only those with a token's whole name")
    func ordinary() {
        func found(_ body: String) -> Int {
            BroughtTokens(
                ["Content-Type": "application/json"], Array(body.utf8), role: .ordinary
            ).all.count
        }
        #expect(found(#"{"token":"device-push-token","nextPageToken":"abcdefgh"}"#) == 0)
        #expect(found(#"{"accessToken":"token-a1"}"#) == 1)
    }

    @Test("A proxied token expires on demand or after its life, and is valid when issued again")
    func expiry() throws {
        var plan = try UpstreamPlan("http://a.test")
        plan.expireAfterNanoseconds = 100
        var tokens = UpstreamTokens(plan)
        let (token, unknown) = (TokenNumber(text: "token-a1"), TokenNumber(text: "token-a2"))
        func expired(_ token: TokenNumber, _ now: Int64) -> Bool {
            tokens.hasExpired(token, at: now)
        }
        tokens.brought(token, at: 0)
        #expect([99, 100].map { expired(token, $0) } == [false, true])
        tokens.brought(token, at: 110)
        #expect(!expired(token, 120))
        tokens.expire(at: 130)
        #expect(expired(token, 130))
        #expect(!expired(unknown, 140))
    }

    @Test("A refresh token that was exchanged is refused when it is shown again, by the rule")
    func rotation() throws {
        func refused(_ rule: UpstreamPlan.Rotation?) throws -> [Bool] {
            var plan = try UpstreamPlan("http://a.test")
            plan.rotation = rule
            var tokens = UpstreamTokens(plan)
            let line = ["refresh-0", "refresh-1"].map { TokenNumber(text: $0) }
            tokens.exchanged(line[0], for: line[1])
            var refused: [Bool] = []
            for place in [1, 0, 1] { refused.append(tokens.refuses(refresh: line[place])) }
            return refused
        }
        #expect(try refused(nil) == [false, false, false])
        #expect(try refused(.oneShot) == [false, true, false])
        #expect(try refused(.strict) == [false, true, true])
    }

    @Test("Refresh tokens that were revoked are refused, and later ones are not")
    func revocation() throws {
        var tokens = UpstreamTokens(try UpstreamPlan("http://a.test"))
        let (old, new) = (TokenNumber(text: "refresh-0"), TokenNumber(text: "refresh-1"))
        func refused() -> [Bool] {
            let first = tokens.refuses(refresh: old)
            return [first, tokens.refuses(refresh: new)]
        }
        tokens.brought(refresh: old, at: 0)
        #expect(refused() == [false, false])
        tokens.revokeRefreshTokens(at: 1)
        tokens.brought(refresh: new, at: 2)
        #expect(refused() == [true, false])
    }

    @Test("The expired response is as told, else as the server's own, best one that says so")
    func expiredResponse() throws {
        var plan = try UpstreamPlan("http://a.test")
        var tokens = UpstreamTokens(plan)
        #expect(tokens.response.status == 401)
        tokens.learn(Answer(status: 401, headers: ["X-Trace": "1"], body: Body("invalid")))
        #expect(tokens.response.body.text == "invalid")
        #expect(tokens.response.headers.isEmpty)
        tokens.learn(Answer(status: 419, body: Body("expired")))
        tokens.learn(Answer(status: 401, body: Body("other")))
        #expect(tokens.response.status == 419)
        plan.expiredStatus = 403
        plan.expiredBody = #"{"code":7}"#
        let told = UpstreamTokens(plan).response
        #expect(told.status == 403)
        #expect(told.body.text == #"{"code":7}"#)
    }

    @Test(
        "A response says that the token has expired by its status, a redirection or in words",
        arguments: [
            (401, "", "", true), (440, "<h1>Login Time-out</h1>", "", true), (403, "no", "", false),
            (401, "", #"Bearer error="insufficient_user_authentication""#, false),
            (403, #"{"error":"token_expired"}"#, "", true), (403, "Access token expired", "", true),
            (400, #"{"error":"ExpiredToken","message":"Token has expired"}"#, "", true),
            (
                400,
                #"{"error":{"message":"Error validating access token: Session has expired on"}}"#,
                "", true
            ),
            (403, #"{"code":"ERR_JWT_EXPIRED"}"#, "", true),
            (400, "", "expired_access_token", true),
            (
                403, #"{"errors":[{"details":"The access token you provided has expired."}]}"#, "",
                true
            ),
            (403, "The security token included in the request is expired", "", true),
            (403, #"{"error":"The coupon in the request has expired"}"#, "", false),
            (403, #"{"error":"The invitation token that you sent has expired"}"#, "", false),
            (200, #"{"error_code":111,"error_msg":"Access token expired"}"#, "", true),
            (
                200,
                #"{"code":"Illegal","message":"The access token is invalid or expired"}"#,
                "", true
            ),
            (200, #"{"error_response":{"code":19,"msg":"token expired"}}"#, "", true),
            (400, #"{"error":"reset token expired"}"#, "", false),
            (410, #"{"error":"Your upload session has expired"}"#, "", false),
            (403, #"{"error":"The trial of this account has expired"}"#, "", false),
            (400, #"{"error":"PAGE_TOKEN_EXPIRED"}"#, "", false),
            (200, #"{"errors":[{"extensions":{"code":"UNAUTHENTICATED"}}],"data":null}"#, "", true),
            (200, #"{"code":40101,"msg":"token expired","data":null}"#, "", true),
            (200, #"{"jsonrpc":"2.0","error":{"message":"jwt expired"}}"#, "", true),
            (200, #"{"items":[{"message":"your token has expired"}]}"#, "", false),
            (200, #"{"title":"token expired"}"#, "", false),
            (302, "/accounts/login/?next=/x", "", true), (302, "/posts/3", "", false),
            (503, "token expired", "", false),
        ])
    func expiryWords(status: Int, body: String, challenge: String, isExpiry: Bool) {
        var answer = Answer(status: status, body: Body(body))
        if !challenge.isEmpty { answer.headers["WWW-Authenticate"] = challenge }
        if status == 302 { answer.headers["Location"] = body }
        #expect(ExpiryWords.are(in: answer) == isExpiry)
    }

    @Test("Where errors have the status of success, the members that are told say expired")
    func expiredSuccess() throws {
        var plan = try UpstreamPlan("http://a.test")
        (plan.expiredStatus, plan.expiredBody) = (200, #"{"code": 7}"#)
        let tokens = UpstreamTokens(plan)
        #expect(tokens.meansExpired(Answer(status: 200, body: Body(#"{"id":1,"code":7}"#))))
        #expect(!tokens.meansExpired(Answer(status: 200, body: Body(#"{"id":7}"#))))
        #expect(!tokens.meansExpired(Answer(status: 401, body: Body(#"{"code":7}"#))))
    }

    @Test("Faults are read as in a profile, but for those inside a server")
    func faults() throws {
        let late = #"{"kind": "latency", "added": "2s", "endpoints": ["refresh", "GET /posts"]}"#
        #expect(try LiveFaults.upstream.read(late).map(\.name) == ["latency"])
        #expect(try LiveFaults.upstream.read(late)[0].scope.endpoints == ["refresh", "GET /posts"])
        for wrong in [
            #"{"kind": "workers"}"#, #"{"kind": "expireAllTokens"}"#, "[]", "{",
            #"{"kind": "latency", "added": "soon"}"#,
            #"{"kind": "latency", "endpoints": ["posts"]}"#,
        ] {
            #expect(throws: LiveFaults.Problem.self, "\(wrong)") {
                try LiveFaults.upstream.read(wrong)
            }
        }
    }
}
