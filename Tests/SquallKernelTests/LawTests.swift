import SquallFormat
import Testing

@testable import SquallKernel

@Suite("Laws: moments, distribution function, density and text")
struct LawTests {
    private static let laws: [Distribution] = [
        .constant(nanoseconds: 5_000_000), .uniform(low: 1e6, high: 9e6),
        .exponential(mean: 8e6), .exponential(mean: 8e6, minimum: 2e6),
        .logNormal(median: 2e7, sigma: 0.5), .pareto(scale: 1e6, shape: 6),
        .erlang(stages: 3, mean: 5e6), .erlang(stages: 100, mean: 5e6),
        .hyperexponential(mean: 5e6, squaredVariation: 4),
        .empirical(EmpiricalDistribution([(2_000_000, 3), (1_000_000, 1), (7_000_000, 6)])),
    ]
    private static let continuous = laws.filter { $0.logLikelihood(of: [$0.mean]) > -.infinity }

    private static func samples(_ law: Distribution) -> [Double] {
        let stream = RandomStream(seed: 4).stream("law")
        return (0..<20_000).map { Double(law.sample(stream, at: $0)) }.sorted()
    }

    @Test(
        "Samples have the law's distribution function, by Kolmogorov and Smirnov", arguments: laws)
    func distribution(law: Distribution) {
        let samples = Self.samples(law)
        let n = Double(samples.count)
        // A value that occurs often is a step, of which the upper end is compared.
        let steps = samples.indices.filter {
            $0 + 1 == samples.count || samples[$0 + 1] > samples[$0]
        }
        let distance =
            steps.map { abs(law.share(below: samples[$0]) - Double($0 + 1) / n) }.max() ?? 1
        #expect(distance < 1.95 / n.squareRoot(), "\(law.name): \(distance)")
    }

    @Test("The density is the distribution function's slope", arguments: continuous)
    func density(law: Distribution) {
        let samples = Self.samples(law)
        for place in stride(from: 500, to: 20_000, by: 1_000) {
            let (x, step) = (samples[place], samples[place] * 1e-4)
            let slope = (law.share(below: x + step) - law.share(below: x - step)) / (2 * step)
            let density = PortableMath.exp(law.logLikelihood(of: [x]))
            #expect(abs(density / slope - 1) < 1e-4, "\(law.name) at \(x)")
        }
    }

    @Test("The sample variance lies within four standard errors of the law's", arguments: laws)
    func variance(law: Distribution) {
        let squares = Self.samples(law).map { ($0 - law.mean) * ($0 - law.mean) }
        let n = Double(squares.count)
        let mean = squares.reduce(0, +) / n
        let error = (squares.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }).squareRoot() / n
        #expect(abs(mean - law.variance) <= 4 * error + 1, "\(law.name): \(mean), \(law.variance)")
    }

    @Test("Shares are 0 and 1 for laws without a width, and 1 far beyond a mean")
    func endsOfShares() {
        for law in [Distribution.uniform(low: 5e6, high: 5e6), .logNormal(median: 5e6, sigma: 0)] {
            #expect(law.share(below: 5e6) == 1 && law.share(below: 4e6) == 0, "\(law.name)")
        }
        #expect(Distribution.erlang(stages: 100, mean: 5e6).share(below: 5e9) == 1)
    }

    @Test("A law changed by a factor and a constant has the changed mean and variance")
    func changed() {
        let law = Distribution.exponential(mean: 1_000).times(3).adding(nanoseconds: 7)
        #expect(law.mean == 3_007 && law.variance == 9_000_000)
        #expect(Distribution.normal(mean: 9, deviation: 2).variance == 4)
    }

    @Test("The text of a law is read as the same law", arguments: laws)
    func text(law: Distribution) throws {
        var problems = SettingProblems()
        let text = law.text(digits: 4)
        let format = SettingFormat<Distribution>.distribution(0...Span.hour)
        let read = format.value(of: try JSONParser.parse(Array(text.utf8)), &problems)
        #expect(problems.all.isEmpty && read == law, "\(text)")
    }

    @Test("Digits are rounded and numbers kept within their ranges when a law is written")
    func rounding() {
        #expect(
            Distribution.logNormal(median: 1_234_567, sigma: 7).text(digits: 4)
                == #"{ "logNormal": { "median": "1.235ms", "sigma": 5 } }"#)
        #expect(
            Distribution.exponential(mean: 5e9, minimum: 0.4).text(digits: 4).contains(
                #""min": "0s""#))
        #expect(
            Distribution.exponential(mean: 5e9).text(digits: 4)
                == #"{ "exponential": { "mean": "5s" } }"#)
        #expect(Distribution.rounded(1e30, digits: 4) == 31_620_000_000_000_000)
    }
}
