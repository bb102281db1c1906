import CVirtualDispatch

/// What `CVirtualDispatch` calls: each finds the world of its thread and asks it.
enum DispatchHooks {
    /// Tells the functions of the process whom to ask; later calls do nothing.
    static func install() { _ = isInstalled }

    private static let isInstalled: Bool = {
        let hooks = UnsafeMutablePointer<squall_dispatch_hooks>.allocate(capacity: 1)
        hooks.initialize(to: table)
        squall_set_dispatch_hooks(hooks)
        return true
    }()

    private static var table: squall_dispatch_hooks {
        squall_dispatch_hooks(
            submit: { world($0).submit($1, .call($2), isBarrier: $3 != 0) },
            submit_after: { world($0).submit($1, $2, afterNanoseconds: $3) },
            perform: { world($0).perform($1, $2, isBarrier: $3 != 0) },
            apply: { world($0).apply($1, $2, $3, $4) },
            group_notify: { world($0).notify($1, $2, $3) },
            group_left: { world($0).isEmpty($1) },
            suspend: { world($0).suspend($1) },
            resume: { world($0).resume($1) },
            is_current: { world($0).isCurrent($1, asBarrier: $2 != 0) ? 1 : 0 },
            specific: { world($0).specific($1) },
            wait: { world($0).wait(for: $1, $2, nanoseconds: $3) ? 1 : 0 },
            wake: { Int32(clamping: world($0).wake(.object($1), count: Int($2))) },
            escape: { world($0).escape(String(cString: $1), String(cString: $2)) },
            stack: { Int32(world($0).stacks.current?.number ?? 0) },
            timer_create: { world($0).makeTimer($1, on: $2) },
            timer_set: { pointer, source, delay, interval in
                onTimer(pointer, source) { $0.set($1, after: delay, every: interval) }
            },
            timer_handler: { pointer, source, which, work in
                onTimer(pointer, source) { _, timer in
                    squall_work_release(timer.handlers[Int(which)])
                    timer.handlers[Int(which)] = work
                }
            },
            timer_resume: { onTimer($0, $1) { $0.resume($1) } },
            timer_suspend: { onTimer($0, $1) { $1.suspensions += 1 } },
            timer_cancel: { onTimer($0, $1) { $0.cancel($1) } },
            timer_target: { pointer, source, queue in
                onTimer(pointer, source) { _, timer in
                    squall_object_retain(queue)
                    squall_object_release(timer.queue)
                    timer.queue = queue
                }
            },
            timer_fires: { world($0).timers[$1]?.fires ?? 0 },
            timer_forget: { onTimer($0, $1) { $0.forget($1) } })
    }
}

/// The world that the functions of a thread are told to ask.
private func world(_ pointer: UnsafeMutableRawPointer) -> VirtualDispatch {
    Unmanaged<VirtualDispatch>.fromOpaque(pointer).takeUnretainedValue()
}

private func onTimer(
    _ pointer: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer,
    _ body: (VirtualDispatch, VirtualTimer) -> Void
) {
    let dispatch = world(pointer)
    guard let timer = dispatch.timers[source] else { return }
    body(dispatch, timer)
}
