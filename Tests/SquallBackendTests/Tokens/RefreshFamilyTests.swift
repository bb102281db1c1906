import SquallKernel
import TestSupport
import Testing

@testable import SquallBackend

@Suite("Families of refresh tokens")
struct RefreshFamilyTests {
    private static let leeway = RefreshSemantics.rotatingWithLeeway(
        windowNanoseconds: 10, generations: 1)
    private static let buggyGrace = RefreshSemantics.rotatingWithLeeway(
        windowNanoseconds: 10, generations: 3)
    private static let replay = RefreshSemantics.rotatingWithReplay(
        windowNanoseconds: 10, parentOfActive: false)
    private static let replayForEver = RefreshSemantics.rotatingWithReplay(
        windowNanoseconds: 10, parentOfActive: true)

    /// Who shows which generation when, as `generation@instant`, and a letter for each ruling:
    /// (k)eep, (i)ssue, (r)eplay, refuse (.).
    @Test(
        "Each semantics rules on every order of tokens as its source says",
        arguments: [
            (.coexist, "0@0 0@0 0@50", "kkk"), (.early409, "0@0 0@1", "kk"),
            (.rotatingStrict, "0@0 1@5 2@9", "iii"),
            (.rotatingStrict, "0@0 0@0 1@1", "i.."),
            (.rotatingStrict, "0@0 1@1 0@2 2@3", "ii.."),
            (.oneShot, "0@0 0@0 1@1 0@2 2@3", "i.i.i"),
            (leeway, "0@0 0@0 0@9 1@20", "iiii"), (leeway, "0@0 0@10 1@11", "i.."),
            (leeway, "0@0 0@1 1@2 1@3 0@4 2@5", "iiii.."),
            (buggyGrace, "0@0 1@1 2@2 0@3 3@4", "iiiii"),
            (buggyGrace, "0@0 1@1 2@2 3@3 0@4 4@5", "iiii.."),
            (replay, "0@0 0@1 0@9 1@20", "irri"), (replay, "0@0 0@10 1@11", "i.."),
            (replay, "0@0 1@1 0@2 2@3", "ii.."), (replay, "0@0 1@1 1@2 2@3", "iiri"),
            (.rotatingCoexist, "0@0 0@1 1@2 0@99", "iiii"),
            (.rotatingUntilUsed(endsSiblings: false), "0@0 0@1 0@99 1@100 0@101", "iiii."),
            (.once, "0@0 0@0 0@99", "k.."),
            (replayForEver, "0@0 0@99 1@100", "iri"),
            (replayForEver, "0@0 1@1 0@99 2@100", "ii.."),
        ] as [(RefreshSemantics, String, String)])
    func transitions(semantics: RefreshSemantics, shown: String, rulings: String) {
        var policy = TokenPolicy()
        policy.refresh = semantics
        #expect(Self.rulings(on: shown, policy) == rulings)
    }

    @Test("A leaking revocation lets the newest token through until it has leaked out")
    func leak() {
        var policy = TokenPolicy()
        policy.refresh = .rotatingStrict
        policy.revocationLagNanoseconds = 287
        #expect(Self.rulings(on: "0@0 0@10 1@296 2@297", policy) == "i.i.")
        #expect(Self.rulings(on: "0@0 0@10 0@20 1@21", policy) == "i..i")
    }

    @Test(
        "Of refreshes together so many succeed as a server without a lock lets through",
        arguments: [
            (.rotatingStrict, false, "0@0 0@1 0@2 0@3 1@4", "iii.."),
            (.rotatingStrict, true, "0@0 0@1 0@2 0@3", "irr."),
            (.oneShot, false, "0@0 0@60 1@61 1@62", "i.ii"),
            (.once, false, "0@0 0@1 0@2 0@3", "kkk."),
        ] as [(RefreshSemantics, Bool, String, String)])
    func together(
        semantics: RefreshSemantics, replaysAccess: Bool, shown: String, rulings: String
    ) {
        var policy = TokenPolicy()
        (policy.refresh, policy.replaysAccessToken) = (semantics, replaysAccess)
        (policy.parallelRefreshes, policy.parallelWindowNanoseconds) = (3, 50)
        #expect(Self.rulings(on: shown, policy) == rulings)
    }

    @Test("Reuse after a leeway changes nothing where it does not revoke")
    func harmlessReuse() {
        var policy = TokenPolicy()
        (policy.refresh, policy.reuseRevokesFamily) = (Self.replay, false)
        #expect(Self.rulings(on: "0@0 0@9 0@10 1@11", policy) == "ir.i")
    }

    @Test("Only an exchange makes a family older; a replay or a refusal does not")
    func generations() {
        var policy = TokenPolicy()
        policy.refresh = Self.replay
        var family = RefreshFamily()
        for (shown, now, generation) in [(0, 0, 1), (0, 5, 1), (1, 6, 2), (0, 7, 2)] {
            _ = family.show(UInt32(shown), at: Instant(nanoseconds: Int64(now)), under: policy)
            #expect(family.generation == UInt32(generation))
        }
        #expect(family.exchangedAt.nanoseconds == 6 && family.revokedAt?.nanoseconds == 7)
    }

    private static func rulings(on shown: String, _ policy: TokenPolicy) -> String {
        var family = RefreshFamily()
        return shown.split(separator: " ").map { showing in
            let numbers = showing.split(separator: "@").compactMap { Int64($0) }
            let ruling = family.show(
                UInt32(numbers[0]), at: Instant(nanoseconds: numbers[1]), under: policy)
            return switch ruling {
            case .keep: "k"
            case .issue: "i"
            case .replay: "r"
            case .refuse: "."
            }
        }.joined()
    }
}
