import SquallKernel
import Testing

@testable import SquallProof

/// The expected numbers were computed apart from this package, for a mean service of 100 ms.
@Suite("Queueing theory")
struct TheoryTests {
    @Test(
        "M/M/c agrees with the tabulated probabilities, waits and quantiles",
        arguments: [
            MMcRow(1, 5, 0.5, 100, 0.5, 460.517, 782.405),
            MMcRow(1, 8, 0.8, 400, 3.2, 1_386.294, 2_191.013),
            MMcRow(1, 9, 0.9, 900, 8.1, 2_890.372, 4_499.810),
            MMcRow(2, 16, 0.711111, 177.7778, 2.84444, 663.701, 1_066.061),
            MMcRow(4, 32, 0.596432, 74.5541, 2.38573, 309.868, 511.048),
            MMcRow(10, 80, 0.409180, 20.4590, 1.63672, 105.107, 185.579),
            MMcRow(10, 90, 0.668732, 66.8732, 6.01858, 259.336, 420.280),
            MMcRow(50, 450, 0.363864, 7.2773, 3.27478, 39.695, 71.884),
            MMcRow(100, 950, 0.506457, 10.1291, 9.62268, 46.308, 78.497),
        ])
    func stations(row: MMcRow) {
        let station = ServiceStation(
            workers: row.workers, arrivalRate: row.arrivalRate, serviceRate: 10)
        #expect(abs(station.waitProbability - row.waitProbability) < 1e-6)
        #expect(abs(station.meanWait * 1_000 - row.meanWait) < 1e-4)
        #expect(abs(station.meanQueueLength - row.queueLength) < 1e-5)
        #expect(abs(station.wait(exceededBy: 0.05) * 1_000 - row.p95) < 1e-3)
        #expect(abs(station.wait(exceededBy: 0.01) * 1_000 - row.p99) < 1e-3)
        #expect(abs(station.waitExceeds(row.p95 / 1_000) - 0.05) < 1e-6)
    }

    @Test(
        "Loss systems agree with Erlang's table",
        arguments: [(1, 0.5, 0.333333), (10, 8, 0.121661), (100, 90, 0.026957), (100, 100, 0.0757)])
    func loss(workers: Int, load: Double, expected: Double) {
        #expect(abs(Erlang.loss(workers: workers, offeredLoad: load) - expected) < 1e-6)
    }

    @Test(
        "The wait before one worker grows with the service's variation",
        arguments: [(0, 0.2), (0.25, 0.25), (1, 0.4), (4, 1)] as [(Double, Double)])
    func pollaczekKhinchine(squaredVariation: Double, seconds: Double) {
        let wait = PollaczekKhinchine.meanWait(
            arrivalRate: 8, meanService: 0.1, squaredVariation: squaredVariation)
        #expect(abs(wait - seconds) < 1e-12)
    }

    @Test(
        "Waits before a constant service are distributed as Erlang's alternating sum has it",
        arguments: [0.3, 0.5, 0.8], [0.0, 0.05, 0.1, 0.15, 0.37, 0.62, 0.95])
    func constantWaits(load: Double, time: Double) {
        let station = ConstantStation(arrivalRate: load * 10, service: 0.1)
        // P(W ≤ t) = (1 − ρ) Σ e^{−λ(kD − t)} (λ(kD − t))ᵏ / k! for kD ≤ t (Erlang 1909).
        let sum = (0...Int(time / 0.1 + 1e-9)).reduce(0.0) { sum, k in
            let exponent = load * 10 * (Double(k) * 0.1 - time)
            let term = (1...max(1, k)).reduce(1.0) { $0 * (k == 0 ? 1 : exponent / Double($1)) }
            return sum + term * PortableMath.exp(-exponent)
        }
        #expect(abs(station.waitExceeds(time) - (1 - (1 - load) * sum)) < 1e-9)
    }

