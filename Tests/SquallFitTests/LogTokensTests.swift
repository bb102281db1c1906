import Foundation
import Testing

@testable import SquallFit

/// Tokens' life and refusals are asked of each call.
@Suite("Tokens of a log")
struct LogTokensTests {
    @Test("A call that is never accepted is named, and says nothing of tokens' life")
    func neverAccepted() throws {
        var traffic = MadeTraffic(seed: 11)
        traffic.add(users: 0..<10, until: 400)
        for request in traffic.requests where request.path == "/list" && request.status == 200 {
            guard Int(request.at) % 4 == 0 else { continue }
            let end = traffic.add(request.user, "/orders", 401, at: request.end + 0.06, for: 0.001)
            traffic.add(request.user, "/auth/refresh", 200, at: end + 0.06, for: 0.02)
            traffic.add(request.user, "/orders", 401, at: end + 0.14, for: 0.001)
        }
        let fit = TrafficFit(try traffic.log())
        #expect(fit.tokens.neverAccepted.map { fit.log.calls[Int($0)].path } == ["/orders"])
        if let life = fit.tokens.lifetime {
            #expect(life.low ?? 0 <= 40e9 && life.high ?? .infinity >= 40e9)
        }
        #expect(fit.tokens.fruitless > 0)
        #expect(MadeTraffic.document(fit).contains("GET /orders was refused"))
    }

    @Test("A log in which every call was refused with every token says so and has no profile")
    func refusedAlways() throws {
        var traffic = MadeTraffic(seed: 12)
        for user in 0..<10 {
            var now = Double(user)
            while now < 200 {
                let end = traffic.add(user, "/list", 401, at: now, for: 0.001)
                now = traffic.add(user, "/auth/refresh", 200, at: end + 0.06, for: 0.02) + 5
            }
        }
        let reason = try #require(TrafficFit(try traffic.log()).emptiness)
        #expect(reason.contains("every call was refused"))
    }

    @Test("How much of their life the tokens have left that users bring", arguments: [0, 0.9])
    func firstTokens(least: Double) throws {
        let life: Int64 = 100_000_000_000
        var tokens = TokenTraffic()
        (tokens.expiredStatus, tokens.guarded) = (401, [0])
        tokens.lifetime = Estimate(Double(life), count: 80)
        let people = (1...80).map { user -> ArraySlice<LoggedRequest> in
            // Spread evenly over what is left, each user asks every second until a refusal.
            let left = Int64(Double(life) * (least + (1 - least) * (Double(user) - 0.5) / 80))
            return (0...100).map { second in
                let time = Int64(second) * 1_000_000_000
                return LoggedRequest(
                    began: time, duration: 1_000_000, person: UInt32(user), call: 0,
                    status: time > left ? 401 : 200, isNextPage: false)
            }[...]
        }
        let first = try #require(FirstTokens(people, tokens))
        #expect(first.areYoung == (least > 0))
        let last = first.shares.last ?? 0
        #expect(least > 0 ? last > 0.8 : abs(last - 0.125) < 0.03)
    }

    @Test("A life that no visit lasts for is not known, and the profile has as many expiries")
    func lifeInUse() throws {
        var traffic = MadeTraffic(seed: 5)
        var units = Units01(seed: 5)
        for user in 0..<1_000 {
            var now = Double(user) * 2
            // Tokens of 60 s of any age.
            var end = now + 60 * units.next()
            let leaves = now + 12 * units.next()
            while now < leaves {
                if now > end {
                    now = traffic.add(user, "/list", 401, at: now, for: 0.001) + 0.06
                    now = traffic.add(user, "/auth/refresh", 200, at: now, for: 0.02) + 0.06
                    end = now + 60
                }
                now = traffic.add(user, "/list", 200, at: now, for: 0.02) + units.exponential(3)
            }
        }
        let fit = TrafficFit(try traffic.log())
        #expect(fit.tokens.lifetime == nil)
        let life = try #require(fit.tokens.lifeInUse)
        #expect((50e9...72e9).contains(life))
        #expect(MadeTraffic.document(fit).contains("as many would end in use"))
        let profile = FittedProfile(fit, file: "x")
        #expect(profile.text.contains("With this one as many end in use"))
        #expect(profile.assumed.contains("backend.tokens.accessLifetime"))
    }

    @Test("Tokens that users bring end in visits that are far shorter than a life, too")
    func pieces() {
        let pieces = FirstTokens.pieces(nil)
        #expect(abs(pieces.reduce(0) { $0 + $1.share } - 1) < 1e-9)
        #expect(abs(pieces.reduce(0) { $0 + $1.share * $1.place } - 0.5) < 1e-9)
        for visit in [0.01, 0.03, 0.1, 0.3] {
            let ended = pieces.reduce(0) { $0 + ($1.place < visit ? $1.share : 0) }
            #expect(abs(ended / visit - 1) < 0.1)
        }
    }

