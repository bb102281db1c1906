import CVirtualDispatch
import SquallKernel

/// How often a schedule may still interrupt code that does not wait.
///
/// A bound on the number of interruptions keeps schedules few and findings short (Musuvathi and
/// Qadeer 2007): most races need one or two.
final class Preemption: @unchecked Sendable {
    // Safe because it is used on the thread that runs its world.

    private(set) var left: Int
    /// True while the schedule is asked, so that ``decided(_:)`` tells this choice from an order of
    /// events.
    private var isOffered = false

    init(_ most: Int) { left = most }

    func offer() { isOffered = true }

    /// Notes the choice; 0 lets the code go on.
    func decided(_ choice: Int) {
        guard isOffered else { return }
        isOffered = false
        if choice > 0 { left -= 1 }
    }
}

/// A schedule that counts its interruptions.
struct CountedPreemptions: SchedulingPolicy {
    private let preemption: Preemption
    private var schedule: any SchedulingPolicy

    init(_ preemption: Preemption, _ schedule: any SchedulingPolicy) {
        self.preemption = preemption
        self.schedule = schedule
    }

    mutating func choose(among ready: [ReadyEvent]) -> Int {
        let choice = schedule.choose(among: ready)
        preemption.decided(choice)
        return choice
    }
}

extension VirtualDispatch {
    /// Lets other code run before the running code goes on, where the schedule says so and has not
    /// done so too often.
    func preempt() {
        guard let preemption, preemption.left > 0, let stack = stacks.current, let events,
            simulation.hasChoice
        else { return }
        let waiter = makeWaiter(.own(waitersEver), squall_wait_hop, on: stack)
        waiter.isReleased = true
        preemption.offer()
        simulation.makeNext(events.interruptionEnds, argument: waiter.number)
        stacks.wait()
        retryStalled()
    }
}
