import SquallHTTP
import Testing

@testable import SquallLive

@Suite("The reason for which sign-ins bring no token")
struct SignInTrialTests {
    @Test("Six settings that are wrong at once are all named, with few requests")
    func settings() throws {
        let url = WebURL(origin: "http://x", path: "/login")
        var refused = URLRequest(url: url, method: .post)
        TokenForm.bearer.logIn.show(email: "u@x", password: "p-1", in: &refused)
        var expected = ExpectedResponses()
        (expected.form, expected.place) = (.bearer, "s.")
        var count = 0
        let trial = try #require(
            SignInTrial(refused, expected) {
                count += 1
                return Self.answer($0)
            })
        #expect(
            trial.settings(url).settings == [
                "s.logIn.body=form", #"s.logIn.fields=["grant_type=password"]"#,
                "s.logIn.passwordField=pin", "s.logIn.userField=login",
                #"s.refresh.token={"body":"refreshToken"}"#,
                #"s.delivery={"json":{"access":"data.token","refresh":"data.refreshToken"}}"#,
            ])
        #expect(count < 12)
    }

    @Test("A sign-in that leads elsewhere says where to")
    func redirect() throws {
        let url = WebURL(origin: "http://x", path: "/login")
        var refused = URLRequest(url: url, method: .post)
        TokenForm.bearer.logIn.show(email: "u@x", password: "p-1", in: &refused)
        var expected = ExpectedResponses()
        expected.form = .bearer
        let trial = try #require(
            SignInTrial(refused, expected) { _ in
                var headers = HTTPHeaders()
                headers.update(name: "Location", value: "/login/?next=p-1")
                return WireResponse(status: 301, headers: headers, body: [])
            })
        let (settings, answer) = trial.settings(url)
        #expect(settings.isEmpty)
        #expect(answer == "301 to /login/")
    }

    /// A server that takes a form with `login` and `pin`, and `refreshToken` in JSON.
    private static func answer(_ request: URLRequest) -> WireResponse {
        let body = String(decoding: request.body.bytes, as: UTF8.self)
        func response(_ status: Int, _ text: String) -> WireResponse {
            WireResponse(status: status, headers: HTTPHeaders(), body: Array(text.utf8))
        }
        if request.url.path != "/login" {
            return response(body.hasPrefix(#"{"refreshToken":"rrrrrrrrr""#) ? 200 : 400, "{}")
        }
        guard !body.contains("{") else { return response(415, "") }
        let isWhole = body.contains("login=u%40x") && body.contains("pin=p-1")
        return isWhole
            ? response(200, #"{"data":{"token":"aaaaaaaaa","refreshToken":"rrrrrrrrr"}}"#)
            : response(422, #"{"detail":[{"loc":["body","login"]},{"loc":["body","pin"]}]}"#)
    }
}
