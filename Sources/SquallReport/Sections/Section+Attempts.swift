import SquallFormat

extension Section {
    static func retries(_ summary: RunSummary, _ run: SavedRun?) -> Section {
        let view = summary.retries.flatMap { $0.tree.attempts > 0 ? $0 : nil }
        return Section(
            "Retries",
            note: "Every attempt has one cause: a step made the call, an earlier attempt failed, or"
                + " a token was refreshed. The causes add up to all attempts.",
            absence: "No attempt was sent.", view.map(causes) ?? [], of: run
        ) { run in
            guard view != nil, let all = run.rates([.requests]),
                let first = run.rates([.firstAttempts]),
                var chart = run.chart("Attempts per call")
            else { return [] }
            let factor = zip(all, first).map { all, first in first > 0 ? all / first : 0 }
            chart.lines = [
                .init(name: "attempts per call", kind: "retry", values: factor)
            ]
            return [chart.plot.markup]
        }
    }

    private static func causes(_ view: RetryView) -> [Block] {
        let all = Double(view.tree.attempts)
        let tree = view.tree.lines().map { depth, node in
            let share = Double(node.attempts) / all
            let indent = String(repeating: "\u{a0}\u{a0}\u{a0}", count: depth)
            return [
                Column.cause(indent + node.name), Column.attempts(node.attempts),
                Column.share(share),
                Column.bar(bar: share, depth == 0 ? "fill-quiet" : "fill-retry"),
            ]
        }
        let attempts = view.attempts.enumerated().map { number, attempt in
            [
                Column.ordinal(Int64(number + 1)), Column.attemptsEnded(attempt.ended),
                Column.attemptsSucceeded(attempt.succeeded), Column.successShare(attempt.share),
            ]
        }
        let factors = view.amplification.map { "\($0.layer) ×\(Units.threeDigits($0.factor))" }
        let requests = view.requestsByAttempts.enumerated().map { index, count in
            "\(index + 1): \(Units.grouped(count))"
        }
        let budget = view.budget.map { budget in
            "retry budgets: \(Units.grouped(budget.granted)) of \(Units.grouped(budget.requested))"
                + " retries granted" + (budget.share.map { " (\(Units.percent($0)))" } ?? "")
        }
        return [
            .sentence("amplification: " + factors.joined(separator: " · ")),
            .sentence("calls by number of attempts: " + requests.joined(separator: " · ")),
            .sentence(
                "\(Units.counted(view.failedRequests, "call")) ended in an error for the app, which"
                    + " an error status is only where the app checks it ·"
                    + " \(Units.grouped(view.wastedAttempts)) attempts wasted"
                    + " (\(Units.percent(view.wastedShare ?? 0))): those of such calls, and"
                    + " redundant refreshes"), .sentence(budget ?? ""),
            .table(Table("Causes of attempts", tree)),
            .table(Table("Success by attempt, refreshes included", attempts)),
        ]
    }

    /// Unended attempts and waits for a connection only have columns if there are any.
    static func endpoints(_ summary: RunSummary, _ run: SavedRun?) -> Section {
        let rows = summary.endpoints
        let hasOpen = rows.contains { $0.responses.neverEnded > 0 }
        let hasWaits = rows.contains { $0.connectionWaitNanoseconds.maximum > 0 }
        let table = rows.map { row in
            let (responses, latency) = (row.responses, row.durationNanoseconds)
            let ended = responses.ended
            let begin = [
                Column.population(row.population), Column.endpoint(row.endpoint),
                Column.attempts.onPage(ended + responses.neverEnded), Column.ok(responses.ok),
                Column.clientErrors(responses.clientError),
                Column.serverErrors(responses.serverError),
                Column.lost(responses.noResponse), Column.repaired(responses.repaired),
            ]
            let failed = [
                Column.failedShare(Double(responses.failed) / Double(max(1, ended)))
            ]
            let wait = row.connectionWaitNanoseconds
            return begin + (hasOpen ? [Column.neverEnded(responses.neverEnded)] : []) + failed
                + latency.cells + [Column.mean(latency.mean, of: latency)]
                + (hasWaits ? [Column.wait95(wait.p95, of: wait)] : [])
        }
        return Section(
            "Endpoints",
            note: "Attempts by response, their duration, and their wait for a connection. The"
                + " charts show the endpoints with most failures, then those with most calls.",
            absence: "No endpoint was called.", [.table(Table(names: 2, table))],
            of: run
        ) { run in
            let worst = rows.ordered { left, right in
                (left.responses.failed, left.responses.ok) > (
                    right.responses.failed, right.responses.ok
                )
            }
            // The charts show the worst; the table has all.
            let charts = worst.prefix(12).compactMap { run.chart(of: $0)?.plot.markup }
            return charts.isEmpty ? [] : [Markup("div", ["class": "grid-of-charts"], charts)]
        }
    }