    @Test(
        "Promises that a log shows broken are counted, and kept ones are kept",
        arguments: [false, true])
    func promises(isStorm: Bool) throws {
        var traffic = MadeTraffic(seed: 13)
        traffic.add(users: 0..<10, until: 400)
        for request in traffic.requests where isStorm && request.isOfTokens {
            traffic.add(request.user, "/auth/refresh", 200, at: request.at + 0.001, for: 0.02)
        }
        let fit = TrafficFit(try traffic.log())
        let storm = try #require(
            fit.judgement.verdicts.first { $0.promise == "one refresh for an expiry" })
        #expect((storm.broken ?? 0 > 0) == isStorm)
        // With the second of two refreshes for an expiry there are as many more.
        #expect(fit.tokens.refreshesPerExpiry.map { $0.value > 1.5 } == isStorm)
    }

    @Test("Users who go on with a refused token and renew nothing are counted")
    func silent() throws {
        var traffic = MadeTraffic(seed: 13)
        traffic.add(users: 0..<10, until: 400)
        func verdict() throws -> LogJudgement.Verdict? {
            try TrafficFit(traffic.log()).judgement.verdicts.first {
                $0.promise == "each expiry is renewed"
            }
        }
        #expect(try verdict()?.broken == 0)
        for at in 0..<6 { traffic.add(3, "/list", 401, at: 500 + Double(at) * 2, for: 0.02) }
        #expect(try verdict()?.broken == 1)
    }

    @Test("Refreshes that go elsewhere are not known, and said")
    func elsewhere() throws {
        var traffic = MadeTraffic(seed: 17)
        traffic.add(users: 0..<10, until: 400)
        let lines = traffic.requests.filter { !$0.isOfTokens }.sorted { $0.end < $1.end }.map {
            $0.object(user: "u\($0.user)", address: "10.0.0.1")
        }
        let fit = TrafficFit(try reading(lines.joined(separator: "\n")))
        #expect(fit.tokens.isRenewedElsewhere && fit.tokens.refreshesPerExpiry == nil)
        #expect(fit.tokens.lifetime == nil || fit.tokens.lifetime?.value == 40e9)
        #expect(MadeTraffic.document(fit).contains("refreshes go elsewhere"))
    }

    @Test("Refusals too few to have a law are no work either")
    func fewRefusals() throws {
        var traffic = MadeTraffic(seed: 29)
        traffic.add(users: 0..<2, until: 300)
        let log = try traffic.log()
        let refusals = log.requests.count { $0.status == 401 }
        #expect((5..<40).contains(refusals))
        let served = log.requests.filter { $0.status == 200 }.map { Double($0.duration) }
        let mean = try #require(TrafficFit(log).commonLaw?.mean.value)
        let expected = Moments(served).mean
        #expect((expected * 0.999...expected * 1.001).contains(mean))
    }

    @Test("Users who sign in at the beginning of a visit do so in the profile, and take tokens")
    func signIns() throws {
        var traffic = MadeTraffic(seed: 17)
        var units = Units01(seed: 17)
        for user in 0..<20 {
            var now = 100 * units.next()
            while now < 1_200 {
                now = traffic.add(user, "/auth/login", 200, at: now, for: 0.05) + 0.06
                for path in ["/home", "/list", "/list"] {
                    now = traffic.add(user, path, 200, at: now, for: 0.02) + 1
                    now += units.exponential(3)
                }
                now += 60 + units.exponential(60)
            }
        }
        let text = FittedProfile(TrafficFit(try traffic.log()), file: "p.json").text
        #expect(text.contains(#""calls": [["logIn"], ["home"]]"#))
        #expect(text.contains(#""logIn": { "method": "POST", "path": "/auth/login" }"#))
        #expect(text.components(separatedBy: "/auth/login").count == 2)
    }

    @Test("A server that decides while requests wait has one life, and each address one user")
    func decidedLate() throws {
        var (traffic, units) = (MadeTraffic(seed: 6), Units01(seed: 6))
        for user in 0..<6 {
            var (now, issued) = (units.next(), 0.0)
            while now < 400 {
                // Of a tenth of a second any moment may decide, of the refresh, too.
                let isExpired = now + 0.1 * units.next() - issued > 30
                now = traffic.add(user, "/list", isExpired ? 401 : 200, at: now, for: 0.1) + 0.001
                guard isExpired else { continue }
                issued = now + 0.1 * units.next()
                now = traffic.add(user, "/auth/refresh", 200, at: now, for: 0.1) + 0.001
            }
        }
        let fit = TrafficFit(
            try traffic.log { $0.object(user: nil, address: MadeTraffic.address($0.user)) })
        #expect(fit.tokens.isOneUser == true)
        let life = try #require(fit.tokens.lifetime)
        #expect(life.low ?? 0 <= 30e9 && life.high ?? .infinity >= 30e9, "\(life)")
    }
}
