import CVirtualDispatch
import SquallKernel

extension VirtualDispatch {
    /// The virtual queue of an object.
    func queue(_ pointer: UnsafeMutableRawPointer) -> VirtualQueue {
        let place = (Int(bitPattern: pointer) >> 5) & (VirtualDispatch.recentMax - 1)
        if let recent = recentQueues[place], recent.pointer == pointer { return recent }
        let found = queues[pointer] ?? newQueue(pointer)
        recentQueues[place] = found
        return found
    }

    private func newQueue(_ pointer: UnsafeMutableRawPointer) -> VirtualQueue {
        if queues.count >= queuesKept { forgetIdleQueues() }
        let facts = squall_queue_describe(pointer)
        let label = String(cString: facts.label)
        let made = VirtualQueue(
            facts, of: pointer, number: queuesEver, label: label, handler: handler(ofQueue: label))
        queuesEver += 1
        queues[pointer] = made
        if let target = facts.target { made.target = queue(target) }
        return made
    }

    private func forgetIdleQueues() {
        recentQueues = Array(repeating: nil, count: VirtualDispatch.recentMax)
        for queue in queues.values { queue.target?.isTarget = true }
        queues = queues.filter { !$1.isIdle || $1.isTarget }
        for queue in queues.values { queue.isTarget = false }
        // Looking through all of them is worth it only where many can be forgotten.
        queuesKept = max(256, 2 * queues.count)
    }

    func submit(
        _ pointer: UnsafeMutableRawPointer, _ block: QueuedWork.Block, isBarrier: Bool = false
    ) {
        submit(pointer, block, isBarrier: isBarrier, of: workOwner)
    }

    func submit(
        _ pointer: UnsafeMutableRawPointer, _ block: QueuedWork.Block, isBarrier: Bool = false,
        of owner: (any CodeOwner)?
    ) {
        let queue = queue(pointer)
        // Most queues are one user's, and nothing is learned from that.
        if owner == nil || queue.firstUser != owner?.user {
            world?.meets(queue: queue, of: owner)
        }
        append(
            QueuedWork(on: queue, block, isBarrier: isBarrier, of: user, owner: owner))
    }

    private func append(_ work: QueuedWork) {
        work.queue.pending.append(work)
        lineUp(work)
        release(work.queue)
    }

    /// Adds work to the lines of its queue and of that queue's targets, which begin work first in,
    /// first out; work of a suspended queue blocks no other.
    private func lineUp(_ work: QueuedWork) {
        guard work.ticket == nil, !isSuspended(work.queue) else { return }
        ticketsEver += 1
        work.ticket = ticketsEver
        let ticket = VirtualQueue.Ticket(number: ticketsEver, user: work.user)
        work.queue.chain.forEach { $0.line(up: ticket) }
    }

    private func leaveLines(_ work: QueuedWork) {
        guard let ticket = work.ticket else { return }
        work.queue.chain.forEach { $0.leave(ticket) }
        work.ticket = nil
    }

    private func isSuspended(_ queue: VirtualQueue) -> Bool {
        queue.chain.contains { $0.suspensions > 0 }
    }

    /// The queues with work that comes through a queue, including itself, in the order in which
    /// they were first seen.
    private func queues(through queue: VirtualQueue) -> [VirtualQueue] {
        queues.values.filter { $0.chain.contains(queue) }.sorted { $0.number < $1.number }
    }

    /// Stops a queue, and those that target it, from beginning more work.
    func suspend(_ pointer: UnsafeMutableRawPointer) {
        let queue = queue(pointer)
        queue.suspensions += 1
        for queue in queues(through: queue) { queue.pending.forEach(leaveLines) }
        retryStalled()
    }

    /// Lets a queue that was suspended go on.
    func resume(_ pointer: UnsafeMutableRawPointer) {
        let queue = queue(pointer)
        queue.suspensions = max(0, queue.suspensions - 1)
        for queue in queues(through: queue) {
            queue.pending.forEach(lineUp)
            release(queue)
        }
    }

    /// Releases all work that a queue may begin.
    func release(_ queue: VirtualQueue) {
        while let work = queue.pending.first, work.ticket != nil {
            let wantsAll = !queue.isConcurrent || work.isBarrier
            guard
                !queue.isExclusive && !(wantsAll && queue.active > 0)
                    || simulation.isSuspended(work.user) || isHeldUpBySuspended(queue)
            else { return }
            queue.pending.removeFirst()
            queue.active += 1
            queue.isExclusive = wantsAll
            simulation.makeReady(queue.handler, argument: released.insert(work))
        }
    }

