import SquallKernel
import SquallRaces

/// A client so small that a schedule of it costs little more than exploring itself.
///
/// A session has an expired token; some calls go out with it at once, are refused, share one
/// refresh and go out again. The server rotates, and accepts a refresh token once. Requests and
/// answers are messages that all take equally long, so a window of a round trip allows nearly any
/// order.
struct SmallClient: RaceSubject {
    /// The number of calls that go out at once.
    let requests: Int

    /// The time of a request and its answer on the network, in nanoseconds.
    static let roundTripNanoseconds: Int64 = 80

    func play(_ schedule: Schedule) throws -> Played {
        let world = SmallWorld(Simulation(schedule), requests)
        try world.run()
        return Played(
            schedule, violations: world.violations, serverView: world.view,
            digest: world.view)
    }
}

/// One run of a small client: the network, the server and the callers.
private final class SmallWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let simulation: Simulation
    private let requests: Int
    private var arrival: EventHandler?
    private var answer: EventHandler?
    @exclusivity(unchecked) private var exchanges: [Exchange] = []
    /// The newest generation of tokens; `accepted` is the oldest one that is accepted.
    @exclusivity(unchecked) private var newest = 0
    private let accepted = 1
    private var (refreshes, answered) = (0, 0)
    private var isRevoked = false
    /// A hash of the messages that the server received.
    @exclusivity(unchecked) private(set) var view: UInt64 = 0

    private struct Exchange {
        let token: Int
        let isRefresh: Bool
        var answer = SmallWorld.refused
        var waiter: UnsafeContinuation<Int, Never>?
    }

    /// The answer to a call with an old token.
    static let refused = -1

    init(_ simulation: Simulation, _ requests: Int) {
        (self.simulation, self.requests) = (simulation, requests)
        arrival = simulation.register(.message("request arrives") { .init(number: $0, user: 0) }) {
            [unowned self] in serve(Int($0))
        }
        answer = simulation.register(.message("response arrives") { .init(number: $0, user: 0) }) {
            [unowned self] in deliver(Int($0))
        }
    }

    func run() throws {
        let session = SmallSession(self)
        for _ in 0..<requests {
            simulation.spawn(of: 0) { [self] in
                await session.call()
                answered += 1
            }
        }
        _ = try simulation.run(until: Instant(nanoseconds: 1_000_000))
    }

    /// The broken promises at the end.
    var violations: [Violation] {
        var found: [Violation] = []
        if isRevoked { found.append(Violation("S8", "a refresh token was shown twice")) }
        if refreshes > 1 { found.append(Violation("S1", "\(refreshes) refreshes")) }
        if answered < requests { found.append(Violation("L2", "a call never ends")) }
        return found
    }

    func exchange(_ token: Int, isRefresh: Bool) async -> Int {
        await withUnsafeContinuation { waiter in
            exchanges.append(Exchange(token: token, isRefresh: isRefresh, waiter: waiter))
            send(arrival, exchanges.count - 1)
        }
    }

    private func send(_ handler: EventHandler?, _ number: Int) {
        guard let handler else { return }
        simulation.schedule(
            handler, argument: UInt64(number),
            at: simulation.now.advanced(
                byNanoseconds: SmallClient.roundTripNanoseconds / 2))
    }

    private func serve(_ number: Int) {
        let exchange = exchanges[number]
        view =
            (view ^ UInt64(exchange.token << 1 | (exchange.isRefresh ? 1 : 0)))
            .multipliedFullWidth(by: 0x9FB2_1C65_1E98_DF25).high &+ view &* 31 &+ 1
        if exchange.isRefresh {
            refreshes += 1
            if exchange.token == newest { newest += 1 } else { isRevoked = true }
            exchanges[number].answer = newest
        } else if exchange.token >= accepted {
            exchanges[number].answer = exchange.token
        }
        send(answer, number)
    }

    private func deliver(_ number: Int) {
        exchanges[number].waiter?.resume(returning: exchanges[number].answer)
        exchanges[number].waiter = nil
    }
}

/// Keeps the token; waiting calls share one refresh, calls refused with an older token need none.
private actor SmallSession {
    private let world: SmallWorld
    private var token = 0
    private var refresh: Task<Int, Never>?

    init(_ world: SmallWorld) { self.world = world }

    nonisolated func call() async {
        let sent = await current
        guard await world.exchange(sent, isRefresh: false) == SmallWorld.refused else { return }
        _ = await world.exchange(renewed(after: sent), isRefresh: false)
    }

    private var current: Int { token }

    private func renewed(after refused: Int) async -> Int {
        if token > refused { return token }
        if let refresh { return await refresh.value }
        let task = Task.detached { [world] in
            await world.exchange(refused, isRefresh: true)
        }
        refresh = task
        token = await task.value
        refresh = nil
        return token
    }
}
