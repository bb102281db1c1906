import CVirtualClock
import CVirtualDispatch

/// The functions that `CVirtualDispatch` calls: each finds its thread's world and asks it.
enum DispatchHooks {
    /// Installs the hooks for the process; later calls do nothing.
    static func install() { _ = isInstalled }

    private static let isInstalled: Bool = {
        let hooks = UnsafeMutablePointer<squall_dispatch_hooks>.allocate(capacity: 1)
        hooks.initialize(to: table)
        squall_set_dispatch_hooks(hooks)
        squall_avoid_foundation_traps()
        return true
    }()

    private static var table: squall_dispatch_hooks {
        squall_dispatch_hooks(
            submit: { world, queue, work, isBarrier in
                ask(world) { $0.submit(queue, .call(work), isBarrier: isBarrier != 0) }
            },
            submit_after: { world, queue, work, delay in
                ask(world) { $0.submit(queue, work, afterNanoseconds: delay) }
            },
            perform: { world, queue, work, isBarrier in
                ask(world) { $0.perform(queue, work, isBarrier: isBarrier != 0) }
            },
            apply: { world, queue, count, body, context in
                ask(world) { $0.apply(queue, count, body, context) }
            },
            group_notify: { world, group, queue, work in
                ask(world) { $0.notify(group, queue, work) }
            },
            group_left: { world, group in ask(world) { $0.isEmpty(group) } },
            suspend: { world, queue in ask(world) { $0.suspend(queue) } },
            resume: { world, queue in ask(world) { $0.resume(queue) } },
            is_current: { world, queue, asBarrier in
                ask(world) { $0.isCurrent(queue, asBarrier: asBarrier != 0) ? 1 : 0 }
            },
            specific: { world, key in ask(world) { $0.specific(key) } },
            wait: { world, key, kind, span in
                ask(world) { $0.wait(for: key, kind, nanoseconds: span) ? 1 : 0 }
            },
            wake: { world, key, count in
                ask(world) { Int32(clamping: $0.wake(.object(key), count: Int(count))) }
            },
            escape: { world, what, detail in
                ask(world) { $0.escape(String(cString: what), String(cString: detail)) }
            },
            may_hop: { world in ask(world) { $0.simulation.hasChoice ? 1 : 0 } },
            hop: { world, actor in ask(world) { $0.hop(to: actor) } },
            preempt: { world in ask(world) { $0.preempt() } },
            stack: { world in ask(world) { Int32($0.stacks.current?.number ?? 0) } },
            timer_create: { world, source, queue in
                ask(world) { $0.makeTimer(source, on: queue) }
            },
            timer_set: { world, source, delay, interval in
                ask(world, source) { $0.set($1, after: delay, every: interval) }
            },
            timer_handler: { world, source, which, work in
                ask(world, source) { $1.handle(Int(which), by: work) }
            },
            timer_resume: { world, source in ask(world, source) { $0.resume($1) } },
            timer_suspend: { world, source in ask(world, source) { $1.suspensions += 1 } },
            timer_cancel: { world, source in ask(world, source) { $0.cancel($1) } },
            timer_target: { world, source, queue in
                ask(world, source) { _, timer in
                    let target = queue ?? squall_default_queue()
                    squall_object_retain(target)
                    squall_object_release(timer.queue)
                    timer.queue = target
                }
            },
            timer_fires: { world, source in ask(world) { $0.timers[source]?.fires ?? 0 } },
            timer_forget: { world, source in ask(world, source) { $0.forget($1) } })
    }
}

/// Asks this thread's world; calls made meanwhile do not ask it again, except by the world's own
/// code in ``heard(_:)``.
@inline(__always)
private func ask<Value>(
    _ pointer: UnsafeMutableRawPointer, _ body: (VirtualDispatch) -> Value
) -> Value {
    withoutInterception {
        body(Unmanaged<VirtualDispatch>.fromOpaque(pointer).takeUnretainedValue())
    }
}

/// As the function above, for a timer; one that the world has not made is left alone.
@inline(__always)
private func ask(
    _ pointer: UnsafeMutableRawPointer, _ source: UnsafeMutableRawPointer,
    _ body: (VirtualDispatch, VirtualTimer) -> Void
) {
    ask(pointer) { dispatch in
        guard let timer = dispatch.timers[source] else { return }
        body(dispatch, timer)
    }
}

/// Runs code of this package: it gets the real Dispatch, locks and sleeps.
@inline(__always)
func withoutInterception<Value>(_ body: () throws -> Value) rethrows -> Value {
    let outer = squall_set_deaf(1)
    defer { squall_set_deaf(outer) }
    return try body()
}

/// Makes calls virtual again inside ``withoutInterception(_:)``, for a callback into the world's
/// code.
@inline(__always)
func heard<Value>(_ body: () throws -> Value) rethrows -> Value {
    let outer = squall_set_deaf(0)
    defer { squall_set_deaf(outer) }
    return try body()
}
