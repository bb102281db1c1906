import Foundation
import SquallHTTP
import SquallKernel
import TestSupport
import Testing

import SquallBackend
@testable import SquallCases
import SquallServices

@Suite("A run that begins at another date")
struct EpochTests {
    /// 2027-03-01T00:00:00Z, when a token counted from 2024 would not fit into its digits.
    private let epoch = Epoch(nanosecondsSince1970: 1_803_859_200_000_000_000)

    @Test(
        "Clocks, dates and identifiers count from the run's date; content is at most a month older")
    func dates() throws {
        var plan = ServicesPlan()
        (plan.epoch, plan.userCount) = (epoch, 3)
        let contract = Contract(plan.contract, userCount: 3, randomness: RandomStream(seed: 1))
        let month: Int64 = 30 * 86_400_000
        let post = contract.posts.id(at: 0)
        #expect(Int64(post.second) * 1_000 == epoch.milliseconds(at: .start) - month)
        #expect(
            contract.users.id(0).hasPrefix(String(epoch.seconds(at: .start) - 86_400, radix: 16)))
        let simulation = Simulation(epoch: epoch)
        let seen = simulation.nanosecondsSince1970
        #expect(seen == epoch.nanosecondsSince1970)
    }

    @Test("A refresh token of a year is issued on any date, and an expiry is told by its calendar")
    func tokens() throws {
        var service = TokenService(.bearer, refreshLifetime: .seconds(366 * 86_400))
        service.members = { #"{"expires_at":\#($0.expiresAt)}"# }
        let answers = service.service(randomness: RandomStream(seed: 1), userCount: 1)
        let mint = TokenMint(policy: service.tokens, randomness: RandomStream(seed: 1))
        let login = URLRequest(
            url: WebURL(origin: service.origin, path: "/oauth/token"), method: .post,
            body: Body("grant_type=password&username=user0%40example.com&password=password-0"))
        let answer = answers.answer(
            login, to: Route(row: 0),
            in: ServiceScene(now: Instant(nanoseconds: 5), epoch: epoch, tokens: mint))
        let text = String(decoding: answer.body.bytes, as: UTF8.self)
        #expect(text.contains(#""expires_at":\#(epoch.seconds(at: .start) + 300)"#), "\(text)")
    }

    @Test("A service that delivers cookies sends a field for each")
    func cookies() throws {
        let service = TokenService(.sessionCookie)
        let answers = service.service(randomness: RandomStream(seed: 1), userCount: 1)
        let mint = TokenMint(policy: service.tokens, randomness: RandomStream(seed: 1))
        let login = URLRequest(
            url: WebURL(origin: service.origin, path: "/login"), method: .post,
            body: Body("username=user0%40example.com&password=password-0"))
        let answer = answers.answer(
            login, to: Route(row: 0), in: ServiceScene(now: .start, tokens: mint))
        let cookies = answer.headers.values(for: "set-cookie").map { $0.prefix { $0 != "=" } }
        #expect(cookies == ["session", "renewal"])
    }
}
