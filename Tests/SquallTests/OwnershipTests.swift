import Dispatch
import Squall
import Testing

/// Code gives up its last reference to an object of Dispatch that is still at work.
@Suite("Objects that only Dispatch still holds")
struct OwnershipTests {
    @Test(
        "An object that only Dispatch holds stays until its work is done, in every schedule",
        arguments: Dropped.all)
    func stays(_ dropped: Dropped) throws {
        for seed in UInt64(1)...5 {
            try simulate(schedule: RandomSchedule(seed: seed)) { _ in
                await withCheckedContinuation { done in dropped.body { done.resume() } }
            }
        }
    }

    @Test("A queue of real life keeps its target in a world", arguments: 1...3)
    func realTarget(_ number: Int) throws {
        let queue = DispatchQueue(label: "queue", target: DispatchQueue(label: "root"))
        let later = DispatchQueue(label: "later", attributes: .initiallyInactive)
        later.setTarget(queue: DispatchQueue(label: "other root"))
        later.activate()
        try simulate { _ in
            await withCheckedContinuation { done in queue.async { done.resume() } }
            await withCheckedContinuation { done in later.async { done.resume() } }
        }
        queue.sync {}
        later.sync {}
    }

    @Test("Queues and groups of a world work in real time afterwards")
    func afterwards() throws {
        // Safe because the world runs on this thread.
        nonisolated(unsafe) var kept: DispatchQueue?
        _ = try simulate { _ in
            kept = DispatchQueue(label: "kept", target: DispatchQueue(label: "root"))
            kept?.sync {}
        }
        #expect(kept?.sync { 1 } == 1)
    }
}

/// One way to give up an object, and how its work says that it was done.
struct Dropped: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let body: @Sendable (_ done: @escaping @Sendable () -> Void) -> Void

    private init(
        _ name: String, _ body: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
    ) {
        testDescription = name
        self.body = body
    }

    static let all: [Dropped] = [
        Dropped("a queue with work") { done in DispatchQueue(label: "a").async { done() } },
        Dropped("a queue with work for later") { done in
            DispatchQueue(label: "a").asyncAfter(deadline: .now() + 1) { done() }
        },
        Dropped("a queue's target") { done in
            DispatchQueue(label: "a", target: DispatchQueue(label: "root")).async { done() }
        },
        Dropped("a target's target") { done in
            let target = DispatchQueue(label: "b", target: DispatchQueue(label: "root"))
            DispatchQueue(label: "a", target: target).asyncAfter(deadline: .now() + 1) { done() }
        },
        Dropped("a target that was set") { done in
            let queue = DispatchQueue(label: "a", attributes: .initiallyInactive)
            queue.setTarget(queue: DispatchQueue(label: "root"))
            queue.setTarget(queue: DispatchQueue(label: "another root"))
            queue.activate()
            queue.async { done() }
        },
        Dropped("a target of a queue that waits") { done in
            let queue = DispatchQueue(label: "a", target: DispatchQueue(label: "root"))
            queue.suspend()
            queue.async { done() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { queue.resume() }
        },
        Dropped("a group that is waited for") { done in
            let group = DispatchGroup()
            DispatchQueue(label: "a").async(group: group) {}
            group.notify(queue: DispatchQueue(label: "b")) { done() }
        },
        Dropped("a group that is entered") { done in
            let group = DispatchGroup()
            group.enter()
            group.notify(queue: DispatchQueue(label: "b")) { done() }
            DispatchQueue.global().asyncAfter(deadline: .now() + 1) { group.leave() }
        },
        Dropped("a work item") { done in
            let item = DispatchWorkItem {}
            item.notify(queue: DispatchQueue(label: "b")) { done() }
            DispatchQueue(label: "a").async(execute: item)
        },
        Dropped("a timer's queue") { done in
            let timer = DispatchSource.makeTimerSource(
                queue: DispatchQueue(label: "a", target: DispatchQueue(label: "root")))
            timer.schedule(deadline: .now() + 1)
            timer.setEventHandler {
                timer.cancel()
                done()
            }
            timer.activate()
        },
        Dropped("a timer") { done in
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + 1)
            timer.setCancelHandler { done() }
            timer.activate()
            timer.cancel()
        },
    ]
}
