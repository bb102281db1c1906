import CVirtualDispatch
import SquallKernel

/// The stacks of one world: one runs the loop, and code blocks on the others.
///
/// Code that blocks a thread stays on its stack, and another stack goes on with the loop, so that
/// everything that other threads could do in real life happens meanwhile. When the wait is over,
/// the loop hands over to the stack that waited, which goes on from there and then runs the loop
/// itself.
final class Stacks {
    /// One stack, and the state of the code on it.
    final class Stack {
        fileprivate let pointer: OpaquePointer
        /// Its number, from 0.
        let number: Int
        /// The queues whose work is being done on it, the innermost last.
        @exclusivity(unchecked) var queues: [VirtualQueue] = []
        fileprivate var isOnMainActor = false
        /// The subject that runs on it, as a schedule sees it.
        fileprivate var subject: ReadyEvent.Subject?

        fileprivate init(_ pointer: OpaquePointer, number: Int) {
            self.pointer = pointer
            self.number = number
        }

        /// Code that holds the main queue may act as the main actor, and the other way round.
        var hasMain: Bool { isOnMainActor || queues.contains { $0.isMain } }
    }

    private let simulation: Simulation
    private var all: [Stack] = []
    private var resting: [Stack] = []
    private var stacksEver = 0
    private var loop: (() -> Void)?
    /// The stack whose code runs.
    @exclusivity(unchecked) private(set) var current: Stack?

    init(_ simulation: Simulation) { self.simulation = simulation }

    /// Runs a loop until it ends; `loop` is called once on each stack that has to run it.
    func run(_ loop: @escaping () -> Void) {
        self.loop = loop
        enter(make())
        // The others rest inside the loop, and have to return from it.
        while let stack = resting.popLast() {
            simulation.stop()
            enter(stack)
        }
        // Stacks that have ended are disposed of; the others may go on in another run.
        for stack in all where squall_stack_has_ended(stack.pointer) != 0 {
            squall_stack_dispose(stack.pointer)
        }
        all.removeAll { squall_stack_has_ended($0.pointer) != 0 }
        self.loop = nil
        current = nil
    }

    /// Gives back the stacks of code that is blocked and will never go on, now that its world is
    /// over; what it has of objects is lost.
    func giveUp() {
        for stack in all { squall_stack_dispose(stack.pointer) }
        all = []
        squall_forget_locks()
    }

    /// Blocks the running code, and goes on with the loop; returns when `resume` is called for the
    /// stack.
    func wait() {
        guard let waiting = current else {
            preconditionFailure("nothing of this world runs that could wait")
        }
        waiting.isOnMainActor = simulation.isOnMainActor
        waiting.subject = simulation.subject
        simulation.isOnMainActor = false
        if waiting.hasMain { simulation.isMainActorTaken = true }
        let next = resting.popLast() ?? make()
        current = next
        squall_stack_switch(waiting.pointer, next.pointer)
        if waiting.hasMain { simulation.isMainActorTaken = false }
        simulation.isOnMainActor = waiting.isOnMainActor
        simulation.subject = waiting.subject
    }

    /// Resumes a waiting stack; called by an event, and the event's stack then rests until needed.
    func resume(_ stack: Stack) {
        guard let resting = current else { preconditionFailure("no stack runs the loop") }
        self.resting.append(resting)
        current = stack
        squall_stack_switch(resting.pointer, stack.pointer)
    }

    private func enter(_ stack: Stack) {
        current = stack
        squall_stack_enter(stack.pointer)
    }

    private func make() -> Stack {
        let pointer = squall_stack_create(
            { stacks in
                guard let stacks else { return }
                Unmanaged<Stacks>.fromOpaque(stacks).takeUnretainedValue().loop?()
            }, Unmanaged.passUnretained(self).toOpaque())
        let stack = Stack(pointer, number: stacksEver)
        stacksEver += 1
        all.append(stack)
        return stack
    }
}
