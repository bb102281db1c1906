import CVirtualClock
import Dispatch
import Foundation
import SquallKernel
import Synchronization
import Testing

@testable import Squall

@Suite("Every construct of client code, for an hour")
struct DispatchMatrixTests {
    @Test("Every construct waits exactly a virtual hour", arguments: WaitingCode.virtual)
    func anHour(_ construct: WaitingCode) throws {
        let run = try BareWorld().run(construct.body)
        #expect(run.ended == "3600.000000000 s", "\(construct)")
        #expect(run.escapes.isEmpty)
    }

    @Test("Every construct waits an hour under every schedule", arguments: WaitingCode.virtual)
    func anyOrder(_ construct: WaitingCode) throws {
        for seed in UInt64(1)...3 {
            let world = BareWorld(RandomSchedule(seed: seed))
            #expect(try world.run(construct.body).ended == "3600.000000000 s")
        }
    }

    @Test(
        "Every construct waits an hour whatever the calendar clock was set to",
        arguments: WaitingCode.virtual)
    func anyClock(_ construct: WaitingCode) throws {
        // Whole seconds, which a Date holds exactly. Dispatch has no calendar before 1970.
        let century: Int64 = 3_155_760_000_000_000_000
        defer { squall_set_wall_clock_ahead(0) }
        for ahead in [-3_600_000_000_000, 1_000_000_000, 3_600_000_000_000, century] {
            // A century ahead is beyond what Dispatch's times by the calendar hold.
            if ahead == century, construct.description == "asyncAfter by the calendar" { continue }
            squall_set_wall_clock_ahead(ahead)
            let run = try BareWorld().run(construct.body)
            #expect(run.ended == "3600.000000000 s", "\(ahead) ns ahead")
        }
    }

    @Test(
        "A construct that cannot be virtual is named with the way out", arguments: WaitingCode.named
    )
    func named(_ construct: WaitingCode) throws {
        let run = try BareWorld().run(construct.body)
        #expect(run.escapes.map(\.what) == [construct.escape])
        #expect(run.escapes.allSatisfy { !$0.wayOut.isEmpty })
    }

    @Test("Threads outside a world keep real time", arguments: 1...4)
    func real(_ number: Int) async throws {
        let start = RealClock.nanoseconds
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) {
                continuation.resume()
            }
        }
        try await Task.sleep(for: .milliseconds(20))
        #expect(RealClock.nanoseconds - start >= 50_000_000)
    }
}

/// A world without a network.
struct BareWorld {
    let simulation: Simulation
    let dispatch: VirtualDispatch

    init(_ policy: any SchedulingPolicy = FirstInFirstOut(), seed: UInt64 = 1) {
        simulation = Simulation(policy: policy, systemRandomness: RandomStream(seed: seed))
        dispatch = VirtualDispatch(simulation)
    }

    struct Run {
        /// When the body came to its end; `nil` when it never did.
        var ended: String?
        var escapes: [Escape] = []
        var standing: [String] = []
    }

    /// Runs a body for a virtual day.
    func run(_ body: @escaping @Sendable () async throws -> Void) throws -> Run {
        let ended = Mutex<String?>(nil)
        let simulation = simulation
        try withExtendedLifetime(dispatch) {
            simulation.spawn {
                try? await body()
                ended.withLock { $0 = simulation.now.description }
            }
            _ = try dispatch.run(until: Instant(nanoseconds: 86_400_000_000_000))
        }
        let standing = dispatch.standing.map { "\($0.place) waits for \($0.reason)" }
        return Run(
            ended: ended.withLock { $0 }, escapes: dispatch.escapes, standing: standing)
    }
}

@Suite("Blocking that cannot end")
struct DeadlockTests {
    @Test("A queue that waits for itself is named")
    func itself() throws {
        let run = try BareWorld().run {
            let queue = DispatchQueue(label: "cache")
            await WaitingCode.resumed { done in
                queue.async {
                    queue.sync {}
                    done()
                }
            }
        }
        #expect(run.ended == nil)
        #expect(
            run.standing == [
                "the queue cache waits for its turn on the queue cache, which it has itself"
            ])
    }

    @Test("Two queues that wait for each other are named, both")
    func eachOther() throws {
        let run = try BareWorld().run {
            let (first, second) = (DispatchQueue(label: "a"), DispatchQueue(label: "b"))
            first.async {
                sleep(1)
                second.sync {}
            }
            second.async {
                sleep(1)
                first.sync {}
            }
        }
        #expect(
            run.standing == [
                "the queue a waits for its turn on the queue b",
                "the queue b waits for its turn on the queue a",
            ])
    }

    @Test("The main queue that waits for a call back on the main queue stands for ever")
    func main() throws {
        let run = try BareWorld().run {
            let gate = DispatchSemaphore(value: 0)
            DispatchQueue.main.async {
                DispatchQueue.main.async { gate.signal() }
                gate.wait()
            }
        }
        #expect(run.standing.count == 1)
        #expect(run.standing.first?.hasSuffix("waits for a semaphore") == true)
    }

    @Test("The main actor that waits for the main queue stands for ever")
    func mainActor() throws {
        let run = try BareWorld().run {
            await Task { @MainActor in
                let gate = DispatchSemaphore(value: 0)
                DispatchQueue.main.async { gate.signal() }
                WaitingCode.wait(for: gate)
            }.value
        }
        #expect(run.ended == nil)
        #expect(run.standing == ["the main actor waits for a semaphore"])
    }
}