    /// True when all the work that a queue has released is that of suspended devices.
    ///
    /// Nothing of it begins, as of an app that was killed, and it holds up no other work. Where the
    /// device goes on, its ticket keeps its place in line.
    private func isHeldUpBySuspended(_ queue: VirtualQueue) -> Bool {
        guard simulation.hasSuspended else { return false }
        let held = released.count { $0.queue === queue && simulation.isSuspended($0.user) }
        let still = waiting.values.count {
            simulation.isSuspended($0.user) && $0.stack.queues.contains { $0 === queue }
        }
        return held + still == queue.active
    }

    /// Begins work when its turn has come.
    func begin(_ number: UInt64) {
        guard let work = released[number] else { return }
        guard !isHeldBack(work) else { return stalled.append(number) }
        released.remove(number)
        start(work)
        switch work.block {
        case .turn(let waiter):
            guard !waiter.isOutOfTurn else { break }
            // The waiting code does the work, and says when it is done.
            waiter.isWoken = true
            waiting[waiter.number] = nil
            return stacks.resume(waiter.stack)
        case .call(let call):
            heard {
                CurrentOwner.of(work.owner) {
                    squall_work_call(call)
                    squall_work_release(call)
                }
            }
        case .iteration(let iterations, let index):
            heard { CurrentOwner.of(work.owner) { iterations.body(iterations.context, index) } }
            iterations.left -= 1
        case .timer(let timer): CurrentOwner.of(work.owner) { timer.call() }
        }
        finish(work)
        if case .iteration(let iterations, _) = work.block, iterations.left == 0 {
            wake(iterations.end, count: 1)
        }
    }

    private func isHeldBack(_ work: QueuedWork) -> Bool {
        isHeldBack(work.queue, isBarrier: work.isBarrier, ticket: work.ticket)
    }

    private func isHeldBack(_ queue: VirtualQueue, isBarrier: Bool, ticket: UInt64?) -> Bool {
        if queue.isMain, simulation.isMainActorTaken { return true }
        return queue.chain.contains {
            $0.excludes(queue, isBarrier: isBarrier) && !isOfSuspended($0)
                || !$0.isNext(ticket) { simulation.isSuspended($0) }
        }
    }

    /// True when all the work that has begun on a queue stands still because its device is
    /// suspended.
    private func isOfSuspended(_ queue: VirtualQueue) -> Bool {
        guard simulation.hasSuspended else { return false }
        let still = waiting.values.lazy.filter { self.simulation.isSuspended($0.user) }
            .map { waiter in
                waiter.stack.queues.count { $0.chain.contains(queue) }
            }
        return still.reduce(0, +) == queue.running
    }

    private func start(_ work: QueuedWork) {
        leaveLines(work)
        if case .turn(let waiter) = work.block, !waiter.isOutOfTurn {
            start(work.queue, isBarrier: work.isBarrier, on: waiter.stack)
        } else {
            start(work.queue, isBarrier: work.isBarrier, on: stacks.current)
        }
    }

    private func start(_ queue: VirtualQueue, isBarrier: Bool, on stack: Stacks.Stack?) {
        queue.chain.forEach { $0.running += 1 }
        if isBarrier { queue.isRunningBarrier = true }
        stack?.queues.append(queue)
    }

    private func finish(_ work: QueuedWork) { finish(work.queue, isBarrier: work.isBarrier) }

    private func finish(_ queue: VirtualQueue, isBarrier: Bool) {
        stacks.current?.queues.removeLast()
        queue.chain.forEach { $0.running -= 1 }
        if isBarrier { queue.isRunningBarrier = false }
        queue.active -= 1
        queue.isExclusive = false
        release(queue)
        retryStalled()
    }

    /// Lets stalled work try again, as other work may be done now.
    func retryStalled() {
        guard !stalled.isEmpty else { return }
        let numbers = stalled
        stalled = []
        for number in numbers {
            guard let work = released[number] else { continue }
            simulation.makeReady(work.queue.handler, argument: number)
        }
    }

