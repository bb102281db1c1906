import Foundation
import Squall
import Synchronization
import Testing

/// Clients that three libraries showed to be accused wrongly, or to end the process.
@Suite("What a killed app leaves behind")
struct KilledClientTests {
    private func passes(
        _ name: String, _ client: @escaping @Sendable (DrillDevice) -> DrillClient
    ) throws -> Bool {
        let killed = Drill(
            name, name, promise: "A call after the launch succeeds.", source: "", fix: "",
            needs: [.restart]
        ) { world in
            try await world.signIn()
            try await world.finish(world.beginCall())
            world.kill()
            try world.restart()
            try await world.succeed("a call after the launch succeeds")
        }
        return try drill(
            over: drilledService, asking: [killed], before: [.lenient], client: client
        ).passes
    }

    @Test("Work of a killed app on the main queue holds up no later start")
    func mainQueue() throws {
        #expect(
            try passes("main queue") { device in
                DrillClient(
                    signIn: { _ in device.storage["name"] = "Ada" },
                    call: {
                        await withCheckedContinuation { done in
                            DispatchQueue.main.async { done.resume() }
                        }
                        DispatchQueue.main.async {}
                    })
            })
    }

    @Test("A killed client is not deinitialized on a queue that it holds itself")
    func deinitWaits() throws {
        final class Client: Sendable {
            let queue = DispatchQueue(label: "the client's")
            deinit { queue.sync {} }
            func call() { queue.async { [queue] in _ = queue } }
        }
        #expect(
            try passes("deinit waits") { device in
                let client = Client()
                return DrillClient(
                    signIn: { _ in device.storage["name"] = "Ada" }, call: { client.call() })
            })
    }

    @Test("The tasks of a killed client never outlive it")
    func deinitEarly() throws {
        final class Shared: @unchecked Sendable {
            // Safe because a world runs on one thread.
            var isThere = true
        }
        final class Client: Sendable {
            let shared = Shared()
            let isFirst: Bool
            init(isFirst: Bool) { self.isFirst = isFirst }
            deinit { shared.isThere = false }
            func call() {
                guard isFirst else { return }
                Task { [shared] in
                    try? await Task.sleep(for: .seconds(1))
                    if !shared.isThere { misses.add(1, ordering: .relaxed) }
                }
            }
        }
        #expect(
            try passes("deinit early") { device in
                let client = Client(isFirst: device.storage["starts"] == nil)
                device.storage["starts"] = "1"
                return DrillClient(signIn: { _ in }, call: { client.call() })
            })
        #expect(misses.load(ordering: .relaxed) == 0)
    }
}

@Suite("A client that traps")
struct TrappingClientTests {
    @Test(
        "A client that traps ends the test's process, which names drill and schedule",
        arguments: [
            (0.0, "error: first sign-in and call, server strict: the program came to a point"),
            (60, "error: drill expiredToken, server strict, seed 1, schedule 1: the program"),
        ])
    func named(after seconds: Double, sentence: String) async {
        let ended = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) { [seconds] in
            _ = try drill(over: drilledService, asking: [.expiredToken], before: [.strict]) { _ in
                let start = ContinuousClock().now
                return DrillClient(
                    signIn: { _ in },
                    call: {
                        let age = start.duration(to: ContinuousClock().now)
                        if age >= .seconds(seconds) { preconditionFailure("its own") }
                    })
            }
        }
        let text = String(decoding: ended?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Fatal error: its own") && text.contains(sentence), "\(text)")
        #expect(text.contains("note: what a client keeps behind a static property"), "\(text)")
    }
}

/// How often a task of a killed app ran without its client.
private let misses = Atomic(0)
