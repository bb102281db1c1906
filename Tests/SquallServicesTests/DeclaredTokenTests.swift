import SquallBackend
import SquallFormat
import SquallHTTP
import SquallKernel
import TestSupport
import Testing

@testable import SquallServices

@Suite("Tokens of a service that a profile declares")
struct DeclaredTokenTests {
    /// A declared service and its mint.
    private struct Declared {
        let service: any Service
        let mint: TokenMint

        init(_ json: String, _ policy: TokenPolicy = TokenPolicy()) throws {
            var problems = SettingProblems()
            let declared = DeclaredService.format.value(
                of: try JSONParser.parse(Array(json.utf8)), &problems)
            try #require(problems.all.isEmpty)
            service = declared.tokenService.service(
                randomness: RandomStream(seed: 1), userCount: 2)
            mint = TokenMint(policy: policy, randomness: RandomStream(seed: 1))
        }

        /// The response of the sign-in (row 0) or the refresh (row 1), and its body.
        func post(_ body: String, row: Int) throws -> (status: Int, body: JSONNode) {
            var request = URLRequest(
                url: WebURL(origin: "https://api.example.com", path: "/oauth/token"), method: .post)
            request.body = Body(body)
            let answer = service.answer(
                request, to: Route(row: row), in: ServiceScene(now: .start, tokens: mint))
            return (answer.status, try JSONParser.parse(answer.body.bytes))
        }

        func signIn(
            _ user: String, password: String
        ) throws -> (status: Int, body: JSONNode) {
            let account = "\"user\(user)@example.com\",\"password\":\"password-\(password)\""
            return try post("{\"email\":\(account)}", row: 0)
        }
    }

    @Test("Members beside tokens, statuses and a kept refresh token are those that are written")
    func tokens() throws {
        let declared = try Declared(
            #"""
            { "logIn": { "status": 201 }, "repeatsRefreshToken": true, "tokenType": false,
              "delivery": { "json": { "lifetime": "expires_in",
                "members": { "user": { "id": "{{number}}" } } } },
              "endpoints": [{ "name": "x", "path": "/x" }] }
            """#)
        let (status, tokens) = try declared.signIn("1", password: "1")
        #expect(status == 201)
        #expect(tokens["user"]?["id"]?.value == .number("2") && tokens["token_type"] == nil)
        let token = try #require(tokens["refresh_token"]?.string)
        let refreshed = try declared.post("{\"refresh_token\":\"\(token)\"}", row: 1)
        #expect(refreshed.body["refresh_token"]?.string == token && refreshed.status == 200)
    }

    @Test(
        "A user has one address, by a number that there is",
        arguments: [
            ("-1", "-1"), ("+1", "1"), ("01", "1"), ("2", "2"), ("", ""),
            ("-9223372036854775808", "-9223372036854775808"),
        ])
    func strangers(user: String, password: String) throws {
        let declared = try Declared(#"{ "endpoints": [{ "name": "x", "path": "/x" }] }"#)
        #expect(try declared.signIn("1", password: "1").status == 200)
        #expect(try declared.signIn(user, password: password).status == 400)
    }

    @Test("A JWT tells the life that it has: a sign-in's, or that of what a refresh brings")
    func refreshedLife() throws {
        var policy = TokenPolicy()
        policy.accessLifetimeNanoseconds = 900_000_000_000
        policy.refreshedLifetimeNanoseconds = 60_000_000_000
        let declared = try Declared(
            #"{ "jwt": {}, "delivery": { "json": { "lifetime": "expires_in" } },"#
                + #" "endpoints": [{ "name": "x", "path": "/x" }] }"#, policy)
        func lives(_ tokens: JSONNode) -> [Double?] {
            guard case .number(let told)? = tokens["expires_in"]?.value else { return [] }
            return [Double(told), tokens["access_token"]?.string.flatMap(JWT.lifeSeconds(of:))]
        }
        let signedIn = try declared.signIn("1", password: "1").body
        let refresh = try #require(signedIn["refresh_token"]?.string)
        #expect(lives(signedIn) == [900, 900])
        let refreshed = try declared.post("{\"refresh_token\":\"\(refresh)\"}", row: 1)
        #expect(lives(refreshed.body) == [60, 60])
    }
}
