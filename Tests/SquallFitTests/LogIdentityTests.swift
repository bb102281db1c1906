import Testing

@testable import SquallFit

/// What tells users apart is one that the lines about tokens have, too.
@Suite("Users of a log")
struct LogIdentityTests {
    private func traffic(users: Int = 8, minutes: Double = 4) -> MadeTraffic {
        var traffic = MadeTraffic(seed: 7)
        traffic.add(users: 0..<users, until: minutes * 60)
        return traffic
    }

    private static let nobody: [String?] = ["-", "", "null", nil]

    @Test(
        "Where the token's lines have no user the address tells users, and refreshes",
        arguments: nobody)
    func absent(word: String?) throws {
        let fit = TrafficFit(
            try traffic().log { request in
                request.object(
                    user: request.isOfTokens ? word : "u\(request.user)",
                    address: MadeTraffic.address(request.user))
            })
        #expect(fit.log.reading.identity.evidence == .address)
        #expect(fit.visits?.people == 8 && fit.tokens.refreshesPerExpiry?.value == 1)
        #expect(fit.tokens.lifetime?.value == 40e9)
    }

    @Test("Where no address tells it either, refreshes and promises are not known")
    func unknown() throws {
        let fit = TrafficFit(
            try traffic().log { request in
                request.object(
                    user: request.isOfTokens ? nil : "u\(request.user)", address: "10.0.0.1")
            })
        #expect(fit.visits?.people == 8 && fit.tokens.refreshesPerExpiry == nil)
        #expect(fit.judgement.refusal != nil)
        #expect(MadeTraffic.document(fit).contains("log the user there"))
    }

    @Test("A value that changes with each token is no user")
    func renewed() throws {
        var tokens = [Int](repeating: 0, count: 8)
        let fit = TrafficFit(
            try traffic().log { request in
                defer { if request.isOfTokens { tokens[request.user] += 1 } }
                return request.object(
                    user: "t\(request.user)-\(tokens[request.user])",
                    address: MadeTraffic.address(request.user))
            })
        #expect(fit.visits?.people == 8 && fit.tokens.refreshesPerExpiry?.value == 1)
    }

    @Test(
        "A port or a logger's name at an address makes no users",
        arguments: [
            "2001:db8::7:%", "[2001:db8::7]:%", "INFO:aiohttp.access:203.0.113.7",
            "::ffff:203.0.113.7:%",
        ])
    func address(form: String) throws {
        let people = (41_230..<41_250).map { port in
            let text = form.replacing("%", with: "\(port)")
            return Array(text.utf8).withUnsafeBufferPointer { text in
                var raw = RawRequest()
                raw.tell(text, .address)
                return raw.person
            }
        }
        #expect(Set(people).count == 1 && people[0] != 0)
    }

    @Test("Several users behind each address have no intervals of single users")
    func shared() throws {
        let fit = TrafficFit(
            try traffic(users: 24, minutes: 6).log {
                $0.object(user: nil, address: MadeTraffic.address($0.user / 3))
            })
        let visits = try #require(fit.visits)
        #expect(!visits.areUsersKnown && visits.thinking?.mean.low == nil)
        #expect(visits.betweenVisits?.low == nil && fit.judgement.refusal != nil)
    }
}
