import Testing

@testable import SquallFit

@Suite("Pauses of single screens")
struct ScreenPauseTests {
    /// Sixty users of a home screen, a list and an item, who are away for two minutes between their
    /// visits, of which every second one begins with a sign-in; pauses behind a path in seconds.
    private func fit(_ pauses: [String: Double], seed: Int = 1) throws -> (TrafficFit, visits: Int)
    {
        var (units, made, visits) = (Units01(seed: seed), MadeTraffic(seed: seed), 0)
        for user in 0..<60 {
            var now = 120 * units.next()
            while now < 3_600 {
                visits += 1
                var paths = units.next() < 0.5 ? ["/auth/login"] : []
                paths += ["/home"]
                while units.next() < 0.6 { paths.append(units.next() < 0.5 ? "/list" : "/item") }
                for path in paths {
                    now = made.add(user, path, 200, at: now, for: 0.01 + 0.01 * units.next())
                    now += units.exponential(pauses[path] ?? 5)
                }
                now += 90 + 60 * units.next()
            }
        }
        return (TrafficFit(try made.log()), visits)
    }

    private func mean(_ path: String, _ fit: TrafficFit) -> Double? {
        fit.visits?.own.first { own in
            fit.visits?.screens.kinds[own.screen].groups.first?.first.map {
                fit.log.calls[Int($0.symbol.call)].path == path
            } == true
        }.map { $0.law.mean.value / 1e9 }
    }

    @Test("A screen at which users stay much longer has pauses of its own in the profile")
    func longer() throws {
        let (fit, _) = try fit(["/item": 15])
        let item = try #require(mean("/item", fit))
        #expect(abs(item - 15) < 3, "\(item)")
        #expect(abs((fit.visits?.written?.mean.value ?? 0) / 1e9 - 5) < 0.7)
        #expect(fit.visits?.own.count == 1)
        let text = FittedProfile(fit, file: "x").text
        #expect(text.contains(#""thinkTimes": { ""#))
    }

    @Test("Where users stay alike everywhere no screen has pauses of its own", arguments: 1...3)
    func alike(seed: Int) throws {
        let (fit, _) = try fit([:], seed: seed)
        #expect(fit.visits?.own.isEmpty == true)
        #expect(!FittedProfile(fit, file: "x").text.contains("thinkTimes"))
    }

    @Test(
        "That users differ is said, and not what chance or screens do",
        arguments: [(2.0, 20.0, true), (5, 5, false), (4, 6, false)])
    func differ(first: Double, second: Double, isTold: Bool) throws {
        var made = MadeTraffic()
        made.add(users: 0..<20, until: 600, look: first)
        made.add(users: 20..<30, until: 600, look: second)
        let fit = TrafficFit(try made.log())
        #expect(MadeTraffic.document(fit).contains("Users differ") == isTold)
        guard isTold else { return }
        // Two thirds at ln 2 and a third at ln 20 have a standard deviation of 1.085.
        let factor = try #require(fit.visits?.spread?.factor)
        #expect((2.5...3.5).contains(factor), "\(factor)")
    }

    @Test(
        "Time at a sign-in is no absence, however long, since it leads where no visit begins",
        arguments: [60, 120, 300])
    func signIn(look: Double) throws {
        let (fit, visits) = try fit(["/auth/login": look])
        let signIn = try #require(mean("/auth/login", fit))
        #expect(abs(signIn / look - 1) < 0.15, "\(signIn)")
        let away = try #require(fit.visits?.betweenVisits?.count)
        #expect(abs(Double(away) / Double(visits - 60) - 1) < 0.1, "\(away) of \(visits)")
    }
}
