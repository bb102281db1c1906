import SquallBackend
import SquallFormat
import SquallHTTP
import SquallLab
import SquallServices
import SquallSockets
import Testing

@testable import SquallLive

/// Servers with one habit each, as real ones have it, and what a probe must say of them.
@Suite("Probes of servers with one habit")
struct ProbeHabitTests {
    /// A plain service with rotating tokens of 30 s at most.
    private static let plain: ProbedService = {
        for number in 0..<5_000 {
            let service = ProbedService(number: number)
            guard service.rule == "oneShot", service.form == "bearer", service.rate == nil else {
                continue
            }
            if !service.endsAccess, service.life < 60, service.life > 5 { return service }
        }
        preconditionFailure("no service was drawn that is plain")
    }()

    private func settings(_ all: [String]) -> [ProfileOverride] {
        all.compactMap { ProfileOverride(setting: $0) }
    }

    @Test("A refresh token that is good once without a successor makes every design unsafe")
    func once() throws {
        let report = try Self.plain.probed(changing: settings(["backend.tokens.refresh=once"]))
            .tryingDesigns { false }
        #expect(report.tokens.semantics == .once)
        #expect(report.document.sentence.hasPrefix("No client is safe"))
        #expect(!report.designs.isEmpty && report.designs.allSatisfy { !$0.isSafe })
        #expect(report.answer(to: .otherSession) == "goes on after another sign-in")
        #expect(report.answer(to: .leeway) == "none")
    }

    @Test(
        "A used refresh token that is good until its successor is used is no leeway",
        arguments: [true, false])
    func untilUsed(endsSiblings: Bool) throws {
        let report = try Self.plain.probed(
            changing: settings([
                "backend.tokens.refresh=rotatingUntilUsed",
                "backend.tokens.reuseEndsSiblings=\(endsSiblings)",
                "backend.tokens.refreshRevokesAccessTokens=true",
            ]))
        #expect(report.tokens.semantics == .rotatingUntilUsed(endsSiblings: endsSiblings))
        #expect(report.tokens.refreshEndsAccess == true && report.tokens.revokesFamily == false)
        #expect(report.document.sentence.contains("until what it brought is used"))
    }

    @Test("The end of a refresh token is neither a leeway nor a revocation")
    func expiringRefresh() throws {
        let report = try Self.plain.probed(
            changing: settings([
                "backend.tokens.refresh=rotatingCoexist", "backend.tokens.refreshLifetime=9s",
            ]))
        #expect(report.tokens.semantics == .rotatingCoexist)
        let life = try #require(report.answer(to: .refreshLife))
        #expect(life.hasPrefix("9 s"), "\(life)")
        #expect(report.tokens.leeway?.refused == nil && report.tokens.revokesFamily == nil)
        let setting = report.settings.first { $0.path == "backend.tokens.refreshLifetime" }
        #expect(setting?.value == "9s")
    }

    @Test("The end of the newest refresh token is no revocation by reuse")
    func endedFamily() throws {
        let report = try Self.plain.probed(
            changing: settings(["backend.tokens.refreshLifetime=9s"]))
        #expect(report.tokens.revokesFamily == false, "\(report.answer(to: .family) ?? "")")
    }

    @Test("One failure of the service costs no answer")
    func oneFailure() throws {
        let profile = try Self.plain.profile()
        let wire = try ServedWire(profile)
        var left = 1
        wire.rewrites = { _, response in
            guard left > 0, String(decoding: response.body, as: UTF8.self).contains("refresh"),
                wire.begun > 4
            else { return response }
            left -= 1
            return WireResponse(status: 500, headers: [], body: [])
        }
        let report = try Self.plain.probed(over: wire)
        #expect(left == 0 && report.tokens.semantics == .oneShot)
        #expect(report.known == (try Self.plain.probed().known))
        #expect(report.remarks.contains { $0.hasPrefix("The service failed 1 time") })
    }

