@testable import SquallAnswers
import SquallReport
import Testing

@testable import SquallProof

@Suite("The direction of a capacity")
struct CapacityDirectionTests {
    @Test("A rate is asked for with five digits, workers in whole numbers")
    func rounding() throws {
        let experiment = try QueueWorld.experiment(
            .open(rate: 3), seed: 1, duration: "100s", threshold: "p(95)<1s")
        let rate = try Variation("rate", of: experiment)
        let asked = [123_456.7, 9.876_543, 0.012_345_6, 99_999.6, 12_345].map(rate.rounded)
        #expect(asked == [123_460, 9.876_5, 0.012_346, 100_000, 12_345])
        let workers = try Variation("backend.server.workers", of: experiment)
        #expect([3.4, 3.6, 123_456.7].map(workers.rounded) == [3, 4, 123_457])
    }

    @Test(
        "A threshold is denied in words",
        arguments: [
            ("step_duration: p(95)<2s", "the p95 step duration is 2 s or more"),
            ("step_failed: rate<=1%", "the share of failed steps is above 1 %"),
            ("step_failed: rate<0.05", "the share of failed steps is 5 % or more"),
            ("steps: rate>12345", "the number of steps that ended per second is 12 345 or less"),
            (
                "step_failed: rate<0.05 after 2m",
                "the share of failed steps is 5 % or more after 2m"
            ),
            ("hangs: count==0", "the number of hangs is not 0"),
            ("steps: rate>5", "the number of steps that ended per second is 5 or less"),
            (
                "request_duration{class:read}: p(95)<1s",
                "the p95 request duration of class read is 1 s or more"
            ),
        ])
    func words(threshold: String, clause: String) {
        #expect(threshold.whenBroken == clause)
    }

    @Test("A threshold without samples is said to have none, not to be exceeded")
    func noSamples() {
        #expect(
            "step_failed: rate<1% after 10m".withoutSamples
                == "the share of failed steps has no samples (limit 1 % after 10m)")
    }

    @Test(
        "A share stands in per cent beside what was observed, and is the same threshold",
        arguments: [
            ("step_failed{app:ootd}: rate<0.05", "step_failed{app:ootd}: rate<5%"),
            ("request_failed: rate<=0.001 after 2m", "request_failed: rate<=0.1% after 2m"),
            ("step_failed: rate<5%", "step_failed: rate<5%"),
            ("steps: rate>0.5", "steps: rate>0.5"), ("hangs: count==0", "hangs: count==0"),
        ])
    func shown(threshold: String, text: String) {
        #expect(threshold.thresholdShown == text)
    }
}
