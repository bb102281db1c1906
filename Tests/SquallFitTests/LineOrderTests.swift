import Testing

@testable import SquallFit

/// What the order of lines shows beside their times.
@Suite("Order of lines")
struct LineOrderTests {
    /// The lines of twelve users in the order of their ends; `ahead` moves a clock.
    private func lines(
        until end: Double = 300, ahead: (Int, MadeTraffic.Request) -> Double = { _, _ in 0 }
    ) -> [String] {
        var traffic = MadeTraffic(seed: 23)
        traffic.add(users: 0..<12, until: end)
        return traffic.requests.sorted { $0.end < $1.end }.enumerated().map { index, request in
            var request = request
            request.at += ahead(index, request)
            return request.object(user: "u\(request.user)", address: "10.0.0.1")
        }
    }

    private func fit(_ files: [[String]]) throws -> TrafficFit {
        var reader = try LogReader(filter: RequestFilter(include: ["*"]), keepsWords: true)
        for lines in files {
            var text: [UInt8]? = Array(lines.joined(separator: "\n").utf8)
            try reader.read {
                defer { text = nil }
                return text
            }
        }
        return TrafficFit(try reader.finish())
    }

    private func figures(_ fit: TrafficFit) -> [String: Double?] {
        Dictionary(uniqueKeysWithValues: fit.figures.map { ($0.name, $0.estimate?.value) })
    }

    @Test("A file given twice, or that overlaps its rotation, has the figures of its lines once")
    func twice() throws {
        let lines = lines()
        let half = lines.count / 2
        let once = try fit([lines])
        let ways = [
            [lines, lines], [lines + lines],
            [Array(lines[..<(half + 200)]), Array(lines[half...])],
        ]
        for (files, count) in zip(ways, [lines.count, lines.count, 200]) {
            let fit = try self.fit(files)
            #expect(fit.log.reading.repeated == count && fit.log.reading.requests == lines.count)
            #expect(figures(fit) == figures(once))
            #expect(fit.log.calls.map(\.count) == once.log.calls.map(\.count))
            #expect(MadeTraffic.document(fit).contains("stood twice in the same order"))
        }
        #expect(once.log.reading.repeated == 0)
    }

    @Test("A clock that was set back goes on where it stood, and is said")
    func setBack() throws {
        let fit = try self.fit([
            lines(until: 600) { _, request in request.at > 400 ? -120 : 0 }
        ])
        let step = Double(try #require(fit.log.reading.setBack.first))
        #expect(fit.log.reading.setBack.count == 1 && (118e9...120e9).contains(step))
        #expect((595e9...605e9).contains(Double(fit.log.span)))
        #expect(fit.tokens.lifetime?.value == 40e9 && fit.scarcity?.contains("set back") == true)
        #expect(MadeTraffic.document(fit).contains("The clock was set back"))
    }

    @Test("Parts of a log one behind the other, or the newest line first, are no clock set back")
    func exported() throws {
        let lines = lines()
        let half = lines.count / 2
        let once = figures(try fit([lines]))
        for order in [Array(lines[half...] + lines[..<half]), lines.reversed()] {
            let fit = try self.fit([order])
            #expect(fit.log.reading.setBack.isEmpty && !fit.log.reading.areClocksMixed)
            #expect(figures(fit)["access token lifetime"] == once["access token lifetime"])
        }
    }

    @Test("Of the lines of two clocks in one file the difference is removed")
    func mixed() throws {
        var place = [Int](repeating: 0, count: 12)
        let fit = try self.fit([
            lines { _, request in
                place[request.user] += 1
                return place[request.user] % 2 == 0 ? 40 : 0
            }
        ])
        #expect(fit.log.reading.areClocksMixed)
        let apart: Int64 = try #require(fit.log.reading.skews.first?.nanoseconds)
        #expect((39_900_000_000...40_100_000_000).contains(apart.magnitude))
        #expect(MadeTraffic.document(fit).contains("lines are of two clocks, 40 s apart"))
    }

    @Test(
        "A robot among ten users is left out and named, whatever its lines tell",
        arguments: [nil, "crawler"])
    func robot(user: String?) throws {
        var traffic = MadeTraffic(seed: 5)
        traffic.add(users: 0..<10, until: 200)
        for number in 0..<1_500 {
            traffic.add(10, "/list", 200, at: Double(number) * 200 / 1_500, for: 0.01)
        }
        let fit = TrafficFit(
            try traffic.log(isStrict: true) { request in
                request.object(
                    user: request.user < 10 ? "u\(request.user)" : user,
                    address: MadeTraffic.address(request.user))
            })
        #expect(fit.log.reading.leftOut == [.busySender: 1_500] && fit.visits?.people == 10)
        #expect(fit.log.calls.reduce(0) { $0 + $1.count } == fit.log.reading.requests)
        #expect(MadeTraffic.document(fit).contains("as robots do"))
    }

    @Test("A sender with the calls of all others is no robot")
    func proxy() throws {
        var traffic = MadeTraffic(seed: 5)
        traffic.add(users: 0..<40, until: 100)
        let fit = TrafficFit(
            try traffic.log(isStrict: true) { request in
                request.object(user: nil, address: MadeTraffic.address(max(30, request.user)))
            })
        #expect(fit.log.reading.leftOut.isEmpty && fit.sender.refusal?.contains("proxy") == true)
    }

    @Test("A line dated after 2100 is broken, and takes nothing from the others")
    func future() throws {
        var lines = Array(self.lines().prefix(200))
        lines[100] = lines[100].replacing("{\"ts\":17", with: "{\"ts\":47")
        let log = try fit([lines]).log
        #expect(log.reading.broken == 1 && log.reading.requests == 199)
    }
}
