import SquallApps
import SquallBackend
import SquallHTTP
import SquallReport

/// Counts the failures of steps and attempts by their reasons, and keeps the user of the first
/// failure of each kind.
///
/// It grows with the number of kinds and of running steps, never with the users or the length of a
/// run; a successful attempt costs it a comparison while no running step has a failed one.
final class FailureListener: ExchangeListener, StepListener {
    static let metrics: [Metric] = [.sessionsLost]

    private let run: MeasuredRun
    /// The first step with the same name in results: a journey that scrolls five times has five
    /// steps and one row.
    private let firstWithSameName: [Int]
    @exclusivity(unchecked) private var attempts: [Attempt: Tally] = [:]
    @exclusivity(unchecked) private var steps: [Step: Tally] = [:]
    /// The calls that failed in a running step and have not succeeded since, by user, the last one
    /// last.
    @exclusivity(unchecked) private var failures = NumberTable<[Failure]>(none: [])

    private struct Failure {
        let request: UInt32
        let endpoint: Endpoint
        let status: String
    }

    private struct Attempt: Hashable {
        let population: Int
        let endpoint: Endpoint
        let outcome: ExchangeRecord.Outcome
    }

    private struct Step: Hashable {
        let number: Int
        let outcome: String
        let endpoint, status: String
    }

    private struct Tally {
        var count: Int64 = 0
        let user: Int
        let moment: Int64
    }

    init(_ run: MeasuredRun) {
        self.run = run
        let names = run.steps.map { $0.tags() }
        let first = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
        firstWithSameName = names.map { first[$0, default: 0] }
        run.startAtZero([.sessionsLost])
    }

    func restart() { (attempts, steps) = ([:], [:]) }

    func exchangeEnded(_ exchange: EndedExchange) {
        let user = UInt64(exchange.user.number)
        let isSuccess = exchange.record.meaning == .success
        if isSuccess, !failures.contains(user) { return }
        let record = exchange.record
        let isOver = failures.change(user) { failures in
            failures.removeAll { $0.request == record.cause.request }
            // A call that outlives its step is not the next one's; a refresh is for all.
            let isOfStep = exchange.runningStep != nil || exchange.kind == .refresh
            guard !isSuccess, isOfStep else { return failures.isEmpty }
            failures.append(
                Failure(
                    request: record.cause.request, endpoint: record.endpoint,
                    status: record.outcome.name))
            return false
        }
        if isOver { failures[user] = nil }
        if isSuccess { return }
        guard record.meaning != .expired else { return }
        let attempt = Attempt(
            population: exchange.user.population, endpoint: record.endpoint,
            outcome: record.outcome)
        note(exchange.user, &attempts[attempt])
    }

    func stepEnded(_ step: EndedStep) {
        let last = failures.removeValue(forKey: UInt64(step.user.number))?.last
        guard let outcome = step.outcome, !outcome.isSuccess else { return }
        let kind = Step(
            number: firstWithSameName[step.number], outcome: outcome.label,
            endpoint: last?.endpoint.name ?? "", status: last?.status ?? "")
        note(step.user, &steps[kind])
        guard outcome == .loggedOut else { return }
        let cause = last.map { "\($0.endpoint.name) \($0.status)" } ?? "no call refused"
        let tags = run.steps[step.number].tags([.cause: cause])
        run.metrics.add(1, to: run.metrics.counter(MetricKey(.sessionsLost, tags)))
    }

    private func note(_ user: User, _ tally: inout Tally?) {
        tally = tally ?? Tally(user: user.number, moment: user.now)
        tally?.count += 1
    }

    /// The rows, by population and step or call, the most frequent reason first.
    var found: (steps: [StepFailureRow], attempts: [AttemptFailureRow]) {
        (
            steps.map { row(of: $0.key, $0.value) }.sorted { $0.order < $1.order },
            attempts.map { row(of: $0.key, $0.value) }.sorted { $0.order < $1.order }
        )
    }

    private func row(of step: Step, _ tally: Tally) -> StepFailureRow {
        let name = run.steps[step.number]
        return StepFailureRow(
            population: name.population.name, journey: name.journey, step: name.step,
            outcome: step.outcome, endpoint: step.endpoint, status: step.status,
            count: tally.count, user: Int64(tally.user), atNanoseconds: tally.moment)
    }

    private func row(of attempt: Attempt, _ tally: Tally) -> AttemptFailureRow {
        let name = attempt.endpoint.name
        let known = run.endpoints.first { $0.name == name }
        return AttemptFailureRow(
            population: run.populations[attempt.population].name, endpoint: name,
            path: known.map { "\($0.method.rawValue) \($0.path)" } ?? "",
            status: attempt.outcome.name, count: tally.count, user: Int64(tally.user),
            atNanoseconds: tally.moment)
    }
}

extension StepFailureRow {
    /// Its place in every output.
    fileprivate var order: (String, Int64, String) {
        let words = [journey, step, outcome, endpoint, status].joined(separator: "\u{1}")
        return (population, -count, words)
    }
}

extension AttemptFailureRow {
    /// Its place in every output.
    fileprivate var order: (String, Int64, String, String, Int64) {
        (population, -count, endpoint, status, atNanoseconds)
    }
}
