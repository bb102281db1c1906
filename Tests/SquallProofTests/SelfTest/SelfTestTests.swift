import Testing

@testable import SquallProof

@Suite("Self-test")
struct SelfTestTests {
    @Test(
        "Queue, network, server and client do what theory and publications say",
        arguments: [
            "M/M/1 ρ=0.5", "M/M/10/10 a=8", "backend, M/M/1 ρ=0.8", "retries p=0.5 m=3",
            "retries p=1 m=4, 3 layers", "backoff full, n=10", "backoff decorrelated, n=10",
        ])
    func honest(model: String) throws {
        let failed = try checks(of: model).filter { !$0.ok }
        #expect(failed.isEmpty)
    }

    @Test(
        "Services that take 10 % longer than theory is told are caught",
        arguments: [
            // At ρ = 0.88 waits vary so much that a few replications could not tell.
            ("M/M/1 ρ=0.5", "W_q", 8), ("backend, M/M/1 ρ=0.8", "W", 24),
        ])
    func biased(model: String, quantity: String, replications: Int) throws {
        let failed = try checks(of: model, biasPercent: 10, replications: replications)
            .filter { !$0.ok }
        #expect(failed.map(\.quantity).contains(quantity))
    }

    @Test(
        "Runs of profiles have the waits, the line and the work of theory",
        arguments: ["run, M/M/1 ρ=0.5", "run, M/D/1 ρ=0.5"])
    func runs(model: String) throws {
        let checks = try checks(of: model, replications: 2)
        #expect(
            checks.map(\.quantity) == ["busy", "W_q", "L_q", "P(wait > p95)", "P(wait > p99)"])
        #expect(checks.allSatisfy { $0.ok })
        #expect(checks.allSatisfy { $0.standardError > 0 && $0.measured > 0 })
    }

    @Test("Little's law holds to the nanosecond, whatever the services")
    func little() throws {
        let exact = try checks(of: "M/M/1 ρ=0.5", biasPercent: 10).filter(\.isExact)
        #expect(exact.count == 2 && exact.allSatisfy { $0.ok && $0.measured > 0 })
    }

    @Test("The self-test measures the same for the same seed and something else for another")
    func seeds() throws {
        let first = try checks(of: "M/M/1 ρ=0.5")
        let again = try checks(of: "M/M/1 ρ=0.5")
        let other = try checks(of: "M/M/1 ρ=0.5", seed: 2)
        #expect(first == again && first != other)
    }

    private func checks(
        of model: String, seed: UInt64 = 1, biasPercent: Int64 = 0, replications: Int = 8
    ) throws -> [SelfTestCheck] {
        let chosen = try #require(SelfTestCase.all.first { $0.model == model })
        return try chosen.checks(
            under: SelfTestConditions(
                seed: seed, biasPercent: biasPercent, replications: replications))
    }
}

@Suite("Estimates")
struct EstimateTests {
    @Test("A mean of replications has their spread over the root of their number as its error")
    func replications() {
        let estimate = Estimate(replications: [1, 2, 3, 4])
        // The sample variance is 5/3; over four it is 5/12.
        #expect(estimate.mean == 2.5)
        #expect(abs(estimate.standardError - (5.0 / 12).squareRoot()) < 1e-15)
        #expect(estimate.deviations(from: 2.5) == 0)
    }

    @Test(
        "Deviations with an estimated error are those of the normal law's same tail",
        arguments: [
            // Two-sided tails from tables: t₃₁(0.05) and t₅(0.01) are z(0.05) and z(0.01).
            (31, 2.039_513, 1.959_964, 0.001), (5, 4.032_143, 2.575_829, 0.02),
        ])
    func studentT(freedom: Int, t: Double, normal: Double, tolerance: Double) {
        let count = freedom + 1
        // Half of the numbers at 1 and half at −1 have mean 0 and a known error.
        let estimate = Estimate(replications: (0..<count).map { $0 % 2 == 0 ? 1 : -1 })
        let found = estimate.deviations(from: -t * estimate.standardError)
        #expect(abs(found - normal) < tolerance)
    }

    @Test("An estimate without an error is close only to the exact value")
    func exact() {
        #expect(Estimate(mean: 7, standardError: 0).deviations(from: 7) == 0)
        #expect(Estimate(mean: 7, standardError: 0).deviations(from: 8) == .infinity)
    }
}
