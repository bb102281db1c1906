import SquallHTTP
import SquallLab
import SquallReport
import Testing

@testable import SquallLive

@Suite("Responses that the profile of a driven run does not describe")
struct ResponseCheckTests {
    @Test("Any JSON is read where it is no page of a list, and so is a success without a body")
    func anyJSON() throws {
        let trial = try Self.trial { target, response in
            switch (target.prefix(9), response.status) {
            case ("/me", 200): response.with(#"[{"id":1},"a"]"#)
            case ("/me/notes", 200): response.with("", status: 204)
            default: response
            }
        }
        let summary = try trial.driven().summary
        #expect(summary.populations[0].failedSteps == 0 && summary.populations[0].steps > 100)
        #expect(summary.generator?.unexpected == [])
    }

    @Test("A response that does not decode is named with its form and the setting that reads it")
    func bodies() throws {
        let trial = try Self.trial { target, response in
            switch (target.prefix(6), response.status) {
            case ("/posts", 200): response.with(#"{"items":[{"name":"Ann"}],"more":true}"#)
            case ("/me", 200): response.with("<html>Ann</html>", type: "text/html; charset=x")
            default: response
            }
        }
        let summary = try trial.driven().summary
        let found = try #require(summary.generator?.unexpected)
        #expect(found.map(\.kind) == [.page, .body] && summary.populations[0].failedSteps > 0)
        #expect(found.map(\.endpoints) == [["posts"], ["profile"]])
        #expect(found[0].response == "200 JSON object with items, more")
        #expect(found[0].advice.contains("backend.service.endpoints"))
        #expect(found[1].response == "200 text/html that is no JSON")
        #expect(found[1].advice.contains(#""reads": "text""#))
        #expect(!found.contains { $0.detail.contains("Ann") })
        #expect(summary.findings.contains { $0.label == "response.unexpected" })
    }

    @Test("A refusal with another body is named; known by its status alone it is an expiry")
    func refusals() throws {
        func trial(_ settings: [String]) throws -> DrivenTrial {
            var number = 0
            return try Self.trial(settings) { target, response in
                guard response.status == 401 else { return response }
                number += 1
                return response.with(#"{"detail":"expired","request":\#(number)}"#)
            }
        }
        let unread = try trial([]).driven().summary
        let found = try #require(unread.generator?.unexpected)
        #expect(found.map(\.kind) == [.refusal] && found[0].endpoints.count == 3)
        #expect(found[0].response == #"401 {"detail":"expired","request":1}"#)
        #expect(found[0].advice.hasSuffix("backend.service.expired.statusAlone=true"))
        // The app refreshes at any 401, and the end of a renewed token counts without a refusal.
        #expect(unread.populations[0].expiredResponses == 0)
        #expect(unread.populations[0].failedSteps == 0)
        let read = try trial(["backend.service.expired.statusAlone=true"]).driven().summary
        #expect(read.generator?.unexpected == [])
        let plain = try DrivenTrial().driven().summary.populations[0]
        #expect(read.populations[0].expiries == plain.expiries && plain.expiries > 20)
        #expect(read.populations[0].expiredResponses == plain.expiredResponses)
        #expect(plain.expiredResponses > 20)
        #expect(read.populations[0].refreshesPerExpiry == plain.refreshesPerExpiry)
    }

    @Test("A redirect is named with its place, without its query, and what it may mean")
    func redirects() throws {
        let trial = try Self.trial { target, response in
            guard target == "/me" else { return response }
            var headers = response.headers
            headers.update(name: "Location", value: "/login/?next=secret")
            return WireResponse(status: 302, headers: headers, body: [])
        }
        let found = try #require(try trial.driven().summary.generator?.unexpected)
        #expect(found.first?.kind == .redirect && found[0].endpoints == ["profile"])
        #expect(found[0].response == "302 to /login/")
        #expect(found[0].advice.contains("backend.service.token"))
    }

    @Test(
        "Tokens under another name, and a sign-in that is refused, are named without a value",
        arguments: [
            (UnexpectedResponse.Kind.tokens, "backend.service.delivery"),
            (.refusedSignIn, "--accounts"),
        ])
    func signIn(kind: UnexpectedResponse.Kind, words: String) throws {
        let trial = try Self.trial { target, response in
            guard target == "/oauth/token" else { return response }
            return kind == .tokens
                ? response.with(#"{"token":"secret","user":{"name":"Ann"}}"#)
                : response.with(#"{"error":"no user","id":"\#(Self.long)"}"#, status: 422)
        }
        let found = try #require(try trial.driven().summary.generator?.unexpected)
        #expect(found.map(\.kind) == [kind] && found[0].advice.contains(words))
        #expect(!found[0].headline.contains("secret") && !found[0].headline.contains("Ann"))
        #expect(!found[0].headline.contains(Self.long))
    }

    private static let long = String(repeating: "x7", count: 20)

    private static func trial(
        _ settings: [String] = [],
        _ rewrites: @escaping (_ target: String, WireResponse) -> WireResponse
    ) throws -> DrivenTrial {
        let decoded: [String: [String]?] = ["posts": ["data"], "profile": nil, "notes": nil]
        let trial = try DrivenTrial(settings, decoded: decoded)
        trial.wire.rewrites = rewrites
        return trial
    }
}

extension WireResponse {
    fileprivate func with(
        _ body: String, status: Int? = nil, type: String = "application/json"
    ) -> WireResponse {
        var headers = headers
        headers.update(name: "Content-Type", value: type)
        return WireResponse(status: status ?? self.status, headers: headers, body: Array(body.utf8))
    }
}
