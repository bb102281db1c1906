import SquallFormat
import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("Connections that faults end")
struct ConnectionFaultTests {
    /// A round trip of 40 ms and 100 ms at the server: set up at 80 ms, a call arrives at 100, is
    /// served until 200 and answered at 220.
    private static func world(
        _ settings: String, users: Int = 1, connectionsPerHost: Int? = nil, _ fault: Fault
    ) throws -> BackendWorld {
        let node = try JSONParser.parse(Array("{\(settings)}".utf8))
        var problems = SettingProblems()
        let plan = SettingFormat.section { ConnectionPlan(&$0) }.value(of: node, &problems)
        #expect(problems.count == 0)
        return BackendWorld(users: users) {
            $0.network.connections = plan
            if let connectionsPerHost { $0.network.connectionsPerHost = connectionsPerHost }
            $0.network.timeoutNanoseconds = 1_000_000_000
            $0.server.serviceTime = .constant(nanoseconds: 100_000_000)
            $0.faults = [fault]
        }
    }

    private static func payment(_ far: BackendWorld) -> URLRequest {
        var request = far.request("/pay")
        request.method = .post
        return request
    }

    private static let breaking: [(String, [String])] = [
        ("never", ["0 networkConnectionLost at 150 ms", "1 networkConnectionLost at 150 ms"]),
        ("idempotent", ["1 networkConnectionLost at 150 ms", "0 ok at 370 ms"]),
        ("all", ["0 ok at 370 ms", "1 444 at 370 ms"]),
    ]

    @Test(
        "A handover breaks what is under way, which the server does all the same",
        arguments: breaking)
    func handover(rule: String, ends: [String]) throws {
        let fault = Fault.handover().between(.milliseconds(150), and: .milliseconds(151))
        let far = try Self.world(#""repeats": "\#(rule)""#, fault)
        far.send(1)
        far.send(Self.payment(far), first: 1)
        try far.run()
        #expect(far.ends == ends)
        let twice = far.log.connections.count { $0 == .requestDoneTwice }
        #expect(twice == (rule == "never" ? 0 : rule == "all" ? 2 : 1))
        #expect(far.log.served.count == 2 + twice)
        #expect(far.log.connections.count { $0 == .ended } == 1)
        try far.backend.checkConservation()
    }

    @Test("A handover that nobody notices ends by time-outs, and the next call connects anew")
    func stalls() throws {
        let fault = Fault.handover(.stalls).between(.milliseconds(150), and: .milliseconds(151))
        let far = try Self.world("", fault)
        far.send(2)
        far.send(1, first: 2, after: 500_000_000)
        far.send(1, first: 3, after: 1_100_000_000)
        try far.run()
        #expect(
            far.ends == [
                "0 timedOut at 1000 ms", "1 timedOut at 1000 ms", "3 ok at 1320 ms",
                "2 timedOut at 1500 ms",
            ])
        #expect(far.log.connections.count { $0 == .ended } == 1)
        try far.backend.checkConservation()
    }

    private static let waiting: [(Handover, [String])] = [
        (
            .breaks,
            [
                "0 networkConnectionLost at 50 ms", "1 ok at 190 ms", "2 ok at 330 ms",
                "3 ok at 470 ms",
            ]
        ),
        (
            .stalls,
            [
                "0 timedOut at 1000 ms", "1 ok at 1140 ms", "2 ok at 1280 ms",
                "3 ok at 1420 ms",
            ]
        ),
    ]

    @Test("A handover spares the calls that wait for the one connection", arguments: waiting)
    func waiters(how: Handover, ends: [String]) throws {
        let fault = Fault.handover(how).between(.milliseconds(50), and: .milliseconds(51))
        let far = BackendWorld {
            $0.network.connectionsPerHost = 1
            $0.network.timeoutNanoseconds = 1_000_000_000
            $0.server.serviceTime = .constant(nanoseconds: 100_000_000)
            $0.faults = [fault]
        }
        far.send(4)
        try far.run()
        #expect(far.ends == ends)
        try far.backend.checkConservation()
    }

    @Test("A call that waits gets the connection that is set up after a handover")
    func waitersConnect() throws {
        let fault = Fault.handover().between(.milliseconds(150), and: .milliseconds(151))
        let far = try Self.world(
            #""protocol": "http1", "repeats": "never""#, connectionsPerHost: 1, fault)
        far.send(3)
        try far.run()
        #expect(
            far.ends == [
                "0 networkConnectionLost at 150 ms", "1 ok at 370 ms", "2 ok at 510 ms",
            ])
        try far.backend.checkConservation()
    }

