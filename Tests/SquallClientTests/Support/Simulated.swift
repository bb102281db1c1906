import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import Synchronization
import Testing

/// A session in a world whose transport takes time.
struct Simulated {
    let simulation: Simulation
    let stack: SessionEnvironment
    let log = EventLog()
    let transport: FakeTransport

    /// A world in which every answer takes so many seconds, and that to one of the sends, counted
    /// from 0, so many more.
    init(
        latency: Double = 1,
        late: (send: Int, seconds: Double)? = nil,
        policy: any SchedulingPolicy = FirstInFirstOut(), failsLostRequests: Bool = false,
        isUntasked: Bool = false,
        reply: @escaping FakeTransport.Handler = { _, _ in .ok }
    ) {
        let simulation = Simulation(policy: policy)
        self.simulation = simulation
        let sends = Atomic<Int>(0)
        transport = FakeTransport(isUntasked: isUntasked) {
            request, cause throws(TransportError) in
            let isLate = sends.add(1, ordering: .relaxed).oldValue == late?.send
            let nanoseconds = Int64((latency + (isLate ? late?.seconds ?? 0 : 0)) * 1e9)
            do { try await simulation.sleep(nanoseconds: nanoseconds) } catch {
                throw TransportError(.cancelled)
            }
            return try await reply(request, cause)
        }
        var configuration = SessionConfiguration()
        configuration.failsLostRequests = failsLostRequests
        stack = SessionEnvironment(
            transport: transport, time: simulation,
            random: HashedRandomness(), eventMonitors: [log],
            configuration: configuration)
    }

    func session(_ interceptor: (any RequestInterceptor)? = nil, user: UInt64 = 0) -> Session {
        Session(environment: stack, user: user, interceptor: interceptor)
    }

    /// Lets a number of seconds pass while a body runs.
    func run(seconds: Double = 1000, _ body: @escaping @Sendable () async -> Void) throws {
        simulation.spawn(body)
        let end = simulation.now.advanced(byNanoseconds: Int64(seconds * 1e9))
        _ = try simulation.run(until: end)
    }

    /// Ends whatever is parked, inside the world.
    func release() throws {
        let stack = stack
        try run { stack.releaseParkedRequests() }
    }

    /// Seconds since the world began.
    var seconds: Double { Double(simulation.now.nanoseconds) / 1e9 }
}

/// Seconds since a world began, for its own tasks.
func seconds(_ simulation: Simulation) -> Double { Double(simulation.now.nanoseconds) / 1e9 }
