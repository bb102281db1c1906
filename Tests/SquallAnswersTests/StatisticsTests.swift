import SquallReport
import Testing

@testable import SquallAnswers

@Suite("Statistics of replications")
struct StatisticsTests {
    @Test("The binomial test is twice the smaller tail")
    func binomial() {
        #expect(abs(Significance.binomial(1, of: 1, share: 0.25) - 0.5) < 1e-12)
        #expect(abs(Significance.binomial(8, of: 8, share: 0.5) - 2.0 / 256) < 1e-12)
        #expect(Significance.binomial(2, of: 4, share: 0.5) == 1)
        #expect(Significance.binomial(0, of: 0, share: 0.5) == 1)
    }

    @Test("The half-width of an interval that is cut at 0 is that above its estimate")
    func plusMinus() {
        let cut = ConfidenceInterval(0.35, low: 0, high: 0.793)
        #expect(abs((cut.plusMinus ?? 0) - 0.443) < 1e-12)
        #expect(ConfidenceInterval(1, low: nil, high: nil).plusMinus == nil)
    }

    @Test(
        "Quantiles of Student's t are those of the tables",
        arguments: [
            (1, 0.95, 12.7062), (2, 0.95, 4.30265), (3, 0.95, 3.18245), (5, 0.95, 2.57058),
            (9, 0.95, 2.26216), (10, 0.95, 2.22814), (29, 0.95, 2.04523), (100, 0.95, 1.98397),
            (5, 0.99, 4.03214), (10, 0.99, 3.16927), (4, 0.90, 2.13185),
        ])
    func quantiles(freedom: Int, level: Double, table: Double) {
        let quantile = StudentT.quantile(level: level, freedom: freedom)
        #expect((quantile - table).magnitude < 6e-6 * table)
    }

    @Test("A probability of t is that of its quantile", arguments: [1, 2, 3, 8, 31, 200])
    func probabilities(freedom: Int) {
        let t = StudentT.quantile(level: 0.98, freedom: freedom)
        #expect((StudentT.twoSided(t, freedom: freedom) - 0.02).magnitude < 1e-9)
        #expect(StudentT.twoSided(-t, freedom: freedom) == StudentT.twoSided(t, freedom: freedom))
    }

    @Test("The interval of a mean is t times its standard error")
    func mean() throws {
        let interval = try #require(ConfidenceInterval(meanOf: [4, 6, 8, 10, 12]))
        // s² = 10, so the error is √2 and t₀.₉₇₅ of four degrees is 2.77645.
        #expect(interval.value == 8)
        #expect(((interval.halfWidth ?? 0) - 3.92649).magnitude < 1e-4)
        #expect(interval.contains(11.9) && !interval.contains(12))
    }

    @Test("One replication has a mean and no interval")
    func single() throws {
        let interval = try #require(ConfidenceInterval(meanOf: [4]))
        #expect(interval.value == 4 && interval.halfWidth == nil)
        #expect(ConfidenceInterval(meanOf: []) == nil)
    }

