import Foundation
import Squall
import Synchronization
import Testing

private let service = TokenService(
    .bearer, refresh: .rotatingStrict,
    routes: [.get("/posts", json: "[]"), .get("/profile", json: #"{"nick": "K"}"#)])

/// The result of the main screen under a schedule, in words.
private func run(_ schedule: UInt64) throws -> String {
    let run = try simulate(
        schedule: RandomSchedule(seed: schedule), window: .milliseconds(100)
    ) { world in
        try await openMainScreen(of: service, in: world, ordinaryStore)
    }
    return "\(run)"
}

/// Keeps other threads busy while the body runs.
private func whileThreads<Value>(
    _ count: Int, do work: @escaping @Sendable () -> Void, _ body: () throws -> Value
) rethrows -> Value {
    let isOver = Mutex(false)
    let ended = DispatchSemaphore(value: 0)
    for _ in 0..<count {
        Thread.detachNewThread {
            while !isOver.withLock({ $0 }) { work() }
            ended.signal()
        }
    }
    defer {
        isOver.withLock { $0 = true }
        for _ in 0..<count { ended.wait() }
    }
    return try body()
}

@Suite("Worlds beside each other")
struct OtherThreadsTests {
    @Test("Do not show in each other: locks that libraries share cost no turn of a world")
    func same() throws {
        let alone = try (0..<20).map { try run($0) }
        let different = Mutex<[String]>([])
        let ended = DispatchSemaphore(value: 0)
        for _ in 0..<3 {
            Thread.detachNewThread {
                for schedule in 0..<20 {
                    let text = (try? run(UInt64(schedule))) ?? "nothing"
                    if text != alone[schedule] { different.withLock { $0.append(text) } }
                }
                ended.signal()
            }
        }
        for _ in 0..<3 { ended.wait() }
        #expect(different.withLock { $0 }.isEmpty)
    }

    @Test("A spin lock of Foundation's that other threads keep busy costs no turn of a world")
    func spinLock() throws {
        let alone = try (0..<20).map { try run($0) }
        let beside = try whileThreads(3, do: { _ = Bundle.main.bundleIdentifier }) {
            try (0..<20).map { try run($0) }
        }
        #expect(alone == beside)
    }
}