    static func failures(_ summary: RunSummary) -> Section {
        func first(_ user: Int64, _ moment: Int64) -> String {
            "user \(user) at \(Units.approximate(nanoseconds: moment))"
        }
        let steps = summary.stepFailures.map { row in
            [
                Column.population(row.population), Column.journey(row.journey),
                Column.step(row.step), Column.stepsFailed(row.count), Column.saw(row.outcome),
                Column.after(row.cause.isEmpty ? "no call failed" : row.cause),
                Column.first.onPage(first(row.user, row.atNanoseconds)),
            ]
        }
        let attempts = summary.attemptFailures.map { row in
            [
                Column.population(row.population), Column.endpoint(row.endpoint),
                Column.path(row.path), Column.attemptsFailed(row.count), Column.status(row.status),
                Column.first(first(row.user, row.atNanoseconds)),
            ]
        }
        let hangs = summary.hangs.named.map { hang in
            [
                Column.population(hang.population), Column.journey(hang.journey),
                Column.step(hang.step), Column.user(hang.user), Column.from(hang.startNanoseconds),
                Column.request(hang.request.isEmpty ? "none in flight" : hang.request),
                Column.lostIn(hang.lostIn),
            ]
        }
        let total = Units.grouped(summary.hangs.total)
        return Section(
            "Failures",
            note: "What users saw instead of the requested content, and the call that caused it;"
                + " failed attempts, without expired responses; and steps that never ended.",
            absence: "No step and no attempt failed, and every step ended.",
            [
                .table(Table("Why steps fail", names: 3, steps)),
                .table(Table("Why attempts fail", names: 2, attempts)),
                .table(
                    Table(
                        "Steps that never ended: \(total), of which \(hangs.count) are named",
                        names: 3, hangs
                    ).inText(rows: 5)),
            ])
    }

    static func hiddenScreens(_ summary: RunSummary) -> Section {
        let series = summary.series(of: .hiddenScreenCalls)
        let rows = summary.steps.compactMap { step -> (StepRow, Int64, Int64, each: Double?)? in
            func calls(_ cause: String) -> Int64 {
                series.filter {
                    $0.tags[.cause] == cause && $0.tags[.population] ?? "" == step.population
                        && $0.tags[.journey] == step.journey && $0.tags[.step] == step.step
                }.reduce(0) { $0 + ($1.count ?? 0) }
            }
            let (covered, replaced) = (calls("covered"), calls("replaced"))
            guard covered + replaced > 0 else { return nil }
            let each = Ratio(part: covered + replaced, whole: step.count).quotient
            return (step, covered, replaced, each)
        }
        let most = rows.compactMap(\.each).max() ?? 1
        let table = rows.map { step, covered, replaced, each in
            [
                Column.population(step.population), Column.journey(step.journey),
                Column.step(step.step), Column.covered(covered), Column.replaced(replaced),
                Column.hiddenCalls(each),
                Column.bar(bar: (each ?? 0) / max(1, most), "fill-retry"),
            ]
        }
        return Section(
            "Calls of hidden screens",
            note: "A covered screen may keep loading, and a replaced screen may stay alive and load"
                + " for ever. The user does not see the result, but the server does the work."
                + " Refreshes for such calls are included.",
            absence: "No hidden screen made a call.",
            [.table(Table(names: 3, table))])
    }
}

extension AttemptTree {
    /// The nodes from the top, with their depth; those without attempts are left out.
    func lines(depth: Int = 0) -> [(depth: Int, node: AttemptTree)] {
        guard attempts > 0 else { return [] }
        return [(depth, self)] + children.flatMap { $0.lines(depth: depth + 1) }
    }
}
