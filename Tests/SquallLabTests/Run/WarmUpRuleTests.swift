import SquallKernel
import Testing

@testable import SquallLab

@Suite("Warm-up by MSER-5")
struct WarmUpRuleTests {
    @Test("A step from one level to another is cut off where it ends", arguments: [0, 20, 35])
    func step(at settled: Int) {
        // After the step the values alternate, so that a shorter rest is never better.
        let series = (0..<200).map { Int64($0 < settled ? 0 : 100 + $0 % 2) }
        #expect(WarmUpRule.truncation(of: series) == .after(settled))
    }

    @Test("A ramp that is followed by noise is cut off near its end", arguments: 1...20)
    func ramp(seed: UInt64) {
        let noise = RandomStream(seed: seed).stream("noise")
        let series = (0..<500).map { index in
            Int64(min(index, 100)) * 10 + Int64(noise.integer(below: 41, at: UInt64(index)))
        }
        let cuts = (90...130).map { WarmUpRule.Truncation.after($0) }
        #expect(cuts.contains(WarmUpRule.truncation(of: series)))
    }

    @Test("A series that never settles or is too short has no warm-up to cut off")
    func unsettled() {
        // The step is past the middle: of the first half's points the last is the best.
        #expect(WarmUpRule.truncation(of: (0..<200).map { $0 < 110 ? 0 : 100 }) == .never)
        #expect(WarmUpRule.truncation(of: Array(repeating: 1, count: 49)) == .tooShort)
        #expect(WarmUpRule.truncation(of: Array(repeating: 1, count: 50)) == .after(0))
    }
}
