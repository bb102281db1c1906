import CVirtualDispatch
import SquallKernel

extension VirtualDispatch {
    func makeWaiter(
        _ key: Waiter.Key, _ kind: squall_wait_kind, on stack: Stacks.Stack,
        queue: String? = nil
    ) -> Waiter {
        waitersEver += 1
        let waiter = Waiter(
            number: waitersEver, on: stack, for: key, kind, queue: queue, since: simulation.now,
            user: user)
        waiting[waiter.number] = waiter
        return waiter
    }

    /// Blocks the running code until it is woken or the span is over; for ever when that is
    /// negative.
    ///
    /// - Returns: true when it was woken, false when the span was over.
    func wait(
        for key: Waiter.Key, _ kind: squall_wait_kind, nanoseconds: Int64, queue: String? = nil
    ) -> Bool {
        guard let stack = stacks.current, let events else { return true }
        let waiter = makeWaiter(key, kind, on: stack, queue: queue)
        waiters[key, default: []].append(waiter)
        if kind == squall_wait_lock, case .object(let lock) = key {
            letCancel(holding: lock, against: stack)
        }
        if nanoseconds > 0 {
            waiter.timer = simulation.schedule(
                events.patienceEnds, argument: waiter.number,
                at: simulation.now.advanced(byNanoseconds: nanoseconds))
        } else if nanoseconds == 0 {
            release(waiter)
        }
        stacks.wait()
        retryStalled()
        return waiter.isWoken
    }

    /// Lets other code run before a task moves to an actor, where the schedule says so; first in,
    /// first out goes on at once.
    func hop(to actor: UnsafeRawPointer) {
        world?.meets(actor: actor)
        guard let stack = stacks.current, let events, simulation.hasChoice else { return }
        let waiter = makeWaiter(.own(waitersEver), squall_wait_hop, on: stack)
        waiter.isReleased = true
        simulation.makeNext(events.hop, argument: waiter.number)
        stacks.wait()
        retryStalled()
    }

    /// Waits for a wake-up of an object; without one, for the end of the span alone.
    func wait(
        for object: UnsafeRawPointer?, _ kind: squall_wait_kind, nanoseconds: Int64
    ) -> Bool {
        let key = object.map { Waiter.Key.object($0) } ?? .own(waitersEver)
        return wait(for: key, kind, nanoseconds: nanoseconds)
    }

    /// Waits for ever, because the waiting code itself would have to bring what it waits for.
    func waitForEver(for queue: VirtualQueue) {
        while true {
            _ = wait(
                for: .own(waitersEver), squall_wait_queue, nanoseconds: -1,
                queue: "\(queue.name), which it has itself")
        }
    }

    /// Wakes this many waiters for a key, the longest waiting first.
    @discardableResult
    func wake(_ key: Waiter.Key, count: Int) -> Int {
        guard let all = waiters[key] else { return 0 }
        let woken = Array(all.prefix(count))
        for waiter in woken {
            waiter.isWoken = true
            if let timer = waiter.timer { simulation.cancel(timer) }
            release(waiter)
        }
        return woken.count
    }

    /// Lets it go on when its turn comes.
    func release(_ waiter: Waiter) {
        guard let events, endWait(of: waiter) else { return }
        simulation.makeReady(events.waitEnds, argument: waiter.number)
    }

    /// Notes that it need not wait any more; returns false if something else had released it
    /// before.
    private func endWait(of waiter: Waiter) -> Bool {
        guard !waiter.isReleased else { return false }
        waiter.isReleased = true
        waiters[waiter.key]?.removeAll { $0 === waiter }
        if waiters[waiter.key]?.isEmpty == true { waiters[waiter.key] = nil }
        return true
    }

    /// Ends a wait whose span is over.
    func giveUp(_ number: UInt64) {
        if let waiter = waiting[number], endWait(of: waiter) { resume(number) }
    }

    func resume(_ number: UInt64) {
        guard let waiter = waiting.removeValue(forKey: number) else { return }
        stacks.resume(waiter.stack)
    }
}

extension VirtualDispatch {
    func notify(
        _ group: UnsafeMutableRawPointer, _ queue: UnsafeMutableRawPointer, _ work: squall_work
    ) {
        squall_object_retain(group)
        squall_object_retain(queue)
        notices[group, default: []].append(
            Notice(queue: queue, work: work, owner: workOwner, user: user))
    }

    /// The group is empty.
    func isEmpty(_ group: UnsafeMutableRawPointer) {
        wake(.object(UnsafeRawPointer(group)), count: .max)
        for notice in notices.removeValue(forKey: group) ?? [] {
            submit(notice.queue, .call(notice.work), of: notice.owner)
            squall_object_release(notice.queue)
            squall_object_release(group)
        }
    }
}
