import SquallReport
import Testing

@testable import SquallLab

@Suite("Overload that outlives its cause")
struct OverloadTests {
    /// 10 calls a second to a server that can do 16.7, and a quarter of that from minute 2 to 4.
    ///
    /// Its line then holds 20 s of work, and phones wait for 10. Two retries of every call make 30
    /// calls of 10, more than the server can do; a tenth of them makes 11. Users return in turn, so
    /// that each of them starts the app only once.
    static func fault(_ retries: String) throws -> FaultRow {
        let text = """
            { "schemaVersion": 1, "duration": "9m", "populations": [{ "app": "shareD",
              "retries": "\(retries)", "users": 1000, "journeys": { "settings": 1 },
              "load": { "open": { "whoReturns": "inTurn",
                "stages": [{ "constant": { "rate": 4.5, "for": "9m" } }] } },
              "thinkTime": "5s", "patience": "2m" }],
              "backend": { "network": { "timeout": "10s" },
                "tokens": { "accessLifetime": "6h", "refreshLifetime": "2d" },
                "server": { "workers": 4, "queueLimit": 333,
                  "serviceTime": { "exponential": { "mean": "240ms" } } },
                "faults": [{ "kind": "capacity", "at": "2m", "for": "2m", "workers": 1 }] } }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let run = LoadRun(
            profile: profile, named: "test", options: LoadRun.Options(replayCommand: ""))
        return try #require(try run.run { _ in .continue }.summary.faults.first)
    }

    @Test(
        "Retries without a budget keep the service down, jittered or not",
        arguments: ["naive", "jittered"])
    func collapse(retries: String) throws {
        let fault = try Self.fault(retries)
        #expect(fault.startNanoseconds == 120_000_000_000)
        #expect(fault.endNanoseconds == 240_000_000_000)
        let (before, after) = (
            try #require(fault.goodputBefore), try #require(fault.goodputAfter)
        )
        #expect(fault.recovery == .metastable && after < before / 10)
    }

    @Test(
        "Without retries, or with budgeted ones, the service recovers",
        arguments: ["none", "budgeted"])
    func recovery(retries: String) throws {
        let fault = try Self.fault(retries)
        // All 10 calls a second that come back are asked for; a first visit starts the app, too.
        let after = try #require(fault.goodputAfter)
        #expect(fault.recovery != .metastable && after > 9.5)
        // The line empties by 5.7 to 6.7 calls a second, and half of it lets calls succeed again.
        let seconds = try #require(fault.recovery.afterNanoseconds) / 1_000_000_000
        #expect(seconds < 60, "\(retries): \(seconds) s")
    }
}
