import SquallReport
import Testing

@testable import SquallLab

@Suite("A server's line around a fault")
struct BacklogTests {
    /// A call each ninth of a second, 50 ms of work, one worker, none of it for half a minute.
    private static func stall(faults: String) throws -> RunSummary {
        try LoadRun(
            profile: try Profile.read(
                """
                { "schemaVersion": 1, "duration": "4m",
                  "populations": [{ "app": "mine", "users": 2000, "journeys": { "ask": 1 },
                    "thinkTime": "0s", "patience": "1h",
                    "load": { "open": { "spacing": "even",
                      "stages": [{ "constant": { "rate": 9, "for": "4m" } }] } } }],
                  "apps": [{ "name": "mine", "screens": [{ "name": "one", "calls": [["one"]] }],
                    "journeys": [{ "name": "ask", "steps": ["one"] }] }],
                  "backend": { "tokens": { "accessLifetime": "1h" },
                    "network": { "up": "0s", "down": "0s" },
                    "server": { "workers": 1, "serviceTime": "50ms" },
                    "service": { "endpoints": [{ "name": "one", "path": "/one" }] },
                    "faults": [\(faults)] } }
                """), named: "stall", options: .init(replayCommand: "")
        ).run { _ in .continue }.summary
    }

    @Test("A stall of 30 s is recovered from when its backlog of 270 is worked off, after 24.5 s")
    func stalled() throws {
        let summary = try Self.stall(
            faults: #"{ "kind": "capacity", "workers": 0, "at": "60s", "for": "30s" }"#)
        let fault = try #require(summary.faults.first)
        let backlog = try #require(fault.backlog)
        #expect(backlog.before == 0 && backlog.leftRange && abs(backlog.largest - 270) <= 1)
        #expect(abs(backlog.longestWaitNanoseconds - 30_000_000_000) < 200_000_000)
        let after = try #require(fault.recovery.afterNanoseconds)
        #expect(abs(after - 24_500_000_000) < 200_000_000)
        #expect(fault.goodputRecovery.afterNanoseconds == 0 && fault.goodputLeftRange)
        #expect(summary.findings.map(\.label) == ["fault.backlog"])
        #expect(summary.answer.contains { $0.hasPrefix("Recovered 24.") })
    }

    @Test("The line recovers from a fault of one moment after the time since that moment")
    func moment() throws {
        let summary = try Self.stall(
            faults: """
                { "kind": "capacity", "workers": 0, "at": "60s", "for": "30s" },
                { "kind": "handover", "users": 0, "at": "60s" }
                """)
        let recovery = try #require(summary.faults.last?.backlog?.recovery)
        let after = try #require(recovery.afterNanoseconds)
        #expect(abs(after - 54_500_000_000) < 200_000_000)
    }

    @Test("A fault that nobody notices is over at once, and no finding")
    func unnoticed() throws {
        let summary = try Self.stall(
            faults: #"{ "kind": "capacity", "workers": 1, "at": "60s", "for": "30s" }"#)
        let fault = try #require(summary.faults.first)
        #expect(!fault.leftRange && fault.recovery == .after(nanoseconds: 0))
        #expect(summary.findings.isEmpty)
    }

    @Test("A backlog that the load leaves no time for is never worked off")
    func never() throws {
        let summary = try Self.stall(
            faults: #"{ "kind": "capacity", "workers": 0, "at": "60s", "for": "160s" }"#)
        #expect(summary.faults.map(\.backlog?.recovery) == [.never])
        #expect(summary.faults.allSatisfy { $0.recovery.afterNanoseconds == nil })
        #expect(summary.findings.contains { $0.label == "fault.backlog" })
    }
}
