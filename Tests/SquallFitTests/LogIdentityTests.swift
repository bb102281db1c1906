import SquallFormat
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

    @Test(
        "A user and a duration as key=value are found in lines of any other form",
        arguments: [
            "STAMP info: VERB PATH status=STATUS user=NAME took=SPAN",
            "status=STATUS user=NAME [STAMP] \"VERB PATH\" ms=SPAN",
            "192.0.2.1 - - [STAMP] \"VERB PATH HTTP/1.1\" STATUS 7 user_id=NAME duration_ms=SPAN",
            "at=STAMP verb_used=VERB where=PATH status=STATUS user=NAME duration_ms=SPAN",
        ])
    func keys(form: String) throws {
        let log = try traffic().log { request in
            let time = Int(request.end * 1e3)
            func digits(_ value: Int, _ count: Int) -> String {
                String(repeating: "0", count: count - String(value).count) + String(value)
            }
            let values = [
                "STAMP": "2026-11-30T01:\(digits(time / 60_000, 2)):"
                    + "\(digits(time / 1_000 % 60, 2)).\(digits(time % 1_000, 3))Z",
                "VERB": request.method, "PATH": request.path, "STATUS": "\(request.status)",
                "NAME": "u\(request.user)", "SPAN": "\(request.span * 1e3)",
            ]
            return values.ordered { $0.key < $1.key }.reduce(form) {
                $0.replacing($1.key, with: $1.value)
            }
        }
        #expect(log.reading.identity.evidence == .user)
        #expect(Set(log.requests.map(\.person)).count == 8)
        #expect(log.reading.withDuration == log.reading.requests)
    }
}
