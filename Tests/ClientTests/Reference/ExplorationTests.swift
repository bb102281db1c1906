import HTTP
import Kernel
import Testing

@testable import Client

@Suite("Every interleaving")
struct ExplorationTests {
    /// The reference design.
    static let reference: Exploration.Client = { exploration in
        TokenInterceptor(
            store: LedgerStore(store: exploration.store, ledger: exploration.ledger),
            refreshSession: exploration.session(),
            onEvent: { exploration.ledger.hear($0, current: exploration.currentGeneration) },
            refresh: { pair, session in
                let refreshed = try await session.request(
                    URLRequest.stormRefresh.carrying(access: pair.access, refresh: pair.refresh)
                ).validate().serializingDecodable(StormRefresh.self).value
                return TokenPair(
                    access: refreshed.accessToken,
                    refresh: refreshed.refreshToken ?? pair.refresh)
            })
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

    @Test("A gate that does not look at the refused token is caught")
    func gateIsCaught() throws {
        let caught = try (0..<200).filter { (seed: UInt64) in
            let plan = Plan(seed: seed).withoutFaults()
            let report = try Exploration.run(plan, RandomSchedule(seed: seed), Self.gate)
            return report.violations.contains { $0.hasPrefix("S3") }
        }
        #expect(!caught.isEmpty)
    }

    @Test("A seed replays what it found, and so do its recorded choices")
    func replay() throws {
        let plan = Plan(seed: 7).withoutFaults()
        let first = try Exploration.run(plan, RandomSchedule(seed: 7), Self.gate)
        let again = try Exploration.run(plan, RandomSchedule(seed: 7), Self.gate)
        let replayed = try Exploration.run(plan, ReplayedSchedule(first.choices), Self.gate)
        #expect(again.lines == first.lines && again.violations == first.violations)
        #expect(replayed.lines == first.lines && !first.choices.isEmpty)
    }
}
