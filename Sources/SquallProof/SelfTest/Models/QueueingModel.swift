import SquallBackend
import SquallKernel

/// Customers before the backend's own ``ServerQueue``, driven by the kernel's events.
///
/// Network, protocol and clients are left out, so that theory has a formula for every number; the
/// queue and the distributions are those of runs.
final class QueueingModel {
    private let simulation = Simulation()
    private let plan: QueueingPlan
    /// The random gaps or thinking times, and services, by customer number.
    private let pause, firstPause, service: RandomStream
    private var queue: ServerQueue
    private var arrived, served: EventHandler?
    private var tally: QueueingTally
    /// The time at which each customer came; a customer's number is the count of earlier ones.
    private var arrivalInstants: [Int64] = []
    private var present = 0
    private var lastChange: Int64 = 0

    private init(_ plan: QueueingPlan, _ randomness: RandomStream) {
        self.plan = plan
        pause = randomness.stream("pause")
        firstPause = randomness.stream("pause.first")
        service = randomness.stream("service")
        queue = ServerQueue(workers: plan.workers, queueLimit: plan.queueLimit)
        tally = QueueingTally(exceeded: plan.waitLimits.map { _ in 0 })
        arrived = simulation.register { [unowned self] _ in arrive() }
        served = simulation.register { [unowned self] in finishService(of: Int($0)) }
    }

    /// Runs a plan from its first customer until the last one has gone.
    static func run(_ plan: QueueingPlan, _ randomness: RandomStream) throws -> QueueingTally {
        let model = QueueingModel(plan, randomness)
        model.open()
        _ = try model.simulation.run(until: Instant(nanoseconds: .max))
        return model.tally
    }

    private func open() {
        switch plan.arrivals {
        case .open(let gap): schedule(arrived, after: gap.sample(firstPause, at: 0))
        case .closed(let users, let thinking):
            for user in 0..<UInt64(users) {
                schedule(arrived, after: thinking.sample(firstPause, at: user))
            }
        }
    }

    private func arrive() {
        let now = simulation.now.nanoseconds
        guard now < plan.window.upperBound else { return }
        note(now)
        let customer = arrivalInstants.count
        arrivalInstants.append(now)
        if case .open(let gap) = plan.arrivals {
            schedule(arrived, after: gap.sample(pause, at: UInt64(customer)))
        }
        if counts(customer) { tally.arrivals += 1 }
        switch queue.admit(UInt64(customer)) {
        case .starts:
            present += 1
            start(customer, at: now)
        case .waits: present += 1
        case .refused, .replaces: if counts(customer) { tally.refused += 1 }
        }
    }

    private func start(_ customer: Int, at now: Int64) {
        let wait = now - arrivalInstants[customer]
        tally.little.waits += wait
        if counts(customer) {
            tally.waited += wait
            for (index, limit) in plan.waitLimits.enumerated() where wait > limit {
                tally.exceeded[index] += 1
            }
        }
        let span = plan.service.sample(service, at: UInt64(customer))
        let biased = plan.bias == 1 ? span : Int64((Double(span) * plan.bias).rounded())
        schedule(served, customer, after: biased)
    }

    private func finishService(of customer: Int) {
        let now = simulation.now.nanoseconds
        note(now)
        present -= 1
        let stay = now - arrivalInstants[customer]
        tally.little.stays += stay
        if counts(customer) { tally.stayed += stay }
        if plan.window.contains(now) { tally.services += 1 }
        if let next = queue.finishOne() { start(Int(next), at: now) }
        if case .closed(_, let thinking) = plan.arrivals {
            schedule(arrived, after: thinking.sample(pause, at: UInt64(customer)))
        }
    }

    /// Adds the time since the last change to the areas.
    private func note(_ now: Int64) {
        let counted = plan.window.clamped(to: min(lastChange, now)..<now)
        tally.lineArea += Int64(counted.count) * Int64(queue.waiting)
        tally.little.lineArea += (now - lastChange) * Int64(queue.waiting)
        tally.little.stationArea += (now - lastChange) * Int64(present)
        lastChange = now
    }

    private func counts(_ customer: Int) -> Bool {
        plan.window.contains(arrivalInstants[customer])
    }

    private func schedule(_ handler: EventHandler?, _ customer: Int = 0, after delay: Int64) {
        guard let handler else { return }
        simulation.schedule(
            handler, argument: UInt64(customer),
            at: simulation.now.advanced(byNanoseconds: delay))
    }
}