    /// Does work on a queue while its caller waits for it.
    func perform(_ pointer: UnsafeMutableRawPointer, _ call: squall_work, isBarrier: Bool) {
        let queue = queue(pointer)
        guard let stack = stacks.current else { return heard { squall_work_call(call) } }
        if let held = deadlock(of: queue, isBarrier: isBarrier, on: stack) {
            return waitForEver(for: held)
        }
        if queue.pending.isEmpty, !isSuspended(queue),
            !isHeldBack(queue, isBarrier: isBarrier, ticket: nil),
            queue.active == 0 || queue.isConcurrent && !queue.isExclusive && !isBarrier
        {
            queue.active += 1
            queue.isExclusive = !queue.isConcurrent || isBarrier
            start(queue, isBarrier: isBarrier, on: stack)
        } else {
            if mustCancel(on: queue, by: stack) { return heard { squall_work_call(call) } }
            let waiter = makeWaiter(
                .own(waitersEver), squall_wait_queue, on: stack, queue: queue.name)
            waiter.turn = queue
            append(QueuedWork(on: queue, .turn(waiter), isBarrier: isBarrier, of: user))
            stacks.wait()
            if waiter.isOutOfTurn { return heard { squall_work_call(call) } }
        }
        heard { squall_work_call(call) }
        finish(queue, isBarrier: isBarrier)
    }

    /// The queue that a stack holds and would wait for; `nil` for none.
    private func deadlock(
        of queue: VirtualQueue, isBarrier: Bool, on stack: Stacks.Stack
    ) -> VirtualQueue? {
        if queue.isMain, simulation.isOnMainActor { return queue }
        return queue.chain.first { wanted in
            // When nothing runs on it, no stack holds it: the usual case, and the first question.
            guard wanted.running > 0, !wanted.isConcurrent || isBarrier && wanted === queue else {
                return false
            }
            return stack.queues.contains { $0.chain.contains(wanted) }
        }
    }

    /// Calls a body this many times on a queue, and waits for the last call.
    func apply(
        _ pointer: UnsafeMutableRawPointer, _ count: Int, _ body: @escaping Iterations.Body,
        _ context: UnsafeMutableRawPointer?
    ) {
        guard count > 0, let stack = stacks.current else { return }
        if let held = deadlock(of: queue(pointer), isBarrier: false, on: stack) {
            return waitForEver(for: held)
        }
        let iterations = Iterations(count, body, context, end: .own(waitersEver))
        for index in 0..<count { submit(pointer, .iteration(iterations, index)) }
        _ = wait(for: iterations.end, squall_wait_group, nanoseconds: -1)
    }

    /// What `dispatch_assert_queue` asks: the running code is on the queue, or on one that hands it
    /// work.
    func isCurrent(_ pointer: UnsafeMutableRawPointer, asBarrier: Bool) -> Bool {
        if pointer == squall_main_queue(), simulation.isOnMainActor { return true }
        let queues = stacks.current?.queues ?? []
        return queues.contains { queue in
            queue.chain.contains { $0.pointer == pointer }
                && (!asBarrier || !queue.isConcurrent || queue.isRunningBarrier)
        }
    }

    func specific(_ key: UnsafeRawPointer) -> UnsafeMutableRawPointer? {
        guard let queue = stacks.current?.queues.last else {
            guard simulation.isOnMainActor else { return nil }
            return squall_queue_specific(squall_main_queue(), key)
        }
        var value: UnsafeMutableRawPointer?
        _ = queue.chain.first { below in
            value = squall_queue_specific(below.pointer, key)
            return value != nil
        }
        return value
    }

    func submit(
        _ pointer: UnsafeMutableRawPointer, _ work: squall_work, afterNanoseconds delay: Int64
    ) {
        guard let events else { return }
        squall_object_retain(pointer)
        let number = delayed.insert(
            Delayed(queue: pointer, work: work, owner: workOwner, user: user))
        simulation.schedule(
            events.delayEnds, argument: number,
            at: simulation.now.advanced(byNanoseconds: delay))
    }

    func delayEnds(_ number: UInt64) {
        guard let later = delayed.remove(number) else { return }
        let isBarrier = squall_work_is_barrier(later.work) != 0
        submit(later.queue, .call(later.work), isBarrier: isBarrier, of: later.owner)
        squall_object_release(later.queue)
    }
}
