import SquallHTTP
import Testing

@testable import SquallLive

@Suite("Who may ask a live server")
struct WhoMayAskTests {
    private static let rules: WhoMayAsk = {
        var rules = WhoMayAsk()
        rules.names = ["box.corp.example", "box.local"]
        rules.origins = ["https://app.example.com", "null"]
        return rules
    }()

    private func isRefused(_ headers: HTTPHeaders, isReal: Bool, isControl: Bool = false) -> Bool {
        var rules = Self.rules
        rules.isReal = isReal
        let url = WebURL(origin: "http://up.example", path: "/private")
        return rules.refusal(of: URLRequest(url: url, headers: headers), isControl: isControl)
            != nil
    }

    @Test(
        "A host is an address, localhost, a name of this machine or one that was allowed",
        arguments: [
            ("localhost", true), ("LOCALHOST:8080", true), ("a.localhost:1", true), ("a", true),
            ("localhost.", false), ("127.0.0.1:8080", true), ("192.168.1.5", true),
            ("[::1]:8080", true), ("[fe80::1]", true), ("host.docker.internal:80", true),
            ("box.corp.example:8080", true), ("BOX.local", true), ("app.example.com", true),
            ("", true), ("evil.example", false), ("evil.example:8080", false),
            ("[evil.example]", false), ("[::1].evil.example", false), ("[::1", false),
            ("1.2.3.4.5", false), ("1.2.3.4.evil.example", false), ("127.1", false),
            ("2130706433", false), ("0x7f.0.0.1", false), ("127.0.0.1.", false),
            ("localhost:80:80", false), ("localhost:8x", false), ("localhost.evil.example", false),
            ("evil.example:80@localhost", false), ("١٢٧.٠.٠.١", false),
            ("loca\u{212a}host", false),
            ("a b", false), ("a,localhost", false), ("localhost, evil.example", false),
            ("com.", false), ("box.local.evil.example", false), (".", false), ("..", false),
            (":8080", false), ("xn--.internal.evil.example", false), ("evil.internal.", false),
        ])
    func hosts(host: String, isAllowed: Bool) {
        for isReal in [true, false] {
            for isControl in [true, false] {
                #expect(
                    isRefused(["Host": host], isReal: isReal, isControl: isControl) != isAllowed)
            }
        }
    }

    @Test(
        "A real server is for pages of this machine and of allowed origins, invented data for all",
        arguments: [
            ("http://localhost:5173", true), ("https://127.0.0.1", true), ("http://[::1]:1", true),
            ("capacitor://localhost", true), ("http://192.168.1.5:5173", true),
            ("https://app.example.com", true), ("HTTPS://APP.example.com", true), ("null", true),
            ("http://app.example.com", false), ("https://app.example.com:8443", false),
            ("https://app.example.com.evil.example", false), ("http://evil.example", false),
            ("http://192.168.1.6:5173", false), ("http://localhost.evil.example", false),
            ("http://127.0.0.1.evil.example", false), ("file://", false), ("", false),
            ("http://localhost, http://evil.example", false), ("localhost", false),
            ("http://localhost:8080/x", false), ("chrome-extension://abc", false),
        ])
    func origins(origin: String, isTrusted: Bool) {
        let headers: HTTPHeaders = ["Host": "192.168.1.5:8080", "Origin": origin]
        #expect(isRefused(headers, isReal: true) != isTrusted)
        #expect(!isRefused(headers, isReal: false))
        #expect(isRefused(headers, isReal: false, isControl: true))
        #expect(Self.rules.isTrusted(origin, host: "192.168.1.5:8080") == isTrusted)
    }

    @Test("What another site embeds is refused by its page, and a link that is followed is not")
    func embedded() {
        func isRefused(_ mode: String, _ page: String?) -> Bool {
            var headers: HTTPHeaders = [
                "Host": "localhost", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": mode,
            ]
            headers["Referer"] = page
            return self.isRefused(headers, isReal: true)
        }
        #expect(isRefused("no-cors", nil) && isRefused("no-cors", "https://evil.example/a"))
        #expect(!isRefused("no-cors", "http://127.0.0.1:5173/app"))
        #expect(!isRefused("no-cors", "https://app.example.com/"))
        #expect(!isRefused("navigate", "https://login.example/"))
    }

    @Test("An origin that is allowed is one, and no pattern")
    func options() {
        #expect(WhoMayAsk.origin("HTTPS://App.example.com:8443") == "https://app.example.com:8443")
        #expect(WhoMayAsk.origin("null") == "null")
        for text in ["*", "https://*", "app.example.com", "https://a/b", "://a", "", "https://"] {
            #expect(WhoMayAsk.origin(text) == nil, "\(text)")
        }
    }
}
