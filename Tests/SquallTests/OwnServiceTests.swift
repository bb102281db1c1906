import Foundation
import Squall
import Testing

@Suite("A service of somebody else's, in ten lines")
struct OwnServiceTests {
    /// Trades tokens in a way that no form has: 440, members `at` and `rt`, a call to end it all.
    static let own = TokenService(
        .bearer, refresh: .rotatingStrict,
        routes: [
            TokenRoute(.post, "/oauth/token") { call in
                guard let token = call.field("rt"), let new = call.mint.refresh(token) else {
                    return ServiceReply(status: 440, json: #"{"reason":"gone"}"#)
                }
                return ServiceReply(json: #"{"at":"\#(new.access)","rt":"\#(new.refresh)"}"#)
            }.asRefresh(token: .body("rt")),
            TokenRoute(.post, "/enter") { call in
                let new = call.mint.issue(to: 0)
                return ServiceReply(json: #"{"at":"\#(new.access)","rt":"\#(new.refresh)"}"#)
            }.asSignIn(),
            TokenRoute(.post, "/leave") { call in
                call.mint.endSession(of: call.field("rt") ?? "", accessToo: true)
                return ServiceReply(status: 204)
            }.withoutToken(), .get("/me") { ServiceReply(json: "\($0.user ?? -1)") },
        ])

    @Test("A route sees and uses the mint, takes a form's place, and counts as a refresh")
    func mint() throws {
        let run = try simulate { world in
            let far = world.mount(Self.own)
            let first = try await far.send("POST", "/enter")
            let second = try await far.renew(first.text("rt") ?? "")
            let bearer = [("Authorization", "Bearer \(second.text("at") ?? "")")]
            #expect(try await far.send("GET", "/me", headers: bearer).status == 200)
            // The server is strict: the old token ends the session.
            #expect(try await far.renew(first.text("rt") ?? "").status == 440)
            let third = try await far.send("POST", "/enter")
            let body = Array(#"{"rt":"\#(third.text("rt") ?? "")"}"#.utf8)
            #expect(try await far.send("POST", "/leave", body: body).status == 204)
            let left = [("Authorization", "Bearer \(third.text("at") ?? "")")]
            #expect(try await far.send("GET", "/me", headers: left).status == 401)
            #expect(try await far.renew(third.text("rt") ?? "").status == 440)
        }
        #expect(run.refreshes == 3 && run.successfulRefreshes == 1)
    }

    @Test("Members of one's own take the place of those of the same name")
    func members() throws {
        try simulate { world in
            var service = TokenService.oauth2(refresh: .coexist)
            service.members = { #"{"user": {"id": \#($0.user)}, "expires_in": "soon"}"# }
            let far = world.mount(service, over: NetworkConditions(roundTrip: .zero, users: 8))
            let form = "refresh_token=\(far.tokens(user: 7).refresh)"
            let answer = try await far.send("POST", "/oauth/token", body: Array(form.utf8))
            #expect(answer.object["user"] as? [String: Int] == ["id": 7])
            #expect(answer.text("expires_in") == "soon" && answer.text("token_type") == "Bearer")
        }
    }

    @Test("A refusal brings its header fields")
    func headers() throws {
        try simulate { world in
            var service = TokenService(.bearer, routes: [.get("/posts")])
            service.form.unauthorized.headers = ["X-Reason": "no token", "X-Again": "never"]
            let answer = try await world.mount(service).send("GET", "/posts")
            #expect(answer.status == 401 && answer.header("x-reason") == "no token")
            #expect(answer.headers.map(\.name) == ["Content-Type", "X-Again", "X-Reason"])
        }
    }

    /// What four calls come to, one after another, where something goes wrong: `?` for no answer.
    static func story(_ fault: NetworkFault) throws -> (
        told: [String], millis: [Int], received: Int
    ) {
        let told = Box<([String], [Int])>(([], []))
        let run = try simulate { world in
            var conditions = NetworkConditions()
            conditions.faults = [fault]
            let far = world.mount(
                TokenService(.bearer, routes: [.get("/posts", json: "[1,2]").withoutToken()]),
                over: conditions)
            for _ in 0..<4 {
                let start = world.now
                do {
                    let answer = try await far.send("GET", "/posts")
                    let body = String(bytes: answer.body, encoding: .utf8)
                    told.value.0.append("\(answer.status) \(body ?? "garbled")")
                } catch { told.value.0.append("?") }
                told.value.1.append(Int((world.now - start) / .milliseconds(1)))
            }
        }
        return (told.value.0, told.value.1, run.calls)
    }

    @Test(
        "An answer is dropped, late, cut, garbled or failed, by call and count",
        arguments: [
            (NetworkFault.answerDropped(.connectionLost), "?", 80, 4),
            (.requestDropped(.connectionLost), "?", 40, 3),
            (.answerLate(by: .seconds(3)), "200 [1,2]", 3_080, 4),
            (.requestLate(by: .seconds(3)), "200 [1,2]", 3_080, 4),
            (.answerCut(), "200 [1", 80, 4), (.answerGarbled(), "200 garbled", 80, 4),
            (.failing(status: 503), "503 {}", 80, 4), (.connectionRefused(), "?", 40, 3),
        ])
    func faults(fault: NetworkFault, second: String, millis: Int, received: Int) throws {
        let story = try Self.story(fault.on("GET /posts").onlyTurns(2...2))
        #expect(story.told == ["200 [1,2]", second, "200 [1,2]", "200 [1,2]"])
        #expect(story.millis == [80, millis, 80, 80])
        #expect(story.received == received)
    }

    @Test("A fault lasts as long as it says, and strikes no other call")
    func window() throws {
        let fault = NetworkFault.failing(status: 500)
        let told = try Self.story(fault.between(.milliseconds(100), and: .milliseconds(200))).told
        #expect(told == ["200 [1,2]", "500 {}", "200 [1,2]", "200 [1,2]"])
        #expect(try Self.story(fault.on("refresh")).told == Array(repeating: "200 [1,2]", count: 4))
    }

    @Test("One service answers on every address it has")
    func origins() throws {
        let run = try simulate { world in
            var service = TokenService(.bearer, routes: [])
            service.routes = [.get("/where") { ServiceReply(json: $0.origin) }.withoutToken()]
            service.otherOrigins = ["https://tokens.example.com"]
            let far = world.mount(service)
            let session = URLSession(configuration: far.urlSessionConfiguration)
            for origin in service.origins {
                let url = try #require(URL(string: origin + "/where"))
                let (data, _) = try await session.data(from: url)
                #expect(String(decoding: data, as: UTF8.self) == origin)
            }
        }
        #expect(run.calls == 2)
    }
}

extension MountedService {
    fileprivate func renew(_ token: String) async throws -> ServiceResponse {
        try await send("POST", "/oauth/token", body: Array(#"{"rt":"\#(token)"}"#.utf8))
    }
}