@Suite("Order and chance in a world")
struct DispatchOrderTests {
    @Test("A serial queue keeps its order under every schedule", arguments: UInt64(1)...20)
    func serial(seed: UInt64) throws {
        let order = Mutex<[Int]>([])
        _ = try BareWorld(RandomSchedule(seed: seed)).run {
            let queue = DispatchQueue(label: "serial")
            for number in 0..<10 { queue.async { order.withLock { $0.append(number) } } }
            for _ in 0..<10 { DispatchQueue.global().async {} }
        }
        #expect(order.withLock { $0 } == Array(0..<10))
    }

    @Test("A concurrent queue's order is the schedule's")
    func concurrent() throws {
        let orders = try (1...20).map { seed in
            let order = Mutex<[Int]>([])
            _ = try BareWorld(RandomSchedule(seed: UInt64(seed))).run {
                for number in 0..<5 {
                    DispatchQueue.global().async { order.withLock { $0.append(number) } }
                }
            }
            return order.withLock { $0 }
        }
        #expect(Set(orders).count > 10)
    }

    @Test("A world draws the same identifiers for the same seed, and others for another")
    func chance() throws {
        func draws(_ seed: UInt64) throws -> [String] {
            let drawn = Mutex<[String]>([])
            _ = try BareWorld(seed: seed).run {
                let words = [
                    UUID().uuidString, "\(UInt64.random(in: 0 ... .max))",
                    "\((0..<50).shuffled())", NSUUID().uuidString, "\(rand())",
                ]
                drawn.withLock { $0 = words }
            }
            return drawn.withLock { $0 }
        }
        let (first, again, other) = try (draws(1), draws(1), draws(2))
        #expect(first == again)
        #expect(zip(first, other).allSatisfy { $0 != $1 })
    }

    @Test("A timer whose target is taken away has the queue for work that names none")
    func noTarget() throws {
        let run = try BareWorld().run { takeTargetAway() }
        #expect(run.ended == "0.000000000 s")
    }

    @Test("A queue knows when its work runs")
    func current() throws {
        let run = try BareWorld().run {
            let target = DispatchQueue(label: "target")
            let queue = DispatchQueue(label: "queue", target: target)
            let key = DispatchSpecificKey<Int>()
            target.setSpecific(key: key, value: 7)
            await WaitingCode.resumed { done in
                queue.async {
                    dispatchPrecondition(condition: .onQueue(queue))
                    dispatchPrecondition(condition: .onQueue(target))
                    dispatchPrecondition(condition: .notOnQueue(.main))
                    precondition(DispatchQueue.getSpecific(key: key) == 7)
                    DispatchQueue.main.async {
                        dispatchPrecondition(condition: .onQueue(.main))
                        precondition(Thread.isMainThread)
                        done()
                    }
                }
            }
        }
        #expect(run.ended != nil)
    }
}

extension WaitingCode {
    static func wait(for gate: DispatchSemaphore) { gate.wait() }
}

/// Makes a timer and sets no queue as its target, which C has a call for and Swift has none.
private func takeTargetAway() {
    typealias Create =
        @convention(c) (UnsafeMutableRawPointer, UInt, UInt, UnsafeMutableRawPointer?) ->
        UnsafeMutableRawPointer?
    typealias SetTarget =
        @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> Void
    typealias Release = @convention(c) (UnsafeMutableRawPointer) -> Void
    guard let kind = dlsym(nil, "_dispatch_source_type_timer"),
        let create = dlsym(nil, "dispatch_source_create"),
        let setTarget = dlsym(nil, "dispatch_set_target_queue"),
        let release = dlsym(nil, "dispatch_release"),
        let timer = unsafeBitCast(create, to: Create.self)(kind, 0, 0, nil)
    else { preconditionFailure("Dispatch has other names") }
    unsafeBitCast(setTarget, to: SetTarget.self)(timer, nil)
    unsafeBitCast(release, to: Release.self)(timer)
}
