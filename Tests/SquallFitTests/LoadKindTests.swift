import Testing

@testable import SquallFit

/// Closed or open is decided once, and said where the log does not tell.
@Suite("Kinds of load")
struct LoadKindTests {
    @Test(
        "Users who never leave are a closed load of as many, however long the log",
        arguments: [4.0, 16])
    func constant(minutes: Double) throws {
        var traffic = MadeTraffic(seed: 2)
        traffic.add(users: 0..<20, until: minutes * 60)
        let fit = TrafficFit(try traffic.log())
        let kind = try #require(fit.visits?.kind)
        #expect(kind.isClosed && kind.isConstant && !kind.isUnclear)
        let text = FittedProfile(fit, file: "p.json").text
        #expect(text.contains("\"users\": 20,") && !text.contains("\"open\""))
    }

    @Test("Users who come one after the other and stay for a minute are visits that arrive")
    func open() throws {
        var traffic = MadeTraffic(seed: 3)
        for user in 0..<150 {
            let begin = Double(user) * 6 + Double(user % 7)
            traffic.add(users: user..<user + 1, from: begin, until: begin + 60)
        }
        let log = try traffic.log()
        let fit = TrafficFit(log)
        #expect(!fit.isClosed && fit.visits?.kind.isUnclear == false)
        #expect(abs(fit.arrivals.rate.value * 6 - 1) < 0.1)
        let given = TrafficFit(log, options: .init(isClosed: true))
        #expect(given.isClosed && given.visits?.kind.isUnclear == false)
    }

    @Test("Too short a log for either answer names both and the option that decides")
    func unclear() throws {
        var traffic = MadeTraffic(seed: 5)
        let stays = [(0.0, 90.0), (4, 50), (15, 90), (30, 70), (44, 90)]
        for (user, stay) in stays.enumerated() {
            traffic.add(users: user..<user + 1, from: stay.0, until: stay.1)
        }
        let fit = TrafficFit(try traffic.log())
        let visits = try #require(fit.visits)
        #expect(visits.kind.isUnclear)
        let text = MadeTraffic.document(fit)
        #expect(text.contains("Closed or open is not known") && text.contains("--load"))
        // Who stays for long sees more screens than a journey of the closed load has.
        #expect(visits.screensSeen > 2 * visits.meanScreens)
    }
}
