import SquallFormat
import SquallLab
import SquallProfile
import Testing

@testable import SquallProof

@Suite("Fuzzing")
struct FuzzTests {
    @Test(
        "What a number and a seed draw is the same every time, and valid",
        arguments: 0..<12 as Range<UInt64>)
    func draw(number: UInt64) throws {
        let drawn = ProfileDraw().profile(number, seed: 3)
        #expect(drawn == ProfileDraw().profile(number, seed: 3))
        #expect(throws: Never.self) { try drawn?.checked(.installed) }
    }

    @Test("Sixty draws have many settings at both of their ends, and thousands of pairs")
    func coverage() {
        var coverage = FuzzCoverage(.installed)
        for number in 0..<60 as Range<UInt64> {
            ProfileDraw().profile(number, seed: 1).map { coverage.note($0) }
        }
        #expect(coverage.settings - coverage.missing.count > 60)
        #expect(coverage.pairsSeen > 5_000 && coverage.pairsSeen <= coverage.pairsInAll)
    }

    @Test("A profile without anything special holds, and its bytes are the same again")
    func holds() {
        let drawn = DrawnProfile(document: Self.small)
        guard case .held(let bytes) = FuzzTrial(drawn).ending() else {
            Issue.record("it did not hold")
            return
        }
        #expect(FuzzTrial(drawn).ending() == .held(bytes: bytes))
    }

    @Test("What fails is made small: only what it takes to fail is left")
    func shrinking() throws {
        let large = try #require(
            (0..<200 as Range<UInt64>).lazy.compactMap { ProfileDraw().profile($0, seed: 1) }
                .first { Self.isFailing($0) })
        var shrinking = ProfileShrinking(.installed, stillFails: Self.isFailing)
        let small = shrinking.smallest(of: large)
        #expect(Self.isFailing(small) && small.document.line.count < 300)
        #expect(throws: Never.self) { try small.checked(.installed) }
    }

    /// Some fault of a kind is there: stands for a mistake that it takes to happen.
    private static func isFailing(_ drawn: DrawnProfile) -> Bool {
        (try? drawn.checked(.installed))?.backend.faults.contains { $0.kind == "latency" } == true
    }

    private static let small: JSON = [
        "schemaVersion": 1, "duration": "30s",
        "populations": [["users": 5, "journeys": ["read": 1], "thinkTime": "1s"]],
    ]
}
