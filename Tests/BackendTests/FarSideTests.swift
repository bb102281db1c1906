import HTTP
import Kernel
import Testing

@testable import Backend

@Suite("The far side")
struct FarSideTests {
    @Test("With constant spans an exchange takes exactly their sum")
    func latency() throws {
        let far = FarSideStage()
        far.send(1)
        try far.run()
        #expect(far.ends == ["0 ok at 45 ms"])
    }

    @Test("Six exchanges of a user travel at once; the others wait their turn in order")
    func connections() throws {
        let far = FarSideStage()
        far.send(8)
        try far.run()
        #expect(far.ends.prefix(6).allSatisfy { $0.hasSuffix("at 45 ms") })
        #expect(far.ends.suffix(2) == ["6 ok at 90 ms", "7 ok at 90 ms"])
    }

    @Test("Requests beyond the workers wait in line, and beyond the line they are answered 503")
    func queue() throws {
        let far = FarSideStage { plan in
            plan.server.workers = 1
            plan.server.queueLimit = 2
        }
        far.send(4)
        try far.run()
        #expect(far.ends == ["3 503 at 40 ms", "0 ok at 45 ms", "1 ok at 50 ms", "2 ok at 55 ms"])
        #expect(far.backend.counters.longestQueue == 2)
    }

    @Test("A client that waits too long is told so then, and the late answer is dropped")
    func timeout() throws {
        let far = FarSideStage { plan in
            plan.server.serviceTime = .constant(nanoseconds: 500_000_000)
            plan.network.timeoutNanoseconds = 100_000_000
        }
        far.send(1)
        try far.run()
        #expect(far.ends == ["0 timedOut at 100 ms"])
        #expect(far.backend.counters.unanswered == 1 && far.backend.inFlight == 0)
    }

    @Test("A cancelled exchange ends at once; its work is done all the same")
    func cancellation() throws {
        let far = FarSideStage()
        far.send(1, cancelAfterNanoseconds: 10_000_000)
        try far.run()
        #expect(far.ends == ["0 cancelled at 10 ms"])
        #expect(far.backend.counters.received == 1 && far.backend.counters.replied == 1)
        #expect(far.backend.inFlight == 0)
    }

    @Test("What was handed over was answered, or not, and nothing is left", arguments: 1...5)
    func conservation(seed: Int) throws {
        let far = FarSideStage(seed: UInt64(seed)) { plan in
            plan.network.up = .exponential(mean: 30_000_000)
            plan.server.workers = 2
            plan.server.queueLimit = 5
            plan.network.timeoutNanoseconds = 60_000_000
        }
        far.send(200)
        try far.run()
        let counters = far.backend.counters
        #expect(counters.handedOver == 200 && far.ends.count == 200)
        #expect(counters.answered + counters.unanswered == 200 && far.backend.inFlight == 0)
        #expect(counters.received == counters.replied)
    }

    @Test("A large answer takes its size over the bandwidth longer")
    func bandwidth() throws {
        let far = FarSideStage { $0.network.bandwidthBytesPerSecond = 138_000 }
        far.send(1, path: "/v1/" + SeededFiles.documentPath(0))
        try far.run()
        #expect(far.ends == ["0 ok at 1045 ms"])
    }
}

/// One signed-in user before a backend, with constant latencies of 20, 5 and 20 milliseconds.
private final class FarSideStage {
    let simulation = Simulation()
    let backend: Backend
    private let log = ExchangeLog()
    private let token: String

    init(seed: UInt64 = 1, _ change: (inout BackendConfiguration) -> Void = { _ in }) {
        var plan = BackendConfiguration()
        plan.userCount = 1
        plan.network.up = .constant(nanoseconds: 20_000_000)
        plan.network.down = .constant(nanoseconds: 20_000_000)
        plan.server.serviceTime = .constant(nanoseconds: 5_000_000)
        change(&plan)
        backend = Backend(
            simulation: simulation, configuration: plan, randomness: RandomStream(seed: seed),
            observer: log)
        token = backend.signIn(user: 0, expired: false).accessToken
    }

    var ends: [String] { log.lines }

    func send(
        _ count: Int, path: String = "/v1/posts/likes-2/me", cancelAfterNanoseconds: Int64? = nil
    ) {
        let transport = backend.transport
        let request = URLRequest(
            url: WebURL(origin: "http://h", path: path),
            headers: ["SesacKey": "scrolly-key", "Authorization": token])
        for number in 0..<count {
            let cause = RequestCause(request: UInt32(number))
            simulation.spawn { [simulation] in
                let task = Task { try? await transport.send(request, cause: cause) }
                if let cancelAfterNanoseconds {
                    try? await simulation.sleep(nanoseconds: cancelAfterNanoseconds)
                    task.cancel()
                }
                _ = await task.value
            }
        }
    }

    func run() throws {
        #expect(try simulation.run(until: Instant(nanoseconds: .max)) == .quiescent)
    }
}

/// Ends of exchanges in the order in which clients learnt of them.
private final class ExchangeLog: BackendObserver {
    private(set) var lines: [String] = []

    func exchangeEnded(_ exchange: ExchangeRecord) {
        let outcome =
            switch exchange.outcome {
            case .status(200): "ok"
            case .status(let status): "\(status)"
            case .error(let code): "\(code)"
            }
        let milliseconds = exchange.ended.nanoseconds / 1_000_000
        lines.append("\(exchange.cause.request) \(outcome) at \(milliseconds) ms")
    }

    func accessTokenIssued(to user: UInt64, expiresAt: Instant) {}
    func faultStruck(_ fault: Fault) {}
}
