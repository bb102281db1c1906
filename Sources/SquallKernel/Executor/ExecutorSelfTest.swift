import Foundation

/// Proves, once in a process, that its runtime keeps Swift Concurrency inside a simulation.
///
/// Every construct that client code may use is run once for a virtual hour, in well under a
/// millisecond, and must have stayed on this thread and taken exactly that hour. Where the system's
/// clocks and sleeps cannot be replaced, those that only code of one's own uses are left out: the
/// apps sleep by the simulation alone.
public enum ExecutorSelfTest {
    private static let escaped = probes.compactMap { probe in
        failure(of: probe).map { "\(probe.name) \($0)" }
    }

    /// Runs the proof, unless it was run.
    ///
    /// - Throws: `SimulationError.unsupportedToolchain`, naming everything that escaped.
    public static func run() throws {
        guard escaped.isEmpty else { throw SimulationError.unsupportedToolchain(escaped: escaped) }
    }

    /// One construct, exercised for `hour` of virtual time.
    struct Probe: Sendable {
        let name: String
        let body: @Sendable (Observation) async throws -> Void
    }

    private static let hour = Duration.seconds(3600)

    static let probes: [Probe] = {
        #if canImport(Darwin) || SQUALL_EXECUTOR_HOOKS
            ofApps
        #else
            ofApps + ofOwnCode
        #endif
    }()

    /// The constructs that apps use.
    private static let ofApps: [Probe] = [
        Probe(name: "a detached task") { seen in
            await Task.detached { seen.note() }.value
            try await seen.sleep(hour)
        },
        Probe(name: "an unstructured task") { seen in
            await Task { seen.note() }.value
            try await seen.sleep(hour)
        },
        Probe(name: "the main actor") { seen in
            await noteOnMainActor(seen)
            try await seen.sleep(hour)
        },
        Probe(name: "a default actor") { seen in
            await Counter().note(seen)
            try await seen.sleep(hour)
        },
        Probe(name: "Task.yield") { seen in
            for _ in 0..<3 { await Task.yield() }
            seen.note()
            try await seen.sleep(hour)
        },
        Probe(name: "async let") { seen in
            async let first: Void = note(seen, after: hour)
            async let second: Void = note(seen, after: hour / 2)
            _ = try await (first, second)
        },
        Probe(name: "a task group") { seen in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for part in 1...3 { group.addTask { try await note(seen, after: hour / part) } }
                try await group.waitForAll()
            }
        },
    ]

    /// The constructs that code of one's own may use beside those.
    private static let ofOwnCode: [Probe] = [
        Probe(name: "Task.sleep(for:)") { seen in
            try await Task.sleep(for: hour)
            seen.note()
        },
        Probe(name: "a cancelled sleep") { seen in
            let timeout = Task {
                try await Task.sleep(for: hour)
                seen.note()
            }
            try await Task.sleep(for: hour / 2)
            timeout.cancel()
            guard case .failure = await timeout.result else { return }
            seen.note()
        },
        Probe(name: "Task.sleep(nanoseconds:)") { seen in
            try await Task.sleep(nanoseconds: 3_600_000_000_000)
            seen.note()
        },
        Probe(name: "ContinuousClock") { seen in
            let before = ContinuousClock.now
            try await Task.sleep(for: hour, clock: .continuous)
            seen.note(elapsed: before.duration(to: .now))
        },
        Probe(name: "SuspendingClock") { seen in
            let before = SuspendingClock.now
            try await Task.sleep(for: hour, clock: .suspending)
            seen.note(elapsed: before.duration(to: .now))
        },
        Probe(name: "Date()") { seen in
            // The dates lie on whole seconds, which a Double holds exactly.
            let before = Date()
            try await Task.sleep(for: hour)
            seen.note(elapsed: .seconds(Date().timeIntervalSince(before)))
        },
    ]

    /// What escaped the simulation, or took another time than the hour; `nil` for a probe that
    /// passed.
    static func failure(of probe: Probe) -> String? {
        let simulation = Simulation(itemsPerInstantMax: 10_000)
        let seen = Observation(simulation: simulation)
        simulation.spawn {
            try? await probe.body(seen)
            seen.isFinished = true
        }
        let twoHours = Instant(nanoseconds: 7_200_000_000_000)
        guard (try? simulation.run(until: twoHours)) != nil else { return "ran without end" }
        return seen.failure(after: hour)
    }

    private static func note(_ seen: Observation, after span: Duration) async throws {
        try await seen.sleep(span)
        seen.note()
    }

    @MainActor private static func noteOnMainActor(_ seen: Observation) { seen.note() }

    private actor Counter {
        func note(_ seen: Observation) { seen.note() }
    }

    /// What a probe's code saw from inside.
    final class Observation: @unchecked Sendable {
        // Safe because a probe that works runs on one thread, and one that does not is only
        // reported.

        private let simulation: Simulation
        private let thread = Thread.current
        private var hasNoted = false
        private var ranElsewhere = false
        private var measured: Duration?
        var isFinished = false

        init(simulation: Simulation) { self.simulation = simulation }

        func sleep(_ span: Duration) async throws {
            try await simulation.sleep(nanoseconds: span.wholeNanoseconds)
        }

        func note(elapsed: Duration? = nil) {
            hasNoted = true
            ranElsewhere = ranElsewhere || Thread.current !== thread
            measured = elapsed ?? measured
        }

        func failure(after span: Duration) -> String? {
            if ranElsewhere { return "ran on another thread" }
            guard isFinished, hasNoted else { return "was not captured" }
            let elapsed = Duration.nanoseconds(simulation.now.nanoseconds)
            guard elapsed == span else { return "took \(elapsed) of virtual time, not \(span)" }
            guard let measured, measured != span else { return nil }
            return "measured \(measured), not \(span)"
        }
    }
}
