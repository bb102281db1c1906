import SquallBackend
import SquallFormat
import SquallLab
import Testing

@testable import SquallProof

@Suite("Fuzzing")
struct FuzzTests {
    /// Made once: it walks the whole table of settings.
    private static let draw = ProfileDraw()

    @Test(
        "A fuzzed profile of a number and a seed is the same every time, and valid",
        arguments: 0..<12 as Range<UInt64>)
    func draw(number: UInt64) throws {
        let drawn = Self.draw.profile(number, seed: 3)
        #expect(drawn == Self.draw.profile(number, seed: 3))
        #expect(throws: Never.self) { try drawn?.checked(.installed) }
    }

    @Test("Twenty draws have settings at both of their ends, and thousands of pairs")
    func coverage() {
        var coverage = FuzzCoverage(.installed)
        for number in 0..<20 as Range<UInt64> {
            Self.draw.profile(number, seed: 1).map { coverage.note($0) }
        }
        #expect(coverage.settings - coverage.missing.count > 15)
        #expect(coverage.pairsSeen > 2_000 && coverage.pairsSeen <= coverage.pairsInAll)
    }

    @Test("A profile without anything special holds, and its bytes are the same again")
    func holds() {
        let drawn = DrawnProfile(document: Self.small)
        let ending = FuzzTrial(drawn, isAlone: false).ending()
        guard case .held(_, nil) = ending else {
            Issue.record("it did not hold to its end: \(ending)")
            return
        }
        #expect(FuzzTrial(drawn, isAlone: false).ending() == ending)
    }

    @Test("Every other draw has the end of a setting that it aims at")
    func aims() {
        let aims = FuzzCoverage(.installed).aims
        let numbers = stride(from: 1, to: 17, by: 2)
        let met = numbers.count { number in
            var coverage = FuzzCoverage(.installed)
            Self.draw.profile(UInt64(number), seed: 1).map { coverage.note($0) }
            return coverage.has(aims[number / 2])
        }
        #expect(met == 8)
    }

    @Test("A world that would take all of the memory is not built, and its size is told")
    func large() {
        let library = Self.small.changing(
            [.key("backend")],
            to: ["content": ["bookPosts": 5_000_000, "giftQuestions": 5_000_000]]
        ).changing([.key("backend"), .key("content"), .key("outfits")], to: 5_000_000)
        let trial = FuzzTrial(DrawnProfile(document: library), isAlone: false)
        guard case .tooLarge(let bytes) = trial.ending() else {
            Issue.record("it was run")
            return
        }
        #expect(bytes > 5_000_000_000)
    }

    @Test("A long list is halved: one bad element of many is found in few trials")
    func halving() {
        let stage: (JSON) -> JSON = { ["constant": ["rate": $0, "for": "1s"]] }
        let stages = (0..<64).map { stage($0 == 41 ? 7 : 1) }
        let path: ArraySlice<PathStep> = [.key("populations"), .index(0), .key("load")]
        let large = Self.small.changing(path, to: ["open": ["stages": .array(stages)]])
        var trials = 0
        var shrinking = ProfileShrinking(.installed) {
            trials += 1
            return $0.document.line.contains("7")
        }
        let small = shrinking.smallest(of: DrawnProfile(document: large))
        #expect(small.document[Array(path) + [.key("open"), .key("stages")]] == [stage(7)])
        #expect(trials < 60)
    }

    @Test("A failing fuzzed profile is reduced to the settings that it takes to fail")
    func shrinking() throws {
        let large = try #require(
            (0..<200 as Range<UInt64>).lazy.compactMap { Self.draw.profile($0, seed: 1) }
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
