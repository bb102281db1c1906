import CVirtualDispatch
import SquallKernel

extension VirtualTimer {
    /// Calls the handler of events.
    func call() {
        isQueued = false
        guard !isCancelled else { return }
        fires = due
        due = 0
        let handler = handlers[0]
        guard handler.context != nil || handler.function != nil else { return }
        heard { squall_work_call(handler) }
    }

    /// Replaces the work for when it fires (0), is cancelled (1) or is registered (2).
    func handle(_ which: Int, by work: squall_work) {
        let old = handlers[which]
        handlers[which] = work
        heard { squall_work_release(old) }
    }
}

extension VirtualDispatch {
    func makeTimer(_ source: UnsafeMutableRawPointer, on queue: UnsafeMutableRawPointer?) {
        let usual = squall_default_queue()
        let timer = VirtualTimer(source: source, queue: queue ?? usual)
        squall_object_retain(timer.queue)
        timer.number = timersByNumber.insert(timer)
        timer.owner = workOwner
        timer.user = user
        timers[source] = timer
    }

    /// Sets when it fires; a negative delay is never.
    func set(_ timer: VirtualTimer, after delay: Int64, every interval: Int64) {
        if let event = timer.event { simulation.cancel(event) }
        timer.due = 0
        timer.interval = interval
        timer.event = nil
        guard delay >= 0 else { return timer.deadline = nil }
        arm(timer, at: simulation.now.advanced(byNanoseconds: delay))
    }

    private func arm(_ timer: VirtualTimer, at instant: Instant) {
        guard let events else { return }
        timer.deadline = instant
        timer.event = simulation.schedule(
            events.timerFires, argument: timer.number, at: instant)
    }

    func fire(_ number: UInt64) {
        guard let timer = timersByNumber[number], !timer.isCancelled else { return }
        guard let deadline = timer.deadline, deadline <= simulation.now else { return }
        // Times that were missed, as while an app is suspended, make one call of its handler.
        let interval = max(1, timer.interval)
        let missed =
            timer.interval < 0 ? 0 : (simulation.now.nanoseconds - deadline.nanoseconds) / interval
        timer.due += 1 + UInt(missed)
        timer.event = nil
        timer.deadline = nil
        bring(timer)
        // Nothing fires while it is suspended; missed times then count as one.
        guard timer.interval >= 0, timer.suspensions == 0 else { return }
        arm(timer, at: deadline.advanced(byNanoseconds: (missed + 1) * interval))
    }

    private func bring(_ timer: VirtualTimer) {
        guard timer.due > 0, timer.suspensions == 0, !timer.isQueued else { return }
        timer.isQueued = true
        submit(timer.queue, .timer(timer), of: timer.owner)
    }

    func resume(_ timer: VirtualTimer) {
        guard timer.suspensions > 0 else { return }
        timer.suspensions -= 1
        guard timer.suspensions == 0 else { return }
        let hadFired = timer.due > 0
        bring(timer)
        guard hadFired, timer.deadline == nil, timer.interval >= 0 else { return }
        arm(timer, at: simulation.now.advanced(byNanoseconds: max(1, timer.interval)))
    }

    func cancel(_ timer: VirtualTimer) {
        guard !timer.isCancelled else { return }
        timer.isCancelled = true
        if let event = timer.event { simulation.cancel(event) }
        let handler = timer.handlers[1]
        timer.handlers[1] = squall_work()
        if handler.context != nil || handler.function != nil {
            submit(timer.queue, .call(handler), of: timer.owner)
        }
    }

    func forget(_ timer: VirtualTimer) {
        cancel(timer)
        timers[timer.source] = nil
        timersByNumber.remove(timer.number)
        squall_object_release(timer.queue)
        for which in timer.handlers.indices { timer.handle(which, by: squall_work()) }
    }
}
