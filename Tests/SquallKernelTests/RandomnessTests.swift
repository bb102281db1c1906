import Testing

@testable import SquallKernel

@Suite("Randomness")
struct RandomnessTests {
    @Test("SplitMix64's published first words for seed 1234567 are reproduced")
    func knownAnswers() {
        let stream = RandomStream(key: 1_234_567)
        let words = (0..<5).map { stream.bits(at: UInt64($0)) }
        #expect(
            words == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
                4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
            ])
    }

    @Test("Streams of one seed by name, user and ordinal keep their values from build to build")
    func derivedKnownAnswers() {
        let root = RandomStream(seed: 1)
        #expect(root.stream("think").stream(number: 7).bits(at: 3) == 15_437_736_240_742_933_700)
        #expect(RandomStream(seed: 2).stream("latency").bits(at: 0) == 1_099_116_172_436_220_334)
    }

    @Test("A random stream of another name, user, ordinal or seed has another word")
    func independence() {
        let root = RandomStream(seed: 1)
        let words: Set<UInt64> = [
            root.stream("a").stream(number: 1).bits(at: 1),
            root.stream("b").stream(number: 1).bits(at: 1),
            root.stream("a").stream(number: 2).bits(at: 1),
            root.stream("a").stream(number: 1).bits(at: 2),
            RandomStream(seed: 2).stream("a").stream(number: 1).bits(at: 1),
        ]
        #expect(words.count == 5)
    }

    @Test("A bounded integer covers its range evenly")
    func boundedIntegers() {
        let stream = RandomStream(seed: 9).stream("die")
        var counts = [Int](repeating: 0, count: 6)
        for ordinal in 0..<60_000 {
            counts[Int(stream.integer(below: 6, at: UInt64(ordinal)))] += 1
        }
        // Four standard deviations of a binomial count: √(60000·⅙·⅚) ≈ 91.
        #expect(counts.allSatisfy { abs($0 - 10_000) < 365 })
    }

    @Test(
        "The portable logarithm agrees with known values to the last digits",
        arguments: [
            (2.0, 0.6931471805599453), (10.0, 2.302585092994046), (1e-300, -690.7755278982137),
            (0.9999999, -1.0000000494736474e-07), (1.0, 0.0),
        ])
    func logarithm(value: Double, expected: Double) {
        #expect(abs(PortableMath.log(value) - expected) <= abs(expected) * 1e-15)
    }

    @Test("The portable logarithm has the same bits everywhere, to the last term of its series")
    func logarithmBits() {
        let values = [1.4142135, 1.4, 0.71, 1.39]
        #expect(
            values.map(PortableMath.log) == [
                0.34657354617553326, 0.33647223662121284, -0.342490308946776, 0.32930374714260036,
            ])
    }

    @Test("A table of one value is that value")
    func oneValue() {
        let law = Distribution.empirical(EmpiricalDistribution([(5, 3)]))
        #expect((0..<20).allSatisfy { law.sample(RandomStream(seed: 1), at: $0) == 5 })
    }

    @Test(
        "The portable exponential agrees with known values to the last digits",
        arguments: [
            (1.0, 2.718281828459045), (-20.0, 2.061153622438558e-09), (0.0, 1.0),
            (100.5, 4.4319559098458955e+43),
        ])
    func exponential(power: Double, expected: Double) {
        #expect(abs(PortableMath.exp(power) - expected) <= expected * 4e-15)
    }

    @Test(
        "Normal quantiles agree with known values",
        arguments: [
            (0.5, 0.0), (0.975, 1.9599639845400545), (0.001, -3.090232306167813),
            (1e-20, -9.262340089798408), (0.9, 1.2815515655446004),
        ])
    func normalQuantile(probability: Double, expected: Double) {
        #expect(abs(PortableMath.normalQuantile(probability) - expected) <= 1e-13)
    }

    @Test("A uniform law gives both of its ends, and nothing beyond them")
    func uniformEnds() {
        let stream = RandomStream(seed: 4).stream("ends")
        func drawn(_ low: Int64, _ high: Int64) -> Set<Int64> {
            let law = Distribution.uniform(low: low, high: high)
            return Set((0..<100).map { law.sample(stream, at: $0) })
        }
        #expect(drawn(5, 7) == [5, 6, 7] && drawn(3, 3) == [3])
    }

    @Test(
        "A sample mean lies within four standard errors of the law's mean",
        arguments: [
            Distribution.constant(nanoseconds: 1_000), .uniform(low: 1_000, high: 9_000),
            .exponential(mean: 1_000_000), .exponential(mean: 1_000_000, minimum: 600_000),
            .logNormal(median: 1_000_000, sigma: 0.5), .pareto(scale: 1_000_000, shape: 4),
            .erlang(stages: 4, mean: 1_000_000), .normal(mean: 1_000_000, deviation: 200_000),
            .hyperexponential(mean: 1_000_000, squaredVariation: 4),
            .empirical(EmpiricalDistribution([(100, 1), (200, 2), (900, 1)])),
        ])
    func means(law: Distribution) {
        let stream = RandomStream(seed: 4).stream("law")
        let samples = (0..<100_000).map { Double(law.sample(stream, at: UInt64($0))) }
        let mean = samples.reduce(0, +) / 100_000
        let variance = samples.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 100_000
        #expect(abs(mean - law.mean) <= 4 * (variance / 100_000).squareRoot() + 0.5)
    }

    @Test(
        "No law gives more than a year, however heavy its tail, and none gives what is no time",
        arguments: [
            Distribution.pareto(scale: 1_000_000_000, shape: 0.1),
            .pareto(scale: 0, shape: 0.1), .logNormal(median: .max, sigma: 5),
            .exponential(mean: .max), .logNormal(median: 0, sigma: 5),
        ])
    func longest(law: Distribution) {
        let stream = RandomStream(seed: 4).stream("law")
        for ordinal in 0..<2_000 as Range<UInt64> {
            #expect((0...Distribution.longest).contains(law.sample(stream, at: ordinal)))
        }
    }

    @Test(
        "Samples below a law's quantiles are as many as the quantile says",
        arguments: [
            // Quantiles of the gamma law with shape 4 and mean 1, from its tables (χ²₈ / 8).
            (Distribution.erlang(stages: 4, mean: 1_000_000_000), 0.05, 0.341_579_6),
            (.erlang(stages: 4, mean: 1_000_000_000), 0.5, 0.918_015_1),
            (.erlang(stages: 4, mean: 1_000_000_000), 0.95, 1.938_414_1),
            (.erlang(stages: 1, mean: 1_000_000_000), 0.5, 0.693_147_2),
            (.hyperexponential(mean: 1_000_000_000, squaredVariation: 1), 0.5, 0.693_147_2),
            (.normal(mean: 1_000_000_000, deviation: 100_000_000), 0.975, 1.195_996_4),
        ])
    func quantiles(law: Distribution, share: Double, seconds: Double) {
        let stream = RandomStream(seed: 4).stream("law")
        let below = (0..<20_000).count { Double(law.sample(stream, at: $0)) < seconds * 1e9 }
        let deviation = (20_000 * share * (1 - share)).squareRoot()
        #expect(abs(Double(below) - 20_000 * share) <= 4 * deviation)
    }

    @Test(
        "A law with a squared variation has that variation",
        arguments: [
            // The last number is √(μ₄ − σ⁴) of the law with mean 1: a square's own deviation.
            (Distribution.erlang(stages: 4, mean: 1_000_000), 0.25, 0.468),
            (.erlang(stages: 1, mean: 1_000_000), 1, 2.828),
            (.hyperexponential(mean: 1_000_000, squaredVariation: 4), 4, 28.65),
        ])
    func squaredVariation(law: Distribution, expected: Double, deviation: Double) {
        let stream = RandomStream(seed: 5).stream("law")
        let samples = (0..<20_000).map { Double(law.sample(stream, at: UInt64($0))) / law.mean }
        let square = samples.reduce(0) { $0 + ($1 - 1) * ($1 - 1) } / 20_000
        #expect(abs(square - expected) <= 4 * deviation / (20_000.0).squareRoot())
    }

    @Test(
        "A sample of an inverted law survives with the probability it was drawn for",
        arguments: [1e-15, 1e-6, 0.01, 0.5, 0.99, 1 - 1e-9])
    func inversion(probability: Double) {
        for stages in [1, 2, 4, 100] {
            let x = ErlangLaw(stages: stages, mean: 1).quantile(survival: probability)
            let found = ErlangLaw(stages: stages, mean: 1).survival(at: x).logarithm
            #expect(abs(found - PortableMath.log(probability)) < 1e-9)
        }
        let law = HyperexponentialLaw(mean: 1, squaredVariation: 4)
        let found = law.survival(at: law.quantile(survival: probability)).logarithm
        #expect(abs(found - PortableMath.log(probability)) < 1e-9)
    }

    @Test("A span is rounded as the library rounds it, between 0 and its maximum")
    func rounding() {
        let stream = RandomStream(seed: 3)
        let drawn = (0..<2_000).map { Double(stream.bits(at: $0) >> ($0 % 64)) / 16 - 100 }
        let edges = [0.5, 0.49999999999999994, 1.5, 2.5, -0.5, 0x1p52 + 0.5, 0x1p53, .infinity]
        for value in drawn + edges {
            let whole = value.rounded()
            let expected = whole >= 1e15 ? 1_000_000_000_000_000 : max(0, Int64(whole))
            #expect(Int64(rounding: value, atMost: 1_000_000_000_000_000) == expected)
        }
        #expect(Int64(rounding: .nan) == 0)
    }

    @Test("Logarithms take numbers of every size apart as the library does")
    func logarithms() {
        for value in [Double.leastNonzeroMagnitude, .leastNormalMagnitude, 1, 1e300] {
            let split = value.significand > 1.4142135623730951
            let mantissa = split ? value.significand / 2 : value.significand
            let exponent = Double(value.exponent) + (split ? 1 : 0)
            let expected = PortableMath.log(mantissa) + exponent * PortableMath.log(2)
            #expect(abs(PortableMath.log(value) - expected) <= 1e-12)
        }
    }

    @Test("Samples never exceed a law's maximum")
    func maximum() {
        let stream = RandomStream(seed: 4).stream("law")
        let law = Distribution.pareto(scale: 1_000, shape: 0.5, maximum: 5_000)
        #expect((0..<10_000).map { law.sample(stream, at: $0) }.max() == 5_000)
    }

    @Test("The first samples of each law keep their values from build to build")
    func sampleKnownAnswers() {
        let stream = RandomStream(seed: 1).stream("known")
        #expect(Distribution.exponential(mean: 1_000_000).sample(stream, at: 0) == 5_346_939)
        #expect(Distribution.logNormal(median: 1_000_000, sigma: 1).sample(stream, at: 0) == 74_825)
        #expect(Distribution.pareto(scale: 1_000_000, shape: 2).sample(stream, at: 0) == 14_490_157)
    }
}
