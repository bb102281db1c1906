import SquallReport
import Testing

@testable import SquallFit

/// What times a log has, and what follows from those that it has not.
@Suite("Times of a log")
struct LogStampTests {
    private func traffic(look: Double = 3, minutes: Double = 10) -> MadeTraffic {
        var traffic = MadeTraffic(seed: 19)
        traffic.add(users: 0..<12, until: minutes * 60, look: look)
        return traffic
    }

    private func fine(_ value: Double) -> String { " \(Int(value * 1e6))" }

    @Test("Lines in the order of ends whose times go back have the times of requests")
    func begins() throws {
        var traffic = traffic()
        for number in 0..<60 {
            traffic.add(12, "/report", 200, at: Double(number) * 10, for: 4)
        }
        let log = try traffic.log { request in
            request.combined(
                MadeTraffic.address(request.user), at: request.at, more: fine(request.span))
        }
        #expect(log.reading.areBeginnings)
        #expect(try !self.traffic().log().reading.areBeginnings)
    }

    @Test("Without durations neither network nor work is known, and the profile says so")
    func noDurations() throws {
        let log = try traffic().log { request in
            "{\"ts\":\(1_700_000_000 + request.end),\"user\":\"u\(request.user)\",\"method\":"
                + "\"\(request.method)\",\"path\":\"\(request.path)\",\"status\":\(request.status)}"
        }
        let fit = TrafficFit(log)
        #expect(fit.visits?.network == nil && fit.commonLaw == nil)
        let figures = fit.figures.filter {
            ["network round trip", "service time", "workers"].contains($0.name)
        }
        #expect(figures.count == 3 && figures.allSatisfy { $0.estimate == nil })
        let text = MadeTraffic.document(fit)
        #expect(
            text.contains("No line tells how long it took") && text.contains("from line to line"))
        // A token was issued, and used, up to a second before the lines.
        let life = try #require(fit.tokens.lifetime)
        #expect(try #require(life.low) <= 39.1e9 && #require(life.high) >= 40.9e9)
        let look = try #require(fit.visits?.thinking?.mean.interval)
        #expect(look.contains(3e9) && look.contains(look.value - 80e6))
    }

    @Test("A clock that stands still for about a second tells the second only")
    func coarse() throws {
        func log(step: Double) throws -> TrafficLog {
            try traffic().log { request in
                let stamp = 1_700_000_000 + 0.157 + step * (request.end / step).rounded(.down)
                return "{\"ts\":\(stamp),\"user\":\"u\(request.user)\",\"method\":"
                    + "\"\(request.method)\",\"path\":\"\(request.path)\",\"status\":"
                    + "\(request.status),\"duration\":\(request.span)}"
            }
        }
        let coarse = try log(step: 1)
        #expect(coarse.reading.isWholeSeconds && coarse.reading.areFractionsOthers)
        #expect(TrafficFit(coarse).visits?.network == nil)
        #expect(try !log(step: 0.001).reading.isWholeSeconds)
    }

    @Test("Of times in whole seconds the interval of a pause holds it", arguments: [true, false])
    func seconds(hasDurations: Bool) throws {
        let log = try traffic(look: 6).log { request in
            request.combined(
                MadeTraffic.address(request.user), at: request.end,
                more: hasDurations ? " 0.0\(10 + Int(request.span * 1e3) % 80)" : "")
        }
        #expect(log.reading.isWholeSeconds)
        let fit = TrafficFit(log)
        #expect(fit.visits?.network == nil && !fit.workers.isKnown)
        let work = try #require(fit.figures.first { $0.name == "service time" })
        #expect(work.estimate?.low == nil)
        #expect(work.note.contains("at most: the time in the system") == hasDurations)
        // Calls that were on their way when one was refused need no refresh.
        #expect(try #require(fit.tokens.unseen).value == 0)
        #expect(try #require(fit.tokens.refreshesPerExpiry).interval.contains(1))
        let look = try #require(fit.visits?.thinking?.mean.interval)
        // Work and network are in a pause from line to line, and no second tells how long.
        #expect(look.contains(6e9) && (hasDurations || look.contains(look.value - 0.3e9)))
    }

    @Test("More than one line in fifty that is broken makes a fit not reliable", arguments: [1, 5])
    func broken(share: Int) throws {
        var traffic = traffic()
        traffic.add(users: 12..<20, until: 600)
        let lines = traffic.requests.sorted { $0.end < $1.end }.enumerated().map { index, request in
            index % 100 < share
                ? "no line 17" : request.object(user: "u\(request.user)", address: "10.0.0.1")
        }
        let fit = TrafficFit(try reading(lines.joined(separator: "\n")))
        #expect((fit.scarcity != nil) == (share > 2))
        if share > 2 { #expect(MadeTraffic.document(fit).contains("could not be read")) }
    }

    @Test(
        "Apache's begin and end of a request tell how long it took",
        arguments: [nil, "%h %{begin:msec}t %{end:msec}t \"%r\" %>s %b"])
    func beginAndEnd(format: String?) throws {
        let requests = traffic().requests.sorted { $0.end < $1.end }
        func milliseconds(_ time: Double) -> Int { 1_700_000_000_000 + Int(time * 1e3) }
        let lines = requests.map {
            "\(MadeTraffic.address($0.user)) \(milliseconds($0.at)) \(milliseconds($0.end))"
                + " \"\($0.method) \($0.path) HTTP/1.1\" \($0.status) 120"
        }
        let log = try reading(lines.joined(separator: "\n"), format: format)
        #expect(log.reading.withDuration == requests.count)
        let sum = log.requests.reduce(0) { $0 + Double($1.duration) / 1e9 }
        let truth = requests.reduce(0) { $0 + $1.span }
        #expect(abs(sum - truth) < 0.001 * Double(requests.count))
    }

    @Test(
        "Numbers are times where they explain the order of lines, and else sizes",
        arguments: [(true, true), (true, false), (false, true)])
    func order(areTimes: Bool, areBehind: Bool) throws {
        var traffic = MadeTraffic(seed: 41)
        traffic.add(users: 0..<40, until: 600)
        let lines = traffic.requests.sorted { $0.end < $1.end }.enumerated().map {
            let number = "\(areTimes ? Int($1.span * 1e6) : 999 + $0 * 7_919 % 9_001)"
            let line = "\"\($1.method) \($1.path) HTTP/1.1\""
            let status = "\($1.status)"
            let rest = areBehind ? [line, status, number] : [number, status, "9", line]
            return "\(MadeTraffic.address($1.user)) \(Self.seconds($1.at)) - "
                + rest.joined(separator: " ")
        }
        let log = try reading(lines.joined(separator: "\n"))
        #expect(log.reading.withDuration == (areTimes ? lines.count : 0))
    }

    /// Seconds since 1970 with six digits.
    private static func seconds(_ time: Double) -> String {
        let fraction = "\(1_000_000 + Int(time * 1e6) % 1_000_000)".dropFirst()
        return "\(1_700_000_000 + Int(time)).\(fraction)"
    }

    @Test(
        "Of several times the one that includes the others is the request's, and else none",
        arguments: [(true, false), (true, true), (false, false), (false, true)])
    func parts(isWhole: Bool, haveUnits: Bool) throws {
        var (traffic, units) = (MadeTraffic(seed: 43), Units01(seed: 47))
        traffic.add(users: 0..<12, until: 300)
        func number(_ seconds: Double) -> String {
            let digits = "\(1_000_000 + Int(seconds * 1e6))".dropFirst()
            return haveUnits ? "\(Int(seconds * 1e6))us" : "0.\(digits)"
        }
        let log = try traffic.log { request in
            let times = [
                isWhole ? request.span / 4 : min(0.9, units.exponential(0.1)), 0, request.span,
                request.span * units.next(),
            ]
            return request.combined(
                MadeTraffic.address(request.user), at: request.end,
                more: times.map { " " + number($0) }.joined())
        }
        #expect(log.reading.withDuration == (isWhole ? log.reading.requests : 0))
        let sums = (
            log.requests.reduce(0) { $0 + Double(max(0, $1.duration)) / 1e9 },
            traffic.requests.reduce(0) { $0 + $1.span }
        )
        #expect(!isWhole || abs(sums.0 - sums.1) < 0.001 * sums.1)
        let text = MadeTraffic.document(TrafficFit(log))
        #expect(text.contains("which of its numbers does") != isWhole)
    }

    @Test("Numbers with a fraction now and then are no whole numbers")
    func rareFractions() throws {
        var (traffic, units) = (MadeTraffic(seed: 53), Units01(seed: 59))
        traffic.add(users: 0..<12, until: 300)
        let log = try traffic.log { request in
            let isKnown = units.next() < (request.at < 100 ? 0.04 : 0.5)
            let wait = isKnown ? "0.1\(10 + Int(units.next() * 80))" : "0"
            return request.combined(
                MadeTraffic.address(request.user), at: request.end, more: " \(wait) 0 0")
        }
        #expect(log.reading.withDuration == 0)
    }

    @Test(
        "Fractions of another instant than their seconds are not used, and that is said",
        arguments: [true, false])
    func fractions(areOthers: Bool) throws {
        let log = try traffic().log { request in
            let fraction = areOthers ? request.at : request.end
            let stamp = Self.seconds(Double(Int(request.end)) + fraction - fraction.rounded(.down))
            return "\(stamp) \(MadeTraffic.address(request.user)) \"\(request.method)"
                + " \(request.path) HTTP/1.1\" \(request.status) 120"
        }
        #expect(log.reading.isWholeSeconds == areOthers)
        let fit = TrafficFit(log)
        #expect(MadeTraffic.document(fit).contains("another instant") == areOthers)
        let look = try #require(fit.visits?.thinking?.mean.interval)
        #expect(look.contains(3e9))
    }

    @Test("Durations in whole seconds, nearly all 0, are none")
    func zeros() throws {
        let lines = (0..<60).map {
            "{\"time\":\(1_790_000_000 + $0),\"method\":\"GET\",\"path\":\"/a\","
                + "\"took\":\($0 / 58)}"
        }
        let reading = try reading(lines.joined(separator: "\n")).reading
        #expect(reading.withDuration == 0 && reading.areDurationsZero)
    }

    @Test(
        "Calls that are sent at once are one screen, in whatever order they come",
        arguments: [true, false])
    func atOnce(hasDurations: Bool) throws {
        var (traffic, units) = (MadeTraffic(), Units01(seed: 31))
        for user in 0..<12 {
            var now = units.exponential(4)
            for _ in 0..<80 {
                for path in ["/home", "/me"] {
                    traffic.add(user, path, 200, at: now + 2e-6 * units.next(), for: 0.02)
                }
                now += 0.1 + units.exponential(4)
            }
        }
        let log = try traffic.log { request in
            let line = request.object(user: "u\(request.user)", address: "10.0.0.1")
            return hasDurations ? line : line.replacing(",\"duration\":\(request.span)", with: "")
        }
        let visits = try #require(TrafficFit(log).visits)
        let counts = visits.screens.kinds.map(\.count)
        #expect(visits.network == nil && (counts[0] * 10 > counts.reduce(0, +) * 9))
        #expect(!hasDurations || counts.count == 1)
        let look = try #require(visits.thinking?.mean.value)
        #expect((3.7e9...4.5e9).contains(look))
    }

    @Test("A user with another network and most of the screens widens its interval")
    func ownNetworks() throws {
        var (traffic, units) = (MadeTraffic(), Units01(seed: 37))
        for user in 0..<12 {
            var now = units.exponential(4)
            for _ in 0..<(user == 0 ? 300 : 20) {
                let ends = traffic.add(user, "/home", 200, at: now, for: 0.02)
                let trip = (user == 0 ? 0.3 : 0.06) + 0.002 * units.next()
                now = traffic.add(user, "/list", 200, at: ends + trip, for: 0.02)
                now += 1 + units.exponential(user == 0 ? 1 : 20)
            }
        }
        let network = try #require(TrafficFit(try traffic.log()).visits?.network)
        #expect(try #require(network.low) < 0.07e9 && network.value > 0.29e9)
    }
}
