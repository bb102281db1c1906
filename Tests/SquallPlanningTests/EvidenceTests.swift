import SquallKernel
import SquallLab
import SquallReport
import Testing

@Suite("Evidence of thresholds")
struct EvidenceTests {
    private func threshold(_ text: String, of metric: String) throws -> Threshold {
        try Threshold(metric: metric, expression: text, among: .installed)
    }

    @Test("A percentile holds exactly when its share beyond the limit does", arguments: 1...40)
    func percentiles(seed: Int) throws {
        let stream = RandomStream(seed: UInt64(seed))
        var histogram = Histogram()
        for number in 0..<UInt64(37 + seed * 13) {
            histogram.record(Int64(stream.integer(below: 3_000_000_000, at: number)))
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

    @Test("A mean is its sum over its number, and a count itself over one run")
    func sums() throws {
        var histogram = Histogram()
        histogram.record(10)
        histogram.record(30)
        let mean = try threshold("avg<1s", of: "step_duration")
            .evidence(of: .trend(histogram), overNanoseconds: 1)
        #expect(mean.part == 40 && mean.whole == 2 && mean.limit == 1e9)
        let count = try threshold("count<5", of: "steps")
            .evidence(of: .counter(EventCount(all: 7, underLoad: 7)), overNanoseconds: 1)
        #expect(count.part == 7 && count.whole == 1 && !count.holds && count.kind == .quantity)
        let none = try threshold("count==0", of: "hangs")
            .evidence(of: .counter(EventCount(all: 0, underLoad: 0)), overNanoseconds: 1)
        #expect(none.kind == .step && none.holds)
    }

    @Test("A run is lost when even a perfect rest would leave twice the limit")
    func lost() throws {
        var histogram = Histogram()
        histogram.record(3_000_000_000, times: 11)
        histogram.record(1_000, times: 89)
        let evidence = try threshold("p(95)<2s", of: "step_duration")
            .evidence(of: .trend(histogram), overNanoseconds: 1)
        #expect(evidence.isLost(afterShare: 1))
        #expect(!evidence.isLost(afterShare: 0.5))
    }
}
