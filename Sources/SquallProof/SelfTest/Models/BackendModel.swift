import SquallCases
import SquallBackend
import SquallHTTP
import SquallKernel
import SquallServices

/// Customers as requests: through the transport, over the network, to an endpoint and back.
///
/// Only what a client sees is measured: when it sent and when it got the answer. Travel takes
/// equally long for all, so it delays customers without changing their line.
final class BackendModel: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    static let travelUp: Int64 = 20_000_000
    static let travelDown: Int64 = 15_000_000
    /// The number of users that customers from outside are spread over; each has 255 connections.
    private static let usersOutside = 64

    private let simulation = Simulation()
    private let plan: QueueingPlan
    private let pause: RandomStream
    private let backend: Backend
    private let observer = SilentObserver()
    private let requests: [URLRequest]
    private var tally = QueueingTally()
    private var present = 0
    private var lastChange: Int64 = 0

    private init(_ plan: QueueingPlan, _ randomness: RandomStream) {
        self.plan = plan
        pause = randomness.stream("pause")
        let backendPlan = BackendModel.backendPlan(plan)
        var services = ServicesPlan.standard
        services.userCount = backendPlan.userCount
        services.contract.content.novels = 0
        let backend = Backend(
            simulation: simulation, plan: backendPlan,
            services: ServiceKind.services(services, randomness: randomness),
            randomness: randomness, observer: observer)
        self.backend = backend
        requests = (0..<UInt64(backendPlan.userCount)).map { user in
            SmallRequest(token: backend.signIn(user: user).accessToken)
                .asURLRequest()
        }
    }

    /// Runs a plan from its first request until the last one is answered.
    static func run(_ plan: QueueingPlan, _ randomness: RandomStream) throws -> QueueingTally {
        let model = BackendModel(plan, randomness)
        model.open()
        _ = try model.simulation.run(until: Instant(nanoseconds: .max))
        return model.tally
    }

    private static func backendPlan(_ plan: QueueingPlan) -> BackendPlan {
        var backendPlan = BackendPlan.standard
        backendPlan.tokens.accessLifetimeNanoseconds = 1 << 50
        backendPlan.network.up = .constant(nanoseconds: travelUp)
        backendPlan.network.down = .constant(nanoseconds: travelDown)
        backendPlan.network.connectionsPerHost = 255
        backendPlan.network.timeoutNanoseconds = 1 << 50
        backendPlan.server.workers = plan.workers
        backendPlan.server.queueLimit = plan.queueLimit
        let mean = (plan.service.mean * plan.bias).rounded()
        backendPlan.server.serviceTime = .exponential(mean: Int64(mean))
        backendPlan.userCount =
            switch plan.arrivals {
            case .open: usersOutside
            case .closed(let users, _): users
            }
        return backendPlan
    }

    private func open() {
        switch plan.arrivals {
        case .open(let gap): simulation.spawn { [self] in await arrive(gap) }
        case .closed(let users, let thinking):
            for user in 0..<users {
                simulation.spawn { [self] in await use(as: user, thinking) }
            }
        }
    }

    /// Lets customers from outside come, one after the other, and waits for none.
    private func arrive(_ gap: Distribution) async {
        for customer in 0..<Int.max {
            try? await simulation.sleep(nanoseconds: gap.sample(pause, at: UInt64(customer)))
            guard simulation.now.nanoseconds < plan.window.upperBound else { return }
            let (number, user) = customer.quotientAndRemainder(
                dividingBy: BackendModel.usersOutside)
            simulation.spawn { [self] in await send(as: user, number) }
        }
    }

    /// The loop of a user: think, ask, wait.
    private func use(as user: Int, _ thinking: Distribution) async {
        let stream = pause.stream(number: UInt64(user))
        for number in 0..<Int(UInt16.max) {
            let span = thinking.sample(stream, at: UInt64(number))
            try? await simulation.sleep(nanoseconds: span)
            guard simulation.now.nanoseconds < plan.window.upperBound else { return }
            await send(as: user, number)
        }
    }

    private func send(as user: Int, _ number: Int) async {
        let sent = simulation.now.nanoseconds
        note(sent, change: 1)
        let cause = RequestCause(user: UInt64(user), request: UInt32(number))
        let answer = try? await backend.transport.send(requests[user], cause: cause)
        precondition(
            answer?.head.statusCode == 200, "\(cause) was answered \(String(describing: answer))")
        let now = simulation.now.nanoseconds
        note(now, change: -1)
        count(sent: sent, answered: now)
    }

    private func count(sent: Int64, answered: Int64) {
        tally.little.stays += answered - sent
        if plan.window.contains(answered) { tally.services += 1 }
        guard plan.window.contains(sent) else { return }
        let stay = answered - sent - BackendModel.travelUp - BackendModel.travelDown
        tally.arrivals += 1
        tally.stayed += stay
        if stay > plan.stayLimit { tally.stayedLonger += 1 }
    }

    private func note(_ now: Int64, change: Int) {
        tally.little.stationArea += (now - lastChange) * Int64(present)
        present += change
        lastChange = now
    }
}
