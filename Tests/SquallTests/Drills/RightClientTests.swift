import Foundation
import Squall
import Testing

@Suite("Right clients")
struct RightClientTests {
    /// SCHEDULES and PREEMPTIONS of the environment play more.
    private static func number(_ name: String, _ usual: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? usual
    }

    @Test(
        "A right client of any style is accused of nothing", arguments: RightClient.Style.allCases)
    func clean(style: RightClient.Style) throws {
        let report = try drill(
            over: drilledService, before: [.strict, .lenient],
            schedules: Self.number("SCHEDULES", 1), preemptions: Self.number("PREEMPTIONS", 0)
        ) { rightClient(style, on: $0) }
        #expect(report.passes)
    }

    @Test("Right clients whose calls are cancelled survive interruptions in the midst of it")
    func interrupted() throws {
        for style in [RightClient.Style.lock, .stream] {
            let report = try drill(
                over: drilledService, asking: [.callerCancels, .screenGivesUp], before: [.strict],
                schedules: Self.number("SCHEDULES", 20), seed: UInt64(Self.number("SEED", 1)),
                preemptions: Self.number("PREEMPTIONS", 20)
            ) { rightClient(style, on: $0) }
            #expect(report.passes)
        }
    }

    @Test("A killed app's work in Foundation's own queues holds up no later start")
    func killed() throws {
        for style in [RightClient.Style.pipeline, .twoSessions] {
            let report = try drill(
                over: drilledService, asking: [.killedAfterRefresh], before: [.strict],
                schedules: 12
            ) { rightClient(style, on: $0) }
            #expect(report.passes)
        }
    }

    @Test("A request handed to the system before a sign-out and sent after it is accepted")
    func handedOver() throws {
        // In the 43rd schedule Foundation takes the 80 ms of the sign-out to begin the refresh.
        let report = try drill(
            over: drilledService, asking: [.nextPerson], before: [.strict], schedules: 50
        ) { rightClient(.pipeline, on: $0) }
        #expect(report.passes)
    }

    @Test("A client whose timer has ended with its app, or is late after a day, is not accused")
    func timers() throws {
        let report = try drill(
            over: drilledService,
            asking: [.killedDuringRefresh, .killedAfterRefresh, .dayAway, .monthAway, .shortToken],
            schedules: 2
        ) { rightClient(.timer, on: $0) }
        #expect(report.passes)
        #expect(report.cells.allSatisfy { $0.passes })
    }

    @Test("Calls that hold every place of a pool while they wait for a refresh are found")
    func starved() throws {
        let report = try drill(
            over: drilledService, asking: [.expiredToken], before: [.strict], schedules: 1
        ) { device in
            let api = StarvingClient(device)
            return DrillClient(
                signIn: { try await api.signIn($0.email, $0.password) },
                call: { try await api.call() })
        }
        #expect(report.cells.first?.findings.first?.hasSuffix("hangs") == true)
    }

    @Test("A cancellation handler that never returns hangs the code that cancels, which is found")
    func blocked() throws {
        let report = try drill(
            over: drilledService, asking: [.callerCancels], before: [.strict], schedules: 1
        ) { device in
            let api = RightClient(.lock, on: device)
            return DrillClient(
                signIn: { try await api.signIn($0.email, $0.password) },
                call: {
                    try await withTaskCancellationHandler {
                        try await api.call("GET", "posts")
                    } onCancel: {
                        DispatchSemaphore(value: 0).wait()
                    }
                })
        }
        #expect(
            report.cells.first?.findings
                == ["the cancellation of call 1 never returns: a task waits for a semaphore"])
    }

    @Test("An app that never returns from its start is reported as such")
    func neverStarts() {
        let error = #expect(throws: (any Error).self) {
            try drill(over: drilledService, asking: [.expiredToken], schedules: 1) { device in
                DispatchSemaphore(value: 0).wait()
                return rightClient(.lock, on: device)
            }
        }
        #expect(
            error.map { "\($0)" }
                == "the start of the app never returns: a task waits for a semaphore")
    }
}

/// A client whose refresh needs one of the five places that the calls have.
private actor StarvingClient {
    private let wire: RightWire
    private let places = OperationQueue()
    private var tokens: RightClient.Tokens?
    private var running: Task<Void, any Error>?

    init(_ device: DrillDevice) {
        wire = RightWire(
            base: device.url, session: device.session, tokenSession: device.session)
        places.maxConcurrentOperationCount = 5
    }

    func signIn(_ name: String, _ password: String) async throws {
        tokens = try await wire.grant(
            "grant_type=password&username=\(name)&password=\(password)", nil)
    }

    func call() async throws { try await inPlace(of: places) { try await self.attempted() } }

    private func attempted() async throws {
        guard let old = tokens else { return }
        guard try await wire.send("GET", "posts", old.access) == 401 else { return }
        let task = running ?? Task { try await inPlace(of: places) { try await self.renew(old) } }
        running = task
        try await task.value
    }

    private func renew(_ old: RightClient.Tokens) async throws {
        tokens = try await wire.grant(
            "grant_type=refresh_token&refresh_token=\(old.refresh)", old.refresh)
    }
}

/// Does something while it blocks a place of a queue.
private func inPlace(
    of places: OperationQueue, _ body: @escaping @Sendable () async throws -> Void
) async throws {
    try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
        places.addOperation {
            let end = DispatchSemaphore(value: 0)
            Task {
                let result = await Task { try await body() }.result
                end.signal()
                done.resume(with: result)
            }
            end.wait()
        }
    }
}