    @Test("The jackknife of a mean is the mean's own interval")
    func jackknife() throws {
        let samples = [4.0, 6, 8, 10, 12]
        let plain = try #require(ConfidenceInterval(meanOf: samples))
        let jackknifed = try #require(
            ConfidenceInterval(jackknifing: 5) { $0.map { samples[$0] }.mean })
        #expect((plain.value - jackknifed.value).magnitude < 1e-12)
        let (one, other) = (plain.halfWidth ?? 0, jackknifed.halfWidth ?? 1)
        #expect((one - other).magnitude < 1e-12)
    }

    @Test("Holm multiplies the smallest by all, the next by one less, and never falls")
    func holm() {
        let corrected = Significance.corrected([0.01, 0.04, 0.03, 0.005])
        for (one, other) in zip(corrected, [0.03, 0.06, 0.06, 0.02]) {
            #expect((one - other).magnitude < 1e-12)
        }
        #expect(Significance.corrected([0.6, 0.7]) == [1, 1])
    }

    @Test("The Universal Scalability Law is found again in points of its own")
    func scalability() throws {
        let points = [1.0, 5, 20, 60, 120, 200].map { (load: Double) in
            let bottom = 1 + 0.02 * (load - 1) + 1e-4 * load * (load - 1)
            return (load: load, throughput: 2 * load / bottom)
        }
        let law = try #require(UniversalScalability(fitting: points))
        #expect((law.gamma - 2).magnitude < 1e-3)
        #expect((law.alpha - 0.02).magnitude < 1e-4)
        #expect((law.beta - 1e-4).magnitude < 1e-6)
        #expect(((law.peak ?? 0) - 98.995).magnitude < 0.1)
    }

    @Test("A law of scalability is given where no point is further than 5 % from it")
    func nearlyFitting() throws {
        func points(off share: Double) -> [(load: Double, throughput: Double)] {
            [1.0, 2, 4, 8, 16, 32, 64].enumerated().map { index, load in
                let bottom = 1 + 0.05 * (load - 1) + 1e-3 * load * (load - 1)
                let factor = index.isMultiple(of: 2) ? 1 + share : 1 - share
                return (load: load, throughput: 10 * load / bottom * factor)
            }
        }
        let law = try #require(UniversalScalability(fitting: points(off: 0.03)))
        #expect((0.02...0.05).contains(law.largestResidual))
        #expect(law.explained > 0.98 && law.explained < 1)
        #expect(((law.peak ?? 0) - 30.8).magnitude < 5)
        let exact = try #require(UniversalScalability(fitting: points(off: 0)))
        #expect(exact.largestResidual < 1e-6 && (exact.explained - 1).magnitude < 1e-9)
        #expect((exact.throughput(at: 10) - 10 * 10 / 1.54).magnitude < 1e-3)
        #expect(UniversalScalability(fitting: points(off: 0.08)) == nil)
    }

    @Test("Where throughput never falls there is no peak, and no parameter is negative")
    func growing() throws {
        let points = [1.0, 2, 4, 8].map { load in
            let growth = 1 + 0.002 * load
            return (load: load, throughput: 3 * load * growth)
        }
        let law = try #require(UniversalScalability(fitting: points))
        #expect(law.alpha == 0 && law.beta == 0 && law.peak == nil)
        #expect((law.gamma - 3).magnitude < 0.05)
    }

    @Test("One further sample is expected within a wider interval than the mean")
    func further() throws {
        let samples = [4.0, 6, 8, 10, 12]
        let mean = try #require(ConfidenceInterval(meanOf: samples)?.halfWidth)
        let one = try #require(ConfidenceInterval(meanOf: samples, ofOne: true)?.halfWidth)
        #expect((one / mean - 6.0.squareRoot()).magnitude < 1e-12)
    }

    @Test("An amount's interval does not begin below 0, unless the amount does")
    func amounts() {
        func ends(_ value: Double) -> [Double?] {
            let interval = ConfidenceInterval(value, low: value - 3, high: value + 3).ofAmount
            return [interval.low, interval.high]
        }
        #expect(
            ends(5) == [2, 8] && ends(1) == [0, 4] && ends(0) == [0, 3] && ends(-1) == [-4, 2])
    }

    @Test("A jackknife without one of its values has an estimate and no interval")
    func jackknifeWithout() throws {
        let some = try #require(
            ConfidenceInterval(jackknifing: 4) { $0.contains(2) ? Double($0.count) : nil })
        #expect(some.value == 4 && some.halfWidth == nil)
        #expect(ConfidenceInterval(jackknifing: 1) { _ in 7 }?.halfWidth == nil)
        #expect(ConfidenceInterval(jackknifing: 3) { _ in nil } == nil)
    }

    @Test("A law of scalability explains the variance that its deviations leave")
    func explained() throws {
        let chances = [1.01, 0.99, 1.02, 0.98, 1.01, 1.0]
        let points = zip([1.0, 5, 20, 60, 120, 200], chances).map { load, chance in
            (load: load, throughput: chance * 2 * load / (1 + 0.02 * (load - 1)))
        }
        let law = try #require(UniversalScalability(fitting: points))
        let mean = points.map(\.throughput).mean
        let squares = points.map { load, throughput in
            let (own, left) = (throughput - mean, throughput - law.throughput(at: load))
            return (all: own * own, left: left * left)
        }
        let share = 1 - squares.map(\.left).mean / squares.map(\.all).mean
        #expect((law.explained - share).magnitude < 1e-12 && (0.99..<1).contains(share))
        let deviations = points.map { (law.throughput(at: $0.load) / $0.throughput - 1).magnitude }
        #expect((law.largestResidual - (deviations.max() ?? 1)).magnitude < 1e-12)
    }

    @Test("Points that follow no law of scalability have none")
    func unfitting() {
        let points = [(1.0, 1.0), (2, 2), (4, 4), (8, 1), (16, 9), (32, 2)]
        #expect(UniversalScalability(fitting: points.map { (load: $0.0, throughput: $0.1) }) == nil)
    }

    @Test("A crossing is found by the curve through three points")
    func crossing() throws {
        let at = { (x: Double) in (x, 3 * x + 2 * x * x) }
        let root = try #require(CapacityCurve.solve(left: at(-0.1), right: at(0.1), for: 0.06))
        // 3x + 2x² = 0.06 at x = 0.019736.
        #expect((root - 0.019736).magnitude < 2e-4)
        #expect(CapacityCurve.solve(left: at(0.1), right: at(-0.1), for: 0.06) == nil)
    }
}
