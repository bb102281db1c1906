import SquallKernel
import Testing

@testable import SquallClient

@Suite("Every interleaving")
struct ExplorationTests {
    /// The reference design.
    static let reference: Exploration.Client = { exploration in
        TokenInterceptor(
            store: LedgerStore(store: exploration.store, ledger: exploration.ledger),
            refreshSession: exploration.session(),
            onEvent: { exploration.ledger.hear($0, current: exploration.currentGeneration) },
            refresh: ReferenceVariant.refresh)
    }

    /// One refresh at a time, but without a look at the token that was refused.
    static let gate: Exploration.Client = { exploration in
        GatedInterceptor(
            storage: TokenStorage(access: "a0", refresh: "r0"),
            refreshSession: exploration.session(), noteConsult: {})
    }

    static func explore(_ seed: UInt64, _ client: @escaping Exploration.Client) throws
        -> Exploration.Report
    {
        try Exploration.run(Plan(seed: seed), RandomSchedule(seed: seed), client)
    }

    @Test(
        "The reference design breaks no invariant in ten thousand random schedules",
        arguments: 0..<10)
    func reference(block: UInt64) throws {
        var reached: Set<Ledger.Situation> = []
        for seed in block * 1000..<(block + 1) * 1000 {
            let report = try Self.explore(seed, Self.reference)
            reached.formUnion(report.situations)
            guard report.violations.isEmpty else {
                Issue.record("seed \(seed): \(report.violations)\n\(report.lines)")
                break
            }
        }
        #expect(reached == Set(Ledger.Situation.allCases), "the exploration is vacuous")
    }

    /// Runs the gate through a plan without faults.
    private func runGate(
        _ seed: UInt64, _ policy: any SchedulingPolicy
    ) throws -> Exploration.Report {
        try Exploration.run(Plan(seed: seed).withoutFaults(), policy, Self.gate)
    }

    @Test("A gate that does not look at the refused token is caught, and its seed replays")
    func gateIsCaught() throws {
        let caught = try (0..<200).first { (seed: UInt64) in
            let report = try runGate(seed, RandomSchedule(seed: seed))
            return report.violations.contains { $0.hasPrefix("S3") }
        }
        let seed = try #require(caught)
        let first = try runGate(seed, RandomSchedule(seed: seed))
        let again = try runGate(seed, RandomSchedule(seed: seed))
        let replayed = try runGate(seed, ReplayedSchedule(first.choices))
        #expect(!first.violations.isEmpty && !first.choices.isEmpty)
        #expect(again.lines == first.lines && again.violations == first.violations)
        #expect(replayed.lines == first.lines && replayed.violations == first.violations)
    }
}
