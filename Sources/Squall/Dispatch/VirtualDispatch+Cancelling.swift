import CVirtualDispatch

/// A deadlock of Foundation on Linux that no phone has, and that a world does without.
///
/// Cancelling a Swift task holds a lock of that task while its cancellation handler runs; that
/// of `URLSession.data(for:)` calls `URLSessionTask.cancel()`, which waits for the request's queue.
/// What runs there resumes the same task, and needs the lock for that:
/// [issue 5412](https://github.com/swiftlang/swift-corelibs-foundation/issues/5412), mended after
/// Swift 6.3. So where the two wait for each other, `cancel()` does not wait for the queue.
extension VirtualDispatch {
    /// Lets code that holds a lock go on out of turn, if it waits for a request's queue that is
    /// kept by code which begins to wait for that lock.
    func letCancel(holding lock: UnsafeRawPointer, against stack: Stacks.Stack) {
        guard stack.queues.contains(where: \.isOfRequest) else { return }
        let holder = squall_lock_holder(lock)
        // Code on a stack waits for one thing.
        let waiter = waiting.values.first { $0.stack.number == holder && !$0.isReleased }
        guard let waiter, let queue = waiter.turn, keeps(queue, stack) else { return }
        waiter.isOutOfTurn = true
        release(waiter)
    }

    /// True for code that wants a request's queue while it holds the lock that the code on that
    /// queue waits for.
    func mustCancel(on queue: VirtualQueue, by stack: Stacks.Stack) -> Bool {
        queue.isOfRequest
            && waiting.values.contains { waiter in
                guard waiter.kind == squall_wait_lock, case .object(let lock) = waiter.key else {
                    return false
                }
                return keeps(queue, waiter.stack) && squall_lock_holder(lock) == stack.number
            }
    }

    /// True when the request's queue can begin no other work until the code on the stack goes on.
    private func keeps(_ queue: VirtualQueue, _ stack: Stacks.Stack) -> Bool {
        queue.isOfRequest
            && stack.queues.contains { running in
                queue.chain.contains { running.chain.contains($0) }
            }
    }
}