    /// Ten phones with four calls each, and again at 20 s.
    @Test(
        "A connection that rests takes no record until a fault strikes it",
        arguments: [
            (Fault.connectionRefused(), opened: 40, records: 4),
            (Fault.handover(), opened: 80, records: 40),
            (Fault.handover(.moves), opened: 80, records: 40),
            (Fault.restart(), opened: 80, records: 40),
        ])
    func resting(fault: Fault, opened: Int, records: Int) throws {
        let world = try Self.world(
            #""protocol": "http1""#, users: 10,
            fault.between(.seconds(15), and: .seconds(16)))
        for (round, user) in [0, 1].flatMap({ round in (0..<10).map { (round, $0) } }) {
            let moment = Int64(round * 20 + user) * 1_000_000_000
            world.send(4, user: user, first: round * 40 + user * 4, after: moment)
        }
        try world.run()
        #expect(world.ends.count { $0.contains("ok") } == 80)
        let count = world.log.connections.count { if case .opened = $0 { true } else { false } }
        #expect(count == opened)
        #expect(world.backend.links?.connections.count == records)
        try world.backend.checkConservation()
    }

    @Test("Connections of HTTP/3 move along", arguments: [("http2", true), ("http3", false)])
    func moves(carrier: String, breaks: Bool) throws {
        let fault = Fault.handover(.moves).between(.milliseconds(110), and: .milliseconds(111))
        let far = try Self.world(#""protocol": "\#(carrier)", "repeats": "never""#, fault)
        far.send(1)
        try far.run()
        let end = breaks ? "0 networkConnectionLost at 110 ms" : "0 ok at 180 ms"
        #expect(far.ends == [end])
    }

    @Test("Without a network calls fail at once, and connections are gone behind it")
    func offline() throws {
        let fault = Fault.offline().between(.milliseconds(150), and: .milliseconds(400))
        let far = try Self.world(#""repeats": "never""#, fault)
        far.send(1)
        far.send(1, first: 1, after: 300_000_000)
        far.send(1, first: 2, after: 400_000_000)
        try far.run()
        #expect(
            far.ends == [
                "0 networkConnectionLost at 150 ms", "1 notConnectedToInternet at 300 ms",
                "2 ok at 620 ms",
            ])
        try far.backend.checkConservation()
    }

    @Test(
        "A restart resets every connection; a reload lets the server finish",
        arguments: [false, true])
    func restart(isReload: Bool) throws {
        let fault = Fault.restart(isReload: isReload)
            .between(.milliseconds(150), and: .milliseconds(151))
        let far = try Self.world(#""repeats": "goAway""#, users: 2, fault)
        for user in 0..<2 {
            far.send(1, user: user, first: user * 2)
            far.send(1, user: user, first: user * 2 + 1, after: 1_000_000_000)
        }
        try far.run()
        let first = isReload ? "ok at 220 ms" : "networkConnectionLost at 170 ms"
        #expect(
            far.ends == [
                "0 \(first)", "2 \(first)", "1 ok at 1220 ms", "3 ok at 1220 ms",
            ])
        try far.backend.checkConservation()
    }

    @Test("A refused connection fails what waits for it, and spares calls on one that is there")
    func refused() throws {
        let fault = Fault.connectionRefused().between(.milliseconds(300), and: .seconds(9))
        let far = try Self.world("", users: 2, fault)
        far.send(1)
        far.send(1, first: 1, after: 400_000_000)
        far.send(3, user: 1, first: 2, after: 400_000_000)
        try far.run()
        #expect(far.ends.first == "0 ok at 220 ms" && far.ends.last == "1 ok at 540 ms")
        #expect(far.ends.count { $0.contains("cannotConnectToHost at 420 ms") } == 3)
        try far.backend.checkConservation()
    }

    @Test("A radio that sleeps wakes once for all that wait, before everything else")
    func radio() throws {
        let far = try Self.world(
            #""radio": { "promotion": "200ms", "idleAfter": "5s" }"#,
            .offline().between(
                .seconds(90), and: .seconds(91)))
        far.send(2)
        far.send(1, first: 2, after: 3_000_000_000)
        far.send(1, first: 3, after: 20_000_000_000)
        try far.run()
        #expect(
            far.ends == [
                "0 ok at 420 ms", "1 ok at 420 ms", "2 ok at 3140 ms", "3 ok at 20340 ms",
            ])
    }

    @Test("A share of the users is in another network, always the same ones")
    func classes() throws {
        let node = try JSONParser.parse(
            Array(#"{"classes": [{"name": "poor", "share": 0.25, "up": "1s", "down": "1s"}]}"#.utf8)
        )
        var problems = SettingProblems()
        let plan = SettingFormat.section { NetworkPlan(&$0) }.value(of: node, &problems)
        let far = BackendWorld(users: 400) {
            $0.network.classes = plan.classes
            $0.server.workers = 1_000
        }
        for user in 0..<400 {
            far.send(1, user: user, first: user)
            far.send(1, user: user, first: user, after: 5_000_000_000)
        }
        try far.run()
        let slow = far.ends.filter { $0.hasSuffix("ok at 2005 ms") }
        let slowLater = far.ends.filter { $0.hasSuffix("ok at 7005 ms") }
        #expect((70...130).contains(slow.count) && slow.count == slowLater.count)
        #expect(far.ends.count { $0.hasSuffix("ok at 45 ms") } == 400 - slow.count)
    }
}