    @Test("A body that ends in a line feed is written as it came, and read again")
    func lineFeed() throws {
        let wire = try ServedWire(try Self.plain.profile())
        wire.rewrites = { _, response in
            WireResponse(
                status: response.status, headers: response.headers, body: response.body + [10])
        }
        let report = try Self.plain.probed(over: wire)
        let expired = try #require(
            report.refusals.first { $0.path == "backend.service.expired" })
        #expect(expired.value.line.contains(#"\n""#))
        let written = try Self.plain.profile(
            changing: settings(report.refusals.map { "\($0.path)=\($0.value.plain)" }))
        #expect(ServicesPlan(written).declared.form.expired.body.hasSuffix("\n"))
    }

    @Test(
        "Where nobody says how tokens are shown, a probe finds it",
        arguments: [
            (#"refresh={"path":"/renew","token":{"header":{"scheme":"Bearer"}}}"#, "shown as Auth"),
            (#"refresh={"path":"/renew","token":{"body":"refreshToken"}}"#, "member refreshToken"),
            (#"refresh={"path":"/renew","showsAccess":true}"#, "shows the access token, too"),
            (#"token={"header":{"scheme":"Token"}}"#, "Authorization: Token"),
            (#"token={"header":{"name":"Authorization"}}"#, "Authorization: …"),
            (#"delivery={"json":{"access":"data.token","refresh":"data.refresh"}}"#, "refresh"),
            (
                #"delivery={"each":{"access":{"member":"access"},"#
                    + #""refresh":{"cookie":"r_refresh"}}}"#,
                "member"
            ),
            (
                #"delivery={"each":{"access":{"body":"json"},"#
                    + #""refresh":{"cookie":"r_refresh"}}}"#,
                "cookie"
            ),
            (
                #"delivery={"each":{"access":{"body":"text"},"#
                    + #""refresh":{"cookie":"r_refresh"}}}"#,
                "cookie"
            ),
        ])
    func found(setting: String, guess: String) throws {
        var all = ["backend.service.\(setting)", #"backend.service.logIn={"path":"/in"}"#]
        if !setting.hasPrefix("refresh") {
            all.append(#"backend.service.refresh={"path":"/renew"}"#)
        }
        if setting.contains("cookie") {
            all[all.count - 1] =
                #"backend.service.refresh={"path":"/renew","token":{"cookie":"r_refresh"}}"#
        }
        var form = TokenForm.bearer
        form.logIn.take(target: "/in")
        form.refresh.take(target: "/renew")
        let report = try Self.plain.probed(
            changing: settings(all), asking: form, open: Set(TokenCalls.Part.allCases))
        #expect(report.failure == nil && report.tokens.semantics == .oneShot)
        #expect(report.hasWorkingCall)
        if guess != "member" { #expect(report.remarks.contains { $0.contains(guess) }) }
        // What it writes is asked as the probe found it.
        let written = try Self.plain.profile(
            changing: settings(
                report.calls.settings.map { "\($0.path)=\($0.value.plain)" }))
        let own = ServicesPlan(written).declared.form
        #expect(own.refresh.token == report.calls.form.refresh.token)
        #expect(own.access == report.calls.form.access)
        #expect(own.delivery == report.calls.form.delivery)
    }

    @Test("Where each refresh is too early, a probe finds the place where its token is read")
    func foundThoughEarly() throws {
        var form = TokenForm.bearer
        form.refresh.take(target: "/renew")
        form.refresh.showsAccess = true
        let place =
            #"{"path":"/renew","showsAccess":true,"token":{"header":{"name":"X-Refresh-Token"}}}"#
        let report = try Self.plain.probed(
            changing: settings([
                "backend.tokens.refresh=early409", "backend.service.refresh=\(place)",
            ]), asking: form, open: Set(TokenCalls.Part.allCases))
        #expect(report.calls.form.refresh.token == .header("X-Refresh-Token", scheme: nil))
        #expect(report.tokens.semantics == .early409, "\(report.failure?.reason ?? "")")
    }

    @Test("A sign-in that only sets a cookie brings a session, whatever that is called")
    func cookieAlone() {
        var calls = TokenCalls(.bearer)
        calls.open = Set(TokenCalls.Part.allCases)
        func place(_ cookie: String) -> TokenDelivery.Place? {
            BroughtPair(["Set-Cookie": "\(cookie); Path=/"], [], of: calls)?.places.access
        }
        #expect(place("connect.sid=0123456789abcdef") == .cookie("connect.sid"))
        #expect(place("lang=en") == nil && place("csrftoken=0123456789abcdef") == nil)
    }

    @Test(
        "What is known of reuse is said, however little time there was",
        arguments: [3, 5, 8, 12, 20])
    func littleTime(seconds: Int64) throws {
        let report = try Self.plain.probed(
            changing: settings(["backend.tokens.refresh=rotatingCoexist"])
        ) { $0.nanoseconds = seconds * 1_000_000_000 }
        let isUnknown = report.document.sentence.contains("what reuse does is not known")
        #expect(isUnknown == (report.answer(to: .reuse) == nil), "\(report.document.sentence)")
    }

    @Test("Where no call with a new token works, no design is judged and the way out is said")
    func refusedCalls() throws {
        let report = try Self.plain.probed(
            changing: settings([#"backend.service.token={"header":{"scheme":"Token"}}"#]),
            asking: .bearer
        ).tryingDesigns { false }
        #expect(!report.hasWorkingCall && report.designs.isEmpty)
        #expect(report.remarks.contains { $0.contains("--token-scheme") })
    }

    @Test("The fields of a profile's sign-in are those that a probe sends")
    func fields() throws {
        let changes = settings([
            #"backend.service.logIn={"path":"/in","userField":"login","passwordField":"pin"}"#
        ])
        let wire = try ServedWire(try Self.plain.profile(changing: changes))
        var bodies: [String] = []
        wire.heard = { request in
            guard request.target == "/in" else { return }
            if case .whole(let body) = request.upload {
                bodies.append(String(decoding: body.bytes, as: UTF8.self))
            }
        }
        _ = try Self.plain.probed(changing: changes, over: wire)
        #expect(bodies.first == #"{"login":"user0@example.com","pin":"password-0"}"#)
    }

    @Test("No second has more requests than are allowed", arguments: [3, 20] as [Int64])
    func rate(allowed: Int64) throws {
        let wire = try ServedWire(try Self.plain.profile())
        var moments: [Int64] = []
        wire.heard = { _ in moments.append(wire.now) }
        _ = try Self.plain.probed(over: wire) { $0.requestsPerSecond = allowed }
        let busiest = moments.map { end in
            moments.count { $0 > end - 1_000_000_000 && $0 <= end }
        }.max()
        #expect(busiest ?? 0 <= allowed)
    }

    @Test(
        "A probe of a preset names that preset",
        arguments: TokenPreset.all.filter { $0.isMeasured && $0.service.form.hasRefreshTokens }
            .map(\.name))
    func nearest(name: String) throws {
        let preset = try #require(TokenPreset.named(name))
        var tokens = preset.service.tokens
        (tokens.accessLifetimeNanoseconds, tokens.statedLifetimeNanoseconds) = (
            20_000_000_000, nil
        )
        tokens.refreshedLifetimeNanoseconds = nil
        let expired =
            #"backend.service={"form":"\#(name)","endpoints":[{"name":"me","path":"/me"}]}"#
        let changes = tokens.settings.map { "backend.tokens.\($0.key)=\($0.value.plain)" }
        let report = try Self.plain.probed(changing: settings([expired] + changes))
        #expect(report.nearest?.preset.name == name, "\(report.nearest?.words ?? "none")")
    }
}
