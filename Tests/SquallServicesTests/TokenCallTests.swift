import SquallBackend
import SquallHTTP
import SquallKernel
import Testing

@testable import SquallServices

@Suite("Bodies of calls that deal with tokens")
struct TokenCallTests {
    @Test("Two digits behind a percent sign are a byte, and a sign is no digit")
    func percent() {
        let pairs = FormFields.pairs(in: Array("a=%2B%+5%zz&b=%4".utf8))
        #expect(pairs.map(\.name) == ["a", "b"])
        #expect(pairs.map(\.value) == ["+% 5%zz", "%4"])
    }

    @Test(
        "An account is sent as JSON or as a form, with what the service wants beside it",
        arguments: [
            (false, [], #"{"email":"a@b.c","password":"p\u0022\u000aä"}"#),
            (
                true, ["grant_type=password", "scope=a b", "x=1=2"],
                "grant_type=password&scope=a%20b&x=1%3D2&login=a%40b.c&password=p%22%0A%C3%A4"
            ),
            (
                false, ["app=7", "stay:=true", "n:=-7"],
                #"{"app":"7","stay":true,"n":-7,"email":"a@b.c","password":"p\u0022\u000aä"}"#
            ),
        ])
    func account(isForm: Bool, fields: [String], body: String) {
        var call = TokenCall("logIn", .post, "/token", token: .body("refresh_token"))
        call.isForm = isForm
        call.fields = fields.compactMap(TokenField.init)
        if isForm { call.userField = "login" }
        var request = URLRequest(
            url: WebURL(origin: "https://a.test", path: "/token"), method: .post)
        call.show(email: "a@b.c", password: "p\"\nä", in: &request)
        #expect(String(decoding: request.body.bytes, as: UTF8.self) == body)
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        #expect(type.hasSuffix(isForm ? "x-www-form-urlencoded" : "json"))
    }

    @Test(
        "A token with any letters is read as it was shown in a body or a path",
        arguments: [TokenPlace.body("token"), .body("data.token"), .form("token"), .path("token")])
    func shown(place: TokenPlace) {
        var request = URLRequest(
            url: WebURL(origin: "https://a.test", path: "/me/{token}"), method: .post)
        let token = "a\"b\\c&d=e f/g+h"
        place.show(token, in: &request)
        #expect(place.token(in: request) == token)
        #expect(place.shows(token, in: request) && !place.shows("a", in: request))
    }

    @Test(
        "Where one call signs in and refreshes, null in place of a refresh token refreshes",
        arguments: [
            (#"{"refresh_token":null}"#, "", 1), (#"{"refresh_token":""}"#, "", 1),
            (#"{"refresh_token":"r"}"#, "r", 1), (#"{"password":"p"}"#, nil, 0),
            (#"{"email":"a","password":"p","refresh_token":null}"#, nil, 0),
            (#"{"email":"a","password":"p","refresh_token":""}"#, nil, 0),
        ] as [(String, String?, Int)])
    func oneCall(body: String, refresh: String?, row: Int) throws {
        let service = TokenService(.bearer).service(
            randomness: RandomStream(seed: 1), userCount: 1)
        let url = WebURL(origin: "https://a.test", path: TokenForm.bearer.refresh.path)
        let request = URLRequest(url: url, method: .post, body: Body(body))
        let route = try #require(service.route(request, by: Router(service.endpoints)))
        #expect(route.row == row)
        #expect(service.tokens(in: request, to: route)?.refresh == refresh)
    }

    @Test(
        "Null is no refresh token, and a sign-out that must show an access token shows a known one",
        arguments: [
            (1, #"{"refresh_token":null}"#, nil, 422), (1, #"{"refresh_token":"r"}"#, nil, 400),
            (2, "{}", nil, 401), (2, "{}", "x", 401), (2, "{}", "expired", 204),
        ] as [(Int, String, String?, Int)])
    func lacking(row: Int, body: String, access: String?, status: Int) throws {
        var form = TokenForm.bearer
        form.others[.missingRefresh] = TokenRefusal(422, "{}")
        (form.logOut.showsAccess, form.logOut.status) = (true, 204)
        let plan = TokenService(form, accessLifetime: .seconds(1))
        let service = plan.service(randomness: RandomStream(seed: 1), userCount: 1)
        let mint = TokenMint(policy: plan.tokens, randomness: RandomStream(seed: 1))
        let old = mint.issue(.access, to: 0, at: .start).token
        var request = URLRequest(
            url: WebURL(origin: "https://a.test", path: "/"), method: .post, body: Body(body))
        if let access { form.access.show(access == "expired" ? old : access, in: &request) }
        let scene = ServiceScene(now: Instant(nanoseconds: 2_000_000_000), tokens: mint)
        #expect(service.answer(request, to: Route(row: row), in: scene).status == status)
    }

    @Test("A name with a dot is that of a member inside of an object, sent and read")
    func nested() {
        var call = TokenCall("logIn", .post, "/in", token: .body("auth.refresh"))
        (call.userField, call.passwordField) = ("user.email", "user.password")
        let url = WebURL(origin: "https://a.test", path: "/in")
        var request = URLRequest(url: url, method: .post)
        call.show(email: "a", password: "b", in: &request)
        let body = String(decoding: request.body.bytes, as: UTF8.self)
        #expect(body == #"{"user":{"email":"a","password":"b"}}"#)
        #expect(TokenPlace.body("user.email").token(in: request) == "a")
        #expect(TokenPlace.body("user.name").token(in: request) == nil)
    }

    @Test("A field is a name with a value, which may be empty or have the sign in it")
    func fields() {
        #expect(TokenField("a=")?.value == "" && TokenField("a=b=c")?.value == "b=c")
        #expect(TokenField("a") == nil && TokenField("=b") == nil)
        #expect(TokenField("a:=[1]") == nil && TokenField("a:=07") == nil)
        #expect(TokenField("a:=null").map(\.text) == "a:=null")
    }
}
