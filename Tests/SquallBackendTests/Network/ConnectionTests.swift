import SquallFormat
import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Connections that are set up and end")
struct ConnectionTests {
    /// A round trip of 40 ms, and 5 ms at the server.
    private static func world(
        _ settings: String, users: Int = 1, places: Int = 4,
        _ change: @escaping (inout BackendWorldPlan) -> Void = { _ in }
    ) throws -> BackendWorld {
        let (plan, problems) = try read(settings)
        #expect(problems == [])
        return BackendWorld(users: users) {
            $0.network.connections = plan
            $0.network.connectionsPerHost = places
            change(&$0)
        }
    }

    private static func read(_ settings: String) throws -> (ConnectionPlan, [String]) {
        var problems = SettingProblems()
        let node = try JSONParser.parse(Array("{\(settings)}".utf8))
        let plan = SettingFormat.section { ConnectionPlan(&$0) }.value(of: node, &problems)
        return (plan, problems.all.map(\.message))
    }

    /// The protocol, the settings, and the round trips before the first byte of a GET.
    private static let forms: [(String, Int)] = [
        (#""protocol": "http1", "tls": "none""#, 1), (#""protocol": "http2", "tls": "none""#, 1),
        (#""protocol": "http1", "tls": "1.2""#, 3), (#""protocol": "http2", "tls": "1.2""#, 3),
        (#""protocol": "http1", "tls": "1.2", "resumption": 1"#, 2),
        (#""protocol": "http2", "tls": "1.2", "resumption": 1"#, 2),
        (#""protocol": "http1", "tls": "1.3""#, 2), (#""protocol": "http2", "tls": "1.3""#, 2),
        (#""protocol": "http2", "tls": "1.3", "resumption": 1"#, 2),
        (#""protocol": "http2", "tls": "1.3", "resumption": 1, "earlyData": true"#, 1),
        (#""protocol": "http3", "tls": "1.3""#, 1),
        (#""protocol": "http3", "tls": "1.3", "resumption": 1, "earlyData": true"#, 0),
    ]

    @Test(
        "Eight first calls to each of some hosts end behind their round trips", arguments: forms,
        [1, 2, 3])
    func roundTrips(form: (settings: String, trips: Int), hosts: Int) throws {
        let far = try Self.world(form.settings + #", "lookUp": "10ms""#)
        for host in 0..<hosts {
            var request = far.request()
            request.url.origin = "http://h\(host)"
            far.send(request, 8, first: host * 8)
        }
        try far.run()
        let isByFours = form.settings.contains("http1")
        let first = 10 + form.trips * 40 + 45
        let expected = (0..<hosts * 8).map { call in
            "\(call) ok at \(isByFours && call % 8 >= 4 ? first + 45 : first) ms"
        }
        #expect(Set(far.ends) == Set(expected))
        let opened = far.log.connections.count { if case .opened = $0 { true } else { false } }
        #expect(opened == hosts * (isByFours ? 4 : 1))
        try far.backend.checkConservation()
    }

    @Test("Early data is for requests that only read; others wait for the handshake")
    func earlyData() throws {
        let far = try Self.world(#""protocol": "http3", "resumption": 1, "earlyData": true"#)
        far.send(1)
        far.send(Self.payment(far), first: 1)
        try far.run()
        #expect(far.ends == ["0 ok at 45 ms", "1 444 at 85 ms"])
    }

    @Test("A name is looked up again when it is no longer known", arguments: [1, 70])
    func lookUp(seconds: Int64) throws {
        let far = try Self.world(#""lookUp": "30ms", "clientIdle": "100ms", "tls": "none""#)
        far.send(1)
        far.send(1, first: 1, after: seconds * 1_000_000_000)
        try far.run()
        let second = seconds * 1_000 + (seconds < 60 ? 85 : 115)
        #expect(far.ends == ["0 ok at 115 ms", "1 ok at \(second) ms"])
    }

    @Test(
        "Handshakes wait for the server's processors, one behind the other", arguments: [1, 2, 5])
    func handshakes(workers: Int) throws {
        let far = try Self.world(
            #""handshakeTime": "10ms", "handshakeWorkers": \#(workers)"#, users: 10)
        for user in 0..<10 { far.send(1, user: user, first: user) }
        try far.run()
        let expected = (0..<10).map { "\($0) ok at \(125 + 10 * ($0 / workers + 1)) ms" }
        #expect(far.ends == expected)
    }

    private static func payment(_ far: BackendWorld) -> URLRequest {
        var request = far.request("/pay")
        request.method = .post
        return request
    }

    /// The first response leaves the server at 105 ms and comes at 125; it closes 2 s later.
    @Test(
        "A request is lost if it arrives behind the server's closing and left before word of it",
        arguments: [#""http1""#, #""http2""#, #""http2", "idleGoAway": false"#],
        ["never", "idempotent", "all"])
    func idleRace(carrier: String, rule: String) throws {
        // With HTTP/2 that word is usually a GOAWAY, which says that nothing was processed.
        let repeats = rule == "all" || rule == "idempotent" && carrier == #""http2""#
        for moment in stride(from: 2_061, through: 2_151, by: 5) {
            for policy in [FirstInFirstOut(), First("")] as [any SchedulingPolicy] {
                let isLost = (2_085...2_125).contains(moment)
                let isNew = moment > 2_125 || isLost && repeats
                let end = (isLost ? 2_125 : moment) + (isNew ? 125 : 45)
                let expected =
                    isLost && !repeats
                    ? "1 networkConnectionLost at 2125 ms" : "1 444 at \(end) ms"
                let settings =
                    #""protocol": \#(carrier), "server": "gunicorn", "repeats": "\#(rule)""#
                #expect(try Self.payment(at: moment, settings, policy) == expected)
            }
        }
    }

    @Test("A policy may order a server's closing, the word of it and a request")
    func idleRaceInAnyOrder() throws {
        let settings = #""protocol": "http1", "server": "gunicorn", "repeats": "never""#
        let lost = "1 networkConnectionLost at 2125 ms"
        // The closing at 2105 before a request that is due to arrive at 2080; and the other way.
        let closing = First("server closes a resting connection")
        #expect(try Self.payment(at: 2_060, settings, closing) == lost)
        #expect(
            try Self.payment(at: 2_090, settings, First("request arrives")) == "1 444 at 2135 ms")
        // The word at 2125 before a request at 2120, which sets a connection up.
        let word = First("word of a closed connection")
        #expect(try Self.payment(at: 2_120, settings, word) == "1 444 at 2250 ms")
    }

    /// Chooses what has a label, otherwise what has waited longest.
    private struct First: SchedulingPolicy {
        let label: String

        init(_ label: String) { self.label = label }

        func choose(among ready: [ReadyEvent]) -> Int {
            ready.firstIndex { "\($0.label)" == label } ?? 0
        }
    }

    /// The end of a payment that follows a request on a resting connection.
    private static func payment(
        at moment: Int, _ settings: String, _ policy: any SchedulingPolicy
    ) throws -> String {
        let (plan, _) = try read(settings)
        let far = BackendWorld(policy: policy, windowNanoseconds: 50_000_000) {
            $0.network.connections = plan
        }
        far.send(1)
        far.send(payment(far), first: 1, after: Int64(moment) * 1_000_000)
        try far.run()
        try far.backend.checkConservation()
        return far.ends.last ?? ""
    }

    @Test("Certificates share the user's line with responses, unless a session is resumed")
    func certificates() throws {
        for (resumption, end) in [(0, 185), (1, 125)] {
            let far = try Self.world(
                #""certificateBytes": 3000, "resumption": \#(resumption)"#, users: 2
            ) {
                // Far more than the small responses need in a millisecond.
                $0.network.bandwidthBytesPerSecond = 50_000
            }
            far.send(1)
            far.send(1, user: 1, first: 1)
            try far.run()
            let ends = far.ends.compactMap { Int($0.split(separator: " ").dropLast().last ?? "") }
            #expect(
                ends.allSatisfy { (end...end + 5).contains($0) } && ends.count == 2, "\(far.ends)")
        }
    }

    @Test("A client that closes first loses nothing")
    func clientIdle() throws {
        let far = try Self.world(
            #""protocol": "http1", "server": "gunicorn", "clientIdle": "1900ms""#)
        far.send(1)
        far.send(Self.payment(far), first: 1, after: 2_100_000_000)
        try far.run()
        #expect(far.ends.last == "1 444 at 2225 ms")
    }

    @Test(
        "A connection carries as many requests as the server takes",
        arguments: ["http1", "http2", "http3"], ["requests", "age"])
    func limits(carrier: String, limit: String) throws {
        let value = limit == "requests" ? "3" : #""250ms""#
        let far = try Self.world(#""protocol": "\#(carrier)", "\#(limit)": \#(value)"#)
        for call in 0..<9 { far.send(1, first: call, after: Int64(call) * 200_000_000) }
        try far.run()
        let opened = far.log.connections.count { if case .opened = $0 { true } else { false } }
        #expect(far.ends.allSatisfy { $0.contains("ok") })
        // Set up at 80 ms: what arrives at 420 ms is the first behind 250 ms.
        #expect(opened == 3)
    }

    @Test(
        "What a GOAWAY says was not processed is sent again whatever the method",
        arguments: ["never", "goAway", "idempotent", "all"])
    func goAway(rule: String) throws {
        let far = try Self.world(#""requests": 1, "repeats": "\#(rule)""#)
        far.send(1)
        far.send(Self.payment(far), 2, first: 1, after: 110_000_000)
        try far.run()
        // The GOAWAY leaves at 100 ms and comes at 120; of the new connection's two calls the first
        // is its last.
        #expect(
            far.ends.first
                == (rule == "never" ? "1 networkConnectionLost at 120 ms" : "0 ok at 125 ms"))
        let failed = far.ends.count { $0.contains("Lost") }
        #expect(failed == (rule == "never" ? 2 : 0))
        #expect(far.log.served.count == (rule == "never" ? 1 : 3))
        try far.backend.checkConservation()
    }

    @Test(
        "A broken connection ends all it carries; what was done and is sent again is done twice",
        arguments: [("http1", 1), ("http2", 3)])
    func breaks(carrier: String, lost: Int) throws {
        let far = try Self.world(#""protocol": "\#(carrier)", "repeats": "all""#) {
            var fault = Fault(.dropAnswer(.connectionLost))
            fault.scope.turns = 1...1
            $0.faults = [fault]
        }
        far.send(3)
        try far.run()
        #expect(far.ends.allSatisfy { $0.contains("ok") } && far.ends.count == 3)
        #expect(far.log.connections.count { $0 == .requestLost } == lost)
        #expect(far.log.connections.count { $0 == .requestDoneTwice } == lost)
        #expect(far.log.served.count == 3 + lost)
        try far.backend.checkConservation()
    }

    @Test("What contradicts is refused with the way out")
    func contradictions() throws {
        let cases = [
            (#""protocol": "http3", "tls": "none""#, "tls must be \"1.3\" with http3"),
            (#""tls": "1.2", "resumption": 1, "earlyData": true"#, "earlyData needs tls \"1.3\""),
            (#""earlyData": true"#, "earlyData needs a resumption above 0"),
            (#""protocol": "http1", "streams": 9"#, "streams needs protocol \"http2\""),
            (#""protocol": "http1", "repeats": "goAway""#, "repeats \"goAway\" needs"),
            (#""tls": "none", "resumption": 1"#, "resumption needs tls"),
            (#""tls": "none", "handshakeTime": "1ms""#, "handshakeTime needs tls"),
            (#""protocol": "http1", "idleGoAway": true"#, "idleGoAway needs protocol \"http2\""),
            (#""tls": "none", "certificateBytes": 9"#, "certificateBytes needs tls"),
            (#""handshakeWorkers": 2"#, "handshakeWorkers needs a handshakeTime"),
            (#""lookUpCache": "1h""#, "lookUpCache needs a lookUp"),
            (#""server": "nginx", "serverIdle": "1s""#, "server says serverIdle already"),
            (#""server": "nginy""#, "server must be uwsgi or starman"),
        ]
        for (settings, problem) in cases {
            let problems = try Self.read(settings).1
            #expect(problems.count == 1 && problems[0].hasPrefix(problem), "\(problems)")
        }
    }
}
