import Foundation
import Testing

@testable import SquallFit

/// Logs that break an assumption, with what is true of them.
@Suite("Broken assumptions of a fit")
struct BrokenAssumptionTests {
    private enum Kind {
        case plain, refusals, retries, longLooks, lostLines, clockStep, wholeSeconds
    }

    /// Users who open a home screen of two calls and then lists, for 25 minutes; tokens
    /// live a minute, a call takes 70 ms and a look 8 s.
    private func fit(_ kind: Kind) throws -> TrafficFit {
        var units = Units01(seed: 3)
        var lines: [(at: Double, text: String)] = []
        func log(_ user: Int, _ path: String, _ status: Int, from began: Double, for span: Double) {
            if kind == .lostLines, units.next() < 0.05 { return }
            let moved = kind == .clockStep && began > 700 ? 3.0 : 0
            let time = 1_700_000_000 + began + span - moved
            let verb = path == "/auth/refresh" ? "POST" : "GET"
            let line =
                "{\"ts\":\(kind == .wholeSeconds ? time.rounded(.down) : time),"
                + "\"user_id\":\"u\(user)\","
                + "\"method\":\"\(verb)\",\"path\":\"\(path)\",\"status\":\(status),"
                + "\"duration\":\(span)}"
            lines.append((kind == .wholeSeconds ? began + span : began, line))
        }
        func work() -> Double { 0.02 + units.exponential(0.05) }
        for user in 0..<24 {
            var (now, issued) = (60 * units.next(), -100.0)
            while now < 1_500 {
                for (index, paths) in [["/home", "/me"], ["/list"], ["/list"]].enumerated() {
                    if index > 0 {
                        now +=
                            kind == .longLooks
                            ? 4 * Foundation.pow(units.next(), -0.5) : units.exponential(8)
                    }
                    if now - issued > 60 {
                        for path in paths { log(user, path, 401, from: now, for: 0.001) }
                        now += 0.081
                        log(user, "/auth/refresh", 200, from: now, for: 0.05)
                        (issued, now) = (now, now + 0.13)
                    }
                    if kind == .retries, units.next() < 0.1 {
                        for path in paths { log(user, path, 500, from: now, for: 0.005) }
                        now += 2
                    }
                    var end = now
                    for path in paths {
                        let span = work()
                        log(user, path, 200, from: now, for: span)
                        end = max(end, now + span)
                    }
                    now = end + 0.08
                }
                now += 60 + units.exponential(60)
            }
        }
        let text = lines.sorted { $0.at < $1.at }.map(\.text).joined(separator: "\n")
        return TrafficFit(try reading(text))
    }

    @Test("Refused calls have a law of their own, which the profile takes over")
    func refusals() throws {
        let fit = try fit(.refusals)
        let law = try #require(fit.refusalLaw)
        #expect(law.mean.value == 1e6)
        #expect(abs((fit.commonLaw?.mean.value ?? 0) / 70e6 - 1) < 0.05)
        #expect(fit.others.isEmpty)
        let text = FittedProfile(fit, file: "p.json").text
        #expect(text.contains("\"refusalTime\": { \"constant\": \"1ms\" }"))
    }

    @Test("The wait before a failed call is sent again is no look at a screen")
    func retries() throws {
        let looks = try #require(fit(.retries).visits?.thinking?.mean)
        let (low, high) = (try #require(looks.low), try #require(looks.high))
        #expect((low...high).contains(8e9))
    }

    @Test("Failed calls that the app sends again are a retry policy of the profile")
    func retryPolicy() throws {
        let text = FittedProfile(try fit(.retries), file: "p.json").text
        // The user sends a call again 2 s after it was sent; the network's 80 ms are not the app's.
        #expect(text.contains("\"retries\": \"naive\""))
        #expect(text.contains("\"retryPolicy\": { \"limit\": 1, \"firstDelay\": \"1.91"))
        #expect(!FittedProfile(try fit(.refusals), file: "p.json").text.contains("retryPolicy"))
    }

    @Test("Long looks are not taken for absences where the order of screens tells them apart")
    func longLooks() throws {
        let pauses = try #require(fit(.longLooks).visits?.pauses)
        let looks = zip(pauses.all, pauses.isAway).filter { !$0.1 }.map(\.0.span)
        #expect(looks.max() ?? 0 > 60e9)
        // The list is the most frequent screen, so home, with which visits begin, is the second.
        let wrong = zip(pauses.all, pauses.isAway).count { ($0.to == 1) != $1 }
        #expect(wrong * 100 < pauses.isAway.count)
    }

    @Test("A log that lacks lines has no intervals of pauses")
    func lostLines() throws {
        let fit = try fit(.lostLines)
        #expect(fit.tokens.lacksLines)
        #expect(fit.visits?.thinking?.mean.low == nil)
        #expect(try !self.fit(.plain).tokens.lacksLines)
    }

    @Test("Times in whole seconds tell no network, and a token's life to the second")
    func wholeSeconds() throws {
        let fit = try fit(.wholeSeconds)
        let life = try #require(fit.tokens.lifetime)
        #expect(life.low ?? 0 <= 59e9 && life.high ?? 0 >= 61e9 && life.value == 60e9)
        let visits = try #require(fit.visits)
        #expect(visits.network == nil)
        // Its two calls may have come at once.
        #expect(fit.workers.count >= 2 && !fit.workers.isKnown)
        // Calls that go out together stay one screen, in whatever order they end.
        #expect(visits.screens.kinds.count == 2)
        let thinking = try #require(visits.thinking?.mean)
        #expect(thinking.low ?? 0 <= 8e9 && thinking.high ?? 0 >= 8e9)
    }

    @Test("Where all tokens are made to expire again and again, no age tells it")
    func expiredTogether() throws {
        var lines: [String] = []
        var issued = [Int](repeating: 0, count: 13)
        func add(_ second: Int, _ call: String, _ status: Int, _ user: Int) {
            lines.append(
                "{\"ts\":\(1_700_000_000 + second).\(100 + lines.count % 800),\(call),"
                    + "\"status\":\(status),\"duration_s\":0.01,\"user\":\"u\(user)\"}")
        }
        let (call, refresh) = (
            #""method":"GET","path":"/me""#, #""method":"POST","path":"/auth/refresh""#
        )
        for second in 1..<1_300 {
            // At even times all ages would be alike, which one life explains, too.
            let user = second * second % 13
            if issued[user] / 20 != second / 20 {
                add(second, call, 401, user)
                add(second, refresh, 200, user)
                issued[user] = second
            }
            add(second, call, 200, user)
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(TrafficFit(log).tokens.lifetime == nil)
        let options = TrafficFit.Options(expiryInterval: 20_000_000_000)
        #expect(TrafficFit(log, options: options).tokens.lifetime?.value == 20e9)
    }

    @Test("The interval of a token's life holds it though the clock was set back")
    func clockStep() throws {
        let life = try #require(fit(.clockStep).tokens.lifetime)
        let (low, high) = (try #require(life.low), try #require(life.high))
        #expect((low...high).contains(60e9))
    }
}
