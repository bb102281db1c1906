import SquallKernel
import Testing

@testable import SquallClient

@Suite("Token stores")
struct TokenStoreTests {
    static let first = TokenPair(access: "a1", refresh: "r1")
    static let second = TokenPair(access: "a2", refresh: "r2")

    /// A store that holds the first pair.
    enum Kind: CaseIterable, Sendable {
        case memory, separateKeys, oneKey, keychain

        func store(_ point: SchedulingPoint) -> any TokenStore {
            switch self {
            case .memory: InMemoryTokenStore(first, schedulingPoint: point)
            case .separateKeys:
                KeyValueTokenStore(
                    KeyValueStorage(
                        ["accessToken": "a1", "refreshToken": "r1"], schedulingPoint: point))
            case .oneKey:
                KeyValueTokenStore(
                    KeyValueStorage(["tokens": first.storedText], schedulingPoint: point),
                    layout: .together(key: "tokens"))
            case .keychain:
                KeychainTokenStore(
                    Keychain(["accessToken": "a1", "refreshToken": "r1"], schedulingPoint: point))
            }
        }
    }

    @Test("What was written is read until it is erased", arguments: Kind.allCases)
    func roundTrip(kind: Kind) async {
        let store = kind.store(.none)
        #expect(await store.read() == Self.first)
        await store.write(Self.second)
        #expect(await store.read() == Self.second)
        await store.erase()
        #expect(await store.read() == nil)
    }

    /// Everything that a reader beside a writer can find, over two hundred schedules.
    private func found(_ kind: Kind) throws -> [String] {
        var found: Set<String> = []
        for seed in 0..<200 as Range<UInt64> {
            let simulation = Simulation(policy: RandomSchedule(seed: seed))
            let store = kind.store(.yields)
            let reads = Notes<String>()
            simulation.spawn { await store.write(Self.second) }
            simulation.spawn {
                let pair = await store.read()
                reads.append(pair.map { "\($0.access) \($0.refresh)" } ?? "none")
            }
            _ = try simulation.run(until: .start)
            found.formUnion(reads.values)
        }
        return found.sorted()
    }

    @Test(
        "A reader beside a writer finds half a pair, or none, where the store has such a gap",
        arguments: [
            (Kind.memory, ["a1 r1", "a2 r2"]), (.oneKey, ["a1 r1", "a2 r2"]),
            (.separateKeys, ["a1 r1", "a1 r2", "a2 r1", "a2 r2"]),
            (.keychain, ["a1 r1", "a1 r2", "a2 r1", "a2 r2", "none"]),
        ])
    func gaps(kind: Kind, expected: [String]) throws {
        let found = try found(kind)
        #expect(Set(found).isSubset(of: expected))
        #expect(found.contains("a2 r1") == expected.contains("a2 r1"))
        #expect(found.contains("none") == expected.contains("none"))
    }

    @Test("Wiping a storage takes everybody's strings, a wrong key none of ours")
    func wipe() async {
        let storage = KeyValueStorage(["accessToken": "a1", "refreshToken": "r1", "theme": "dark"])
        await storage.set("a2", forKey: "a1")
        #expect(await KeyValueTokenStore(storage).read() == Self.first)
        #expect(storage.keys == ["a1", "accessToken", "refreshToken", "theme"])
        await storage.removeAll()
        #expect(storage.keys.isEmpty)
    }

    @Test("A keychain adds no item twice and deletes none that is not there")
    func keychain() async {
        let keychain = Keychain()
        #expect(await keychain.delete(account: "x") == .itemNotFound)
        #expect(await keychain.add("1", account: "x") == .success)
        #expect(await keychain.add("2", account: "x") == .duplicateItem)
        #expect(await keychain.secret(of: "x") == "1")
    }

    @Test("An expiry survives where both tokens are kept together")
    func expiry() async {
        let pair = TokenPair(access: "a1", refresh: "r1", accessExpiry: 1_700_000_000_000_000_000)
        let store = KeyValueTokenStore(KeyValueStorage(), layout: .together(key: "tokens"))
        await store.write(pair)
        #expect(await store.read() == pair)
        #expect(TokenPair(storedText: "a1 r1") == nil)
    }

    @Test("A pair never shows its tokens")
    func secrecy() {
        var dumped = ""
        dump(Self.first, to: &dumped)
        #expect(!"\(Self.first) \(dumped)".contains("a1") && !dumped.contains("r1"))
    }
}