    @Test("The mean of a constant service's waits is Pollaczek and Khinchine's", arguments: [5, 8])
    func constantMean(arrivalRate: Double) {
        let station = ConstantStation(arrivalRate: arrivalRate, service: 0.1)
        let area = (0..<20_000).reduce(0.0) {
            $0 + station.waitExceeds((Double($1) + 0.5) * 1e-3 / 4) * 1e-3 / 4
        }
        #expect(abs(area / station.meanWait - 1) < 1e-4)
    }

    @Test(
        "Waits of closed systems have the mean that the response time law leaves for them",
        arguments: [(10, 1), (100, 1), (60, 3)])
    func closedWaits(users: Int, workers: Int) {
        let station = ClosedStation(
            users: users, workers: workers, meanThinking: 5, meanService: 0.05)
        let step = 2e-3
        let area = (0..<2_000).reduce(0.0) {
            $0 + station.waitExceeds((Double($1) + 0.5) * step) * step
        }
        #expect(abs(area - (station.meanResponse - 0.05)) < 1e-5)
    }

    @Test(
        "Closed systems agree with the tabulated throughputs and response times",
        arguments: [
            (10, 1, 1.97831, 54.830), (100, 1, 18.48599, 409.5017), (200, 1, 20, 5_000),
            (1_000, 8, 160, 1_250), (2_000, 8, 160, 7_500),
        ])
    func closed(users: Int, workers: Int, throughput: Double, response: Double) {
        let station = ClosedStation(
            users: users, workers: workers, meanThinking: 5, meanService: 0.05)
        #expect(abs(station.throughput - throughput) < 1e-5)
        #expect(abs(station.meanResponse * 1_000 - response) < 1e-3 * response / 50)
    }

    @Test(
        "Daley's variance is that of long M/M/1 runs, in squared mean services",
        arguments: [(0.5, 29.0, 30.3), (0.8, 1_976, 2_044), (0.9, 35_901, 36_589)])
    func daley(load: Double, formula: Double, simulated: Double) {
        let station = ServiceStation(workers: 1, arrivalRate: load, serviceRate: 1)
        #expect(abs(station.varianceOfMeanWaits - formula) < 1)
        #expect(abs(station.varianceOfMeanWaits / simulated - 1) < 0.05)
    }

    @Test(
        "Retries multiply attempts as the geometric law says",
        arguments: [(0.5, 3, 1.75, 0.875), (0.9, 4, 3.439, 0.3439), (1, 4, 4, 0)])
    func retries(failure: Double, limit: Int, attempts: Double, success: Double) {
        let law = RetryLaw(failureProbability: failure, attemptsMax: limit)
        #expect(abs(law.meanAttempts - attempts) < 1e-12)
        #expect(abs(law.success - success) < 1e-12)
    }

    @Test("Attempts vary as their distribution says, and layers multiply")
    func variance() {
        // p = ½, m = 3: one, two and three attempts with ½, ¼ and ¼; E[A²] = ½ + 1 + 9/4 = 3.75.
        let law = RetryLaw(failureProbability: 0.5, attemptsMax: 3)
        #expect(abs(law.attemptVariance - (3.75 - 1.75 * 1.75)) < 1e-12)
        #expect(RetryLaw.amplification(attempts: 4, layers: 3) == 64)
    }
}

/// A line of the table: milliseconds, and arrivals a second.
struct MMcRow: Sendable, CustomTestStringConvertible {
    let workers: Int
    let arrivalRate, waitProbability, meanWait, queueLength, p95, p99: Double

    init(
        _ workers: Int, _ arrivalRate: Double, _ waitProbability: Double, _ meanWait: Double,
        _ queueLength: Double, _ p95: Double, _ p99: Double
    ) {
        self.workers = workers
        self.arrivalRate = arrivalRate
        self.waitProbability = waitProbability
        self.meanWait = meanWait
        self.queueLength = queueLength
        self.p95 = p95
        self.p99 = p99
    }

    var testDescription: String { "\(workers) workers, \(arrivalRate) a second" }
}
