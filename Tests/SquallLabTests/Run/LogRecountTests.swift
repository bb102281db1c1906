import SquallBackend
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("Expiries, refreshes and loops, recounted from the server's log alone")
struct LogRecountTests {
    /// What a run counts of expired tokens.
    struct Count: Equatable {
        var expiries = 0, refreshes = 0, redundant = 0, loops = 0
    }

    /// One line of the log: who called what, with which status, and when it was sent and ended on
    /// the phone, in microseconds.
    struct Line {
        let user, call: String
        let status: Int
        let sent, ended: Int

        /// `wayMicroseconds` is the constant time that each way of the network takes.
        init?(_ text: String, way wayMicroseconds: Int) {
            let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
            guard parts.count > 26 else { return nil }
            let time = parts[3].dropFirst(11).split { ":.Z".contains($0) }.compactMap { Int($0) }
            let numbers = [22, 26].compactMap { Int(parts[$0].filter(\.isNumber)) }
            guard time.count == 4, numbers.count == 2 else { return nil }
            let seconds = (time[0] * 60 + time[1]) * 60 + time[2]
            let replied = seconds * 1_000_000 + time[3] / 1_000
            (user, call, status) = (String(parts[11]), String(parts[19]), numbers[0])
            (sent, ended) = (replied - numbers[1] - wayMicroseconds, replied + wayMicroseconds)
        }
    }

    /// The count by the rule for one user whose phone shows its newest token, in forty lines.
    static func count(_ log: [Line], rotates: Bool) -> Count {
        let lines = log.sorted { ($0.ended, $0.sent) < ($1.ended, $1.sent) }
        func isRefresh(_ line: Line) -> Bool { line.call == "/refresh" }
        let signIns = lines.filter { $0.call == "/logIn" && $0.status == 200 }.map(\.ended)
        let renewals = lines.filter { isRefresh($0) && $0.status == 200 }.map(\.ended) + signIns
        func token(_ moment: Int) -> Int { renewals.count { $0 <= moment } }
        func pair(_ moment: Int) -> Int { rotates ? token(moment) : signIns.count { $0 <= moment } }
        let refused = lines.filter { !isRefresh($0) && $0.status == 419 }
        var count = Count()
        count.expiries =
            Set(
                refused.filter { line in !renewals.contains { line.sent < $0 && $0 < line.ended } }
                    .map { token($0.sent) }
            ).count
        let refreshes = lines.filter(isRefresh).map { refresh in
            let cause = refused.last { $0.ended <= refresh.sent }
            return (line: refresh, token: token(cause?.sent ?? 0), shows: pair(refresh.sent))
        }
        count.refreshes = refreshes.count
        count.redundant = refreshes.indices.count { place in
            let one = refreshes[place]
            return refreshes[..<place].contains { other in
                let isSpent = other.line.status == 418 || rotates && other.line.status == 200
                let isBeside = other.line.status == 200 || other.line.ended > one.line.sent
                return other.token == one.token && isBeside || other.shows == one.shows && isSpent
            }
        }
        for tries in Dictionary(grouping: refused, by: \.call).values {
            let kept = tries.reduce(into: [Line]()) { kept, line in
                if line.sent >= kept.last?.ended ?? .min { kept.append(line) }
            }
            var times = 0
            for (place, line) in kept.enumerated() {
                // Users rest for nine seconds between steps.
                if place > 0, line.sent > kept[place - 1].ended + 5_000_000 { times = 0 }
                let next = place + 1 < kept.count ? kept[place + 1].ended : .max
                let ends = min(line.ended + 5_000_000, next)
                let isRefreshed = refreshes.contains { (line.ended..<ends).contains($0.line.ended) }
                times += isRefreshed ? 1 : 0
                if isRefreshed, times == 3 { count.loops += 1 }
            }
        }
        return count
    }

    /// A client and its server, drawn at random.
    struct Case {
        var wayMilliseconds = 30, rotates = false
        var text = ""

