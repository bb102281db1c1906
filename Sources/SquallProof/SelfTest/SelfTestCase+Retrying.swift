/// By how much retries multiply attempts.
extension SelfTestCase {
    static let retrying: [SelfTestCase] =
        [(0.5, 3), (0.9, 4)].map(retries) + [layered(attempts: 4, layers: 3)]

    /// One layer whose attempts fail independently: attempts and successes of a request.
    private static func retries(failureProbability: Double, attempts: Int) -> SelfTestCase {
        let theory = RetryLaw(failureProbability: failureProbability, attemptsMax: attempts)
        return SelfTestCase(model: "retries p=\(failureProbability) m=\(attempts)") { conditions in
            let requests = 500 * conditions.replications
            let count = Double(requests)
            let tally = try RetryModel(
                attemptsMax: attempts, failureProbability: failureProbability, requests: requests
            ).run(conditions.randomness)
            return [
                SelfTestCheck(
                    "E[attempts]", theory: theory.meanAttempts,
                    measured: Estimate(
                        mean: Double(tally.attempts) / count,
                        standardError: (theory.attemptVariance / count).squareRoot())),
                SelfTestCheck(
                    "P(success)", theory: theory.success,
                    measured: Estimate(
                        mean: Double(tally.successes) / count,
                        standardError: (theory.success * (1 - theory.success) / count)
                            .squareRoot())),
            ]
        }
    }

    /// Layers that all retry a server which never answers: mᵏ sends of one request.
    private static func layered(attempts: Int, layers: Int) -> SelfTestCase {
        SelfTestCase(model: "retries p=1 m=\(attempts), \(layers) layers") { conditions in
            let tally = try RetryModel(
                attemptsMax: attempts, layers: layers, failureProbability: 1, requests: 1
            ).run(conditions.randomness)
            let theory = RetryLaw.amplification(attempts: attempts, layers: layers)
            return [
                SelfTestCheck("sends", theory: Int64(theory), exactly: Int64(tally.attempts))
            ]
        }
    }
}
