import SquallKernel
import Testing

@testable import SquallClient

@Suite("Token stores")
struct TokenStoreTests {
    static let first = TokenPair(access: "a1", refresh: "r1")
    static let second = TokenPair(access: "a2", refresh: "r2")

    @Test("A token store returns the written pair until it is erased")
    func roundTrip() async {
        let store = InMemoryTokenStore(Self.first)
        #expect(await store.read() == Self.first)
        await store.write(Self.second)
        #expect(await store.read() == Self.second)
        await store.erase()
        #expect(await store.read() == nil)
    }

    @Test("A reader beside a writer finds a whole pair, in any of two hundred schedules")
    func gaps() throws {
        var found: Set<String> = []
        for seed in 0..<200 as Range<UInt64> {
            let simulation = Simulation(policy: RandomSchedule(seed: seed))
            let store = InMemoryTokenStore(Self.first, yields: true)
            let reads = Notes<String>()
            simulation.spawn { await store.write(Self.second) }
            simulation.spawn {
                let pair = await store.read()
                reads.append(pair.map { "\($0.access) \($0.refresh)" } ?? "none")
            }
            _ = try simulation.run(until: .start)
            found.formUnion(reads.values)
        }
        #expect(found == ["a1 r1", "a2 r2"])
    }

    @Test("A pair never shows its tokens")
    func secrecy() {
        var dumped = ""
        dump(Self.first, to: &dumped)
        #expect(!"\(Self.first) \(dumped)".contains("a1") && !dumped.contains("r1"))
    }
}