        init(_ stream: RandomStream) {
            func flips(_ number: UInt64) -> Bool { stream.chance(0.5, at: number) }
            func one(_ words: [String], _ number: UInt64) -> String {
                words[Int(stream.integer(below: UInt64(words.count), at: number))]
            }
            let loops = stream.chance(0.3, at: 0)
            wayMilliseconds = loops ? 600 : 30
            rotates = stream.chance(0.4, at: 1)
            let isDead = flips(2)
            let calls = (0...stream.integer(below: 4, at: 3)).map { "call\($0)" }
            let endpoints = calls.map { #"{"name": "\#($0)", "path": "/\#($0)"}"# }
            let names = calls.map { "\"\($0)\"" }.joined(separator: ", ")
            let all = ["expireAllTokens 50s", "revokeRefreshTokens 91s", "expireAllTokens 92s"]
            let faults = all.prefix(isDead ? 3 : 1).map { fault in
                let words = fault.split(separator: " ")
                return #"{"kind": "\#(words[0])", "at": "\#(words[1])"}"#
            }
            text = """
                { "schemaVersion": 1, "duration": "3m", "populations": [{
                    "app": "drawn", "users": 3, "journeys": { "look": 1 }, "thinkTime": "9s",
                    "away": "11s", "arriveOver": "5s", "patience": "60s" }],
                  "apps": [{ "name": "drawn", "tokens": {
                      "notices": ["status"], "singleFlight": \(flips(4)),
                      "refreshesLate": \(flips(5)),
                      "resends": \(1 + stream.integer(below: 5, at: 6)),
                      "asksTwice": \(flips(7)),
                      "failedRefresh": "\(one(["signOut", "signOutWhenDead", "keep"], 8))" },
                    "screens": [{ "name": "main", "calls": [[\(names)]] }],
                    "journeys": [{ "name": "look", "steps": ["main", "main"] }] }],
                  "backend": {
                    "tokens": { "accessLifetime": "\(loops ? "1s" : one(["20s", "1m"], 9))",
                      "refresh": "\(rotates ? "oneShot" : "coexist")" },
                    "network": { "up": "\(wayMilliseconds)ms", "down": "\(wayMilliseconds)ms" },
                    "server": { "workers": 64,
                      "serviceTime": { "exponential": { "mean": "9ms" } } },
                    "faults": [\(faults.joined(separator: ", "))],
                    "service": { "form": "status419", "logIn": { "path": "/logIn" },
                      "refresh": { "path": "/refresh" },
                      "endpoints": [\(endpoints.joined(separator: ", "))] } } }
                """
        }
    }

    @Test("Drawn clients with loops and dead tokens are counted as their log says")
    func recount() throws {
        var sum = Count()
        for number in 0..<12 {
            let drawn = Case(RandomStream(seed: 49).stream(number: UInt64(number)))
            let profile = try Profile.read(
                Array(drawn.text.utf8), file: "drawn", vocabulary: .installed)
            var log: [Line] = []
            var options = LoadRun.Options(replayCommand: "")
            options.serverLog = { record in
                let text = AccessLogForm.json.line(record)
                if let line = Line(text, way: drawn.wayMilliseconds * 1_000) { log.append(line) }
            }
            let summary = try LoadRun(profile: profile, named: "drawn", options: options)
                .run { _ in .continue }.summary
            let known = try #require(summary.populations.first).counts
            var count = Count()
            for lines in Dictionary(grouping: log, by: \.user).values {
                let one = Self.count(lines, rotates: drawn.rotates)
                count.expiries += one.expiries
                count.refreshes += one.refreshes
                count.redundant += one.redundant
                count.loops += one.loops
            }
            let run = Count(
                expiries: Int(known.expiries), refreshes: Int(known.promptedRefreshes),
                redundant: Int(known.redundantRefreshes), loops: Int(known.loopingCalls))
            #expect(run == count, "case \(number): \(drawn.text)")
            sum.expiries += count.expiries
            sum.redundant += count.redundant
            sum.loops += count.loops
        }
        #expect(sum.expiries > 100 && sum.redundant > 50 && sum.loops > 10, "\(sum)")
    }
}
