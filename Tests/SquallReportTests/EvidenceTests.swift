import SquallFormat
import TestSupport
import Testing

@testable import SquallReport

@Suite("Evidence of thresholds")
struct EvidenceTests {
    private func threshold(_ text: String, of metric: String) throws -> Threshold {
        try Threshold(metric: metric, expression: text, among: .sample)
    }

    @Test("A percentile holds exactly when its share beyond the limit does", arguments: 1...40)
    func percentiles(seed: Int) throws {
        var (numbers, histogram) = (Numbers(seed: UInt64(seed)), Histogram())
        for _ in 0..<(37 + seed * 13) {
            histogram.record(numbers.next(upToBits: 40) % 3_000_000_000)
        }
        for text in ["p(95)<2850ms", "p(90)<=2.7s", "med<1.5s", "p(10)>290ms", "p(99)>=2.9s"] {
            let evidence = try threshold(text, of: "step_duration")
                .evidence(of: .trend(histogram), overNanoseconds: 1)
            #expect(evidence.kind == .share)
            // A rank is a whole number, so a share within one sample of the limit may be either.
            let excess = evidence.part - evidence.limit * evidence.whole
            #expect(evidence.holds == (excess <= 0) || excess.magnitude <= 1, "\(text)")
        }
    }

    @Test(
        "The evidence of a threshold is a sum over a sum, found from its number and unit",
        arguments: [
            ("step_duration", "avg<1s", [40, 2, 1e9], .quantity, "ns", true),
            ("step_duration", "max<25ns", [30, 1, 25], .quantity, "ns", false),
            ("step_duration", "med>=20ns", [1, 2, 0.5], .share, "ns", false),
            ("step_duration", "p(90)<20ns", [1, 2, 0.1], .share, "ns", false),
            ("step_duration", "p(90)>20ns", [1, 2, 0.9], .share, "ns", true),
            ("steps", "count<5", [7, 1, 5], .quantity, "count", false),
            ("steps", "rate>2", [6, 3, 2], .quantity, "1/s", false),
            ("step_failed", "rate<10%", [3, 20, 0.1], .share, "share", false),
            ("refreshes_per_expired_step", "value<=1", [3, 20, 1], .quantity, "number", true),
            ("hangs", "count==7", [7, 1, 7], .step, "count", true),
            ("hangs", "count!=7", [7, 1, 7], .step, "count", false),
            ("hangs", "count<=0", [7, 1, 0], .step, "count", false),
        ] as [(String, String, [Double], ThresholdEvidence.Kind, String, Bool)])
    func sums(
        metric: String, text: String, sums: [Double], kind: ThresholdEvidence.Kind, unit: String,
        holds: Bool
    ) throws {
        let threshold = try threshold(text, of: metric)
        let evidence = threshold.evidence(
            of: value(of: threshold), overNanoseconds: 3_000_000_000)
        #expect([evidence.part, evidence.whole, evidence.limit] == sums)
        #expect(evidence.kind == kind && evidence.holds == holds)
        #expect(evidence.isUpperLimit != ["rate>2"].contains(text))
        #expect(evidence.unit?.rawValue == unit && evidence.observed != nil)
        #expect(evidence.threshold == "\(metric): \(text)")
        let none = threshold.evidence(of: nil, overNanoseconds: 1)
        #expect((none.whole > 0) == ["steps", "hangs"].contains(metric))
    }

    /// 10 ns and 30 ns; 7 events, 6 of them under load; 3 of 20.
    private func value(of threshold: Threshold) -> MetricValue {
        var histogram = Histogram()
        histogram.record(10)
        histogram.record(30)
        let ratio = Ratio(part: 3, whole: 20)
        return switch threshold.selection.metric.kind {
        case .trend: .trend(histogram)
        case .rate: .rate(ratio)
        case .ratio: .ratio(ratio)
        default: .counter(EventCount(all: 7, underLoad: 6))
        }
    }

    @Test("A run is lost when even a perfect rest would leave twice the limit")
    func lost() throws {
        func isLost(_ late: Int64, after share: Double, _ text: String = "p(95)<2s") throws -> Bool
        {
            var histogram = Histogram()
            if late > 0 { histogram.record(3_000_000_000, times: late) }
            histogram.record(1_000, times: 100 - late)
            return try threshold(text, of: "step_duration")
                .evidence(of: .trend(histogram), overNanoseconds: 1).isLost(afterShare: share)
        }
        #expect(try isLost(11, after: 1) && !isLost(10, after: 1))
        #expect(try !isLost(11, after: 0.5) && isLost(21, after: 0.5))
        #expect(try !isLost(11, after: 0) && !isLost(0, after: 1) && !isLost(11, after: -0.1))
        #expect(try !isLost(11, after: 1, "avg>2s"))
        func isLost(_ hangs: Int64, _ text: String) throws -> Bool {
            try threshold(text, of: "hangs").evidence(
                of: .counter(EventCount(all: hangs, underLoad: hangs)), overNanoseconds: 1
            ).isLost(afterShare: 0.1)
        }
        #expect(try isLost(1, "count==0") && !isLost(0, "count==0") && !isLost(2, "count==1"))
        // What does not grow with time is what it is.
        #expect(try isLost(9, "count<4") && !isLost(8, "count<4"))
    }
}
