import SquallBackend
import SquallFormat
import SquallHTTP
import SquallLab
import SquallSockets
import Testing

@testable import SquallLive

@Suite("Probes of token services")
struct TokenProbeTests {
    @Test("A probe recognises each token rule from requests and responses alone", arguments: 0..<50)
    func recognises(number: Int) throws {
        let service = ProbedService(number: number)
        let report = try service.probed()
        let tokens = report.tokens
        #expect(
            tokens.semantics?.rule == service.semantics.rule,
            "\(service): \(report.json.document)")
        let window = service.semantics.window
        if window > 0, tokens.semantics?.window != window, !service.replaysUnusedChild {
            // A service that limits requests is asked less often, and known less exactly.
            let leeway = try #require(tokens.leeway)
            #expect(leeway.accepted < window && leeway.refused ?? 0 >= window)
            #expect(service.rate != nil, "\(service): \(leeway)")
        }
        if let life = tokens.life?.limit, life != service.life * 1_000_000_000 {
            #expect(service.rate != nil, "\(service): \(life)")
        }
        #expect((tokens.life?.limit != nil) == (service.life < 300))
        #expect(tokens.refreshEndsAccess ?? service.endsAccess == service.endsAccess)
        if service.life < 120 {
            #expect(tokens.expired?.status == service.expired.status)
            #expect(tokens.expired?.body == service.expired.body)
        }
        #expect(
            (report.answer(to: .rateLimit)?.hasPrefix("429 {}; ") == true)
                == (service.rate != nil))
        #expect(try service.profile(with: report.settings).refresh == tokens.semantics)
    }

    @Test("A probe prints no password and no token")
    func secrets() throws {
        let report = try ProbedService(number: 3).probed()
        let told = report.json.document + report.document.text(.init(isOn: false), width: 90)
        #expect(told.contains("with A1 and R1") && !told.contains("password-0"))
        #expect(!told.contains(/[A-Za-z0-9_-]{32,}/))
    }

    @Test("A probe ends within its limits, and says why each open question was left")
    func limits() throws {
        let service = ProbedService(number: 3)
        let few = try service.probed { $0.requests = 12 }
        #expect(few.requests <= 12 && few.answer(to: .rotation) != nil)
        let reasons = few.json.document.matches(of: /limit of 12 requests was reached/).count
        #expect(reasons > 5)
        let brief = try service.probed { $0.nanoseconds = 10_000_000_000 }
        #expect(brief.nanoseconds <= 10_000_000_000 && brief.answer(to: .rotation) != nil)
        let stopped = try service.probed(isStopped: { $0 > 20_000_000_000 })
        #expect(stopped.wasStopped && stopped.nanoseconds < 20_200_000_000)
        #expect(stopped.document.verdict == .partial && stopped.answer(to: .reuse) != nil)
    }

    @Test(
        "Designs that lose users' sessions in front of such a service are called unsafe",
        arguments: [
            ("coexist", "safe, but a refresh storm", "safe"),
            ("rotatingStrict", "unsafe", "unsafe"),
        ])
    func designs(rule: String, parallel: String, lost: String) throws {
        let service = (0..<50).map(ProbedService.init).first { $0.rule == rule && !$0.endsAccess }
        let report = try #require(service).probed()
            .tryingDesigns(of: [.reference, .late, .parallel, .lostAndAgain]) { false }
        let verdicts = Dictionary(
            uniqueKeysWithValues: report.designs.map { ($0.design, $0.verdict) })
        #expect(verdicts[.reference] == "safe" && verdicts[.late] == "safe")
        #expect(verdicts[.parallel] == parallel && verdicts[.lostAndAgain] == lost)
    }

    @Test("A stated lifetime that is too long makes it unsafe to rely on the stated end")
    func statedTooLong() throws {
        let drawn = (0..<50).map(ProbedService.init).first { service in
            let isPlain = service.rate == nil && !service.endsAccess
            return isPlain && service.form == "bearer" && (7...45).contains(service.life)
        }
        let service = try #require(drawn)
        let life = "\(service.life + 15)s"
        let stated = ProfileOverride(setting: "backend.tokens.statedLifetime=\(life)")
        let report = try service.probed(changing: [stated].compactMap(\.self))
            .tryingDesigns(of: [.ahead, .clock]) { false }
        #expect(report.answer(to: .accessLife)?.hasPrefix("15 s shorter than stated") == true)
        let setting = report.settings.first { $0.path == "backend.tokens.statedLifetime" }
        #expect(setting?.value == .string(life))
        #expect(report.designs.map(\.verdict) == ["safe", "unsafe"])
        let truthful = try service.probed().tryingDesigns(of: [.clock]) { false }
        #expect(truthful.designs.map(\.verdict) == ["safe"])
        #expect(!truthful.settings.contains { $0.path == "backend.tokens.statedLifetime" })
    }

    @Test("Two cookies by their usual short names are the access and the refresh token")
    func shortCookies() throws {
        var calls = TokenCalls(.bearer)
        calls.open = [.tokens]
        var headers = HTTPHeaders()
        for cookie in ["rt=token-r1", "at=token-a1"] {
            headers.append(name: "Set-Cookie", value: cookie + "; HttpOnly; Path=/")
        }
        let pair = try #require(BroughtPair(headers, [], of: calls))
        #expect(pair.access == "token-a1" && pair.refresh == "token-r1")
    }

    @Test("A sign-in without a token that was found is told by the names of its parts alone")
    func partsOfSignIn() {
        let body = Array(#"{"data": {"ticket": "secret-1"}, "list": ["secret-2"]}"#.utf8)
        let parts = BroughtPair.parts(["Set-Cookie": "theme=secret-3"], body)
        #expect(parts == "the members data, list, data.ticket and the cookies theme")
        #expect(BroughtPair.parts([], Array("secret".utf8)) == "neither members nor cookies")
    }

    @Test("A JWT with an end says how long it lives where a date of its issue comes, too")
    func undatedEnd() throws {
        var calls = TokenCalls(.bearer)
        calls.open = [.tokens]
        // {"exp": 1725148860}
        let body = Array(#"{"access_token":"e30.eyJleHAiOjE3MjUxNDg4NjB9.s"}"#.utf8)
        let pair = try #require(BroughtPair([], body, of: calls))
        #expect(pair.stated.isEmpty && pair.whyNoLife.contains("neither its iat nor a Date"))
        let date = ["Date": "Sun, 01 Sep 2024 00:00:00 GMT"] as HTTPHeaders
        let dated = try #require(BroughtPair(date, body, of: calls))
        #expect(dated.stated.map(\.nanoseconds) == [60_000_000_000])
    }

    @Test("A token that renews itself is its own refresh token, and a cookie in a profile")
    func renewsItself() throws {
        var calls = TokenCalls(.bearer)
        let body = Array(#"{"access_token":"a"}"#.utf8)
        #expect(try #require(BroughtPair([], body, of: calls)).refresh == nil)
        calls.renewsItself = true
        let pair = try #require(BroughtPair([], body, of: calls))
        #expect(pair.refresh == "a" && pair.delivery.refresh == .cookie("refresh_token"))
    }

    @Test("A service that counts whole seconds states its life rightly")
    func wholeSeconds() throws {
        let drawn = (0..<50).map(ProbedService.init)
        let bearers = drawn.filter { $0.rate == nil && !$0.endsAccess && $0.form == "bearer" }
        let service = try #require(bearers.first { (7...45).contains($0.life) })
        let settings = [
            "backend.tokens.accessLifetime=\(service.life * 1_000 - 600)ms",
            "backend.tokens.statedLifetime=\(service.life)s",
        ]
        let report = try service.probed(
            changing: settings.compactMap { ProfileOverride(setting: $0) })
        let life = try #require(report.answer(to: .accessLife))
        #expect(life.hasPrefix("as stated, in whole seconds: "), "\(life)")
        #expect(!report.settings.contains { $0.path == "backend.tokens.statedLifetime" })
    }

    @Test(
        "A client is as late as the service is wrong, and as early by the same share",
        arguments: [
            (3_600, 3_590, nil, 40), (30, 30, nil, nil), (3_600, 60, 61, 3_570),
            (10, 20, nil, 15), (1, 3_600, nil, 1), (60, 70, 40, 50),
        ] as [(Int64, Int64, Int64?, Int64?)])
    func statedLives(stated: Int64, life: Int64, refused: Int64?, other: Int64?) {
        let second: Int64 = 1_000_000_000
        var tokens = ProbedTokens()
        tokens.statedLife = stated * second
        let isSpread = refused.map { $0 < life } ?? false
        tokens.life = AgeBracket(
            accepted: isSpread ? life * second : life * second - 1,
            refused: (refused ?? life) * second)
        #expect(tokens.statedLife(ofLife: 30 * second) == other.map { $0 * second })
    }

    @Test("A profile that a probe writes signs in as the probe did, but for secrets")
    func callsInProfile() {
        var calls = TokenCalls(.bearer)
        calls.add(TokenField("client_id", "app"))
        calls.client = ClientCredentials(name: "web", secret: "s3cret", at: .body)
        let settings = Dictionary(
            uniqueKeysWithValues: calls.settings.map { ($0.path, $0.value.line) })
        let signIn = settings["backend.service.logIn"] ?? ""
        #expect(signIn.contains(#""fields":["grant_type=password","client_id=app"]"#))
        #expect(signIn.contains(#""body":"form""#) && signIn.contains(#""userField":"username""#))
        let refresh = settings["backend.service.refresh"] ?? ""
        #expect(refresh.contains("grant_type=refresh_token") && !refresh.contains("s3cret"))
        #expect(settings["backend.service.logOut"]?.contains(#""body":"form""#) == true)
    }

    @Test("OAuth's revocation is a form, as RFC 7009 has it, with the client's fields")
    func revocation() {
        var calls = TokenCalls(.bearer)
        calls.form.logOut.token = .body("token")
        calls.add(TokenField("client_id", "app"))
        guard case .whole(let body) = calls.signOut("r1", access: "a1").upload else {
            Issue.record("a revocation is sent whole")
            return
        }
        #expect(body.text == "client_id=app&token=r1")
    }

    @Test("A refused sign-in ends a probe with the response")
    func refused() throws {
        let report = try ProbedService(number: 0).probed(as: "wrong")
        #expect(
            report.failure?.reason
                == #"the sign-in failed: POST /oauth/token → 400 {"error":"invalid_grant"}"#)
    }
}

extension RefreshSemantics {
    /// It without its window.
    fileprivate var rule: RefreshSemantics {
        switch self {
        case .rotatingWithLeeway(_, let generations):
            .rotatingWithLeeway(windowNanoseconds: 0, generations: generations)
        case .rotatingWithReplay(_, let parentOfActive):
            .rotatingWithReplay(windowNanoseconds: 0, parentOfActive: parentOfActive)
        default: self
        }
    }

    fileprivate var window: Int64 {
        switch self {
        case .rotatingWithLeeway(let window, _), .rotatingWithReplay(let window, _): window
        default: 0
        }
    }
}
