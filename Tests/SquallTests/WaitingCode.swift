import Dispatch
import Foundation
import Glibc

/// Something that client code does which takes an hour, or which no world can have.
struct WaitingCode: Sendable, CustomStringConvertible {
    let description: String
    var escape = ""
    let body: @Sendable () async throws -> Void

    init(
        _ name: String, escape: String = "", _ body: @escaping @Sendable () async throws -> Void
    ) {
        description = name
        self.escape = escape
        self.body = body
    }

    static let virtual = tasks + queues + waits + blocking + timers + operations
    static var hour: DispatchTimeInterval { .seconds(3600) }

    static let tasks = [
        WaitingCode("Task.sleep") { try await Task.sleep(for: .seconds(3600)) },
        WaitingCode("detached") {
            try await Task.detached { try await Task.sleep(for: .seconds(3600)) }.value
        },
        WaitingCode("MainActor") {
            try await Task { @MainActor in try await Task.sleep(for: .seconds(3600)) }.value
        },
        WaitingCode("AsyncStream fed by a queue") {
            let stream = AsyncStream<Int> { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + hour) {
                    continuation.yield(1)
                    continuation.finish()
                }
            }
            for await _ in stream {}
        },
    ]

    static let queues = [
        WaitingCode("asyncAfter") { await resumed { DispatchQueue.global().asyncAfter($0) } },
        WaitingCode("asyncAfter by the calendar") {
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(wallDeadline: .now() + hour) {
                    continuation.resume()
                }
            }
        },
        WaitingCode("asyncAfter on main") { await resumed { DispatchQueue.main.asyncAfter($0) } },
        WaitingCode("asyncAfter on a serial queue") {
            let queue = DispatchQueue(label: "serial")
            await resumed { queue.asyncAfter($0) }
        },
        WaitingCode("async behind a block that sleeps") {
            let queue = DispatchQueue(label: "serial")
            queue.async { sleep(3600) }
            await withCheckedContinuation { done in queue.async { done.resume() } }
        },
        WaitingCode("sync behind a block that sleeps") {
            let queue = DispatchQueue(label: "serial")
            queue.async { sleep(3600) }
            queue.sync {}
        },
        WaitingCode("barrier after two readers") {
            let queue = DispatchQueue(label: "concurrent", attributes: .concurrent)
            queue.async { sleep(1800) }
            queue.async { sleep(3000) }
            await withCheckedContinuation { done in
                queue.async(flags: .barrier) {
                    sleep(600)
                    done.resume()
                }
            }
        },
        WaitingCode("two queues with one target") {
            let target = DispatchQueue(label: "target")
            let first = DispatchQueue(label: "first", target: target)
            let second = DispatchQueue(label: "second", target: target)
            let group = DispatchGroup()
            first.async(group: group) { sleep(1200) }
            second.async(group: group) { sleep(1200) }
            target.async(group: group) { sleep(1200) }
            await withCheckedContinuation { done in
                group.notify(queue: .global()) { done.resume() }
            }
        },
        WaitingCode("an inactive queue") {
            let queue = DispatchQueue(label: "inactive", attributes: .initiallyInactive)
            DispatchQueue.global().asyncAfter(deadline: .now() + hour) { queue.activate() }
            await withCheckedContinuation { done in queue.async { done.resume() } }
        },
        WaitingCode("a suspended queue") {
            let queue = DispatchQueue(label: "suspended")
            queue.suspend()
            DispatchQueue.global().asyncAfter(deadline: .now() + hour) { queue.resume() }
            await withCheckedContinuation { done in queue.async { done.resume() } }
        },
        WaitingCode("concurrentPerform") {
            DispatchQueue.concurrentPerform(iterations: 4) { _ in sleep(3600) }
        },
    ]

    static func resumed(_ start: (@escaping @Sendable () -> Void) -> Void) async {
        await withCheckedContinuation { continuation in start { continuation.resume() } }
    }
}

extension DispatchQueue {
    func asyncAfter(_ body: @escaping @Sendable () -> Void) {
        asyncAfter(deadline: .now() + .seconds(3600), execute: body)
    }
}
