import SquallFormat

/// The sections on storms and retries.
extension TextSummary {
    var stormView: [String] {
        guard let storm = summary.storm, storm.promptedRefreshes + storm.unpromptedRefreshes > 0
        else {
            return []
        }
        var lines = [
            "\(Units.grouped(storm.expiries)) expiries"
                + " · \(Units.grouped(storm.promptedRefreshes)) refreshes for them"
                + each(storm.refreshesPerExpiry),
            "\(Units.grouped(storm.redundantRefreshes)) redundant"
                + " · \(Units.grouped(storm.unpromptedRefreshes)) unasked"
                + (storm.singleFlightEfficiency.map {
                    " · single-flight efficiency \(Units.percent($0))"
                } ?? ""),
            "\(Units.threeDigits(storm.peakRefreshesPerSecond)) refreshes/s at the peak"
                + (storm.peakOverMean.map { ", \(Units.threeDigits($0)) times the mean" } ?? ""),
        ]
        if storm.heldRequests > 0 {
            lines.append(
                "\(Units.grouped(storm.heldRequests)) requests held,"
                    + " \(Units.grouped(storm.heldAtOnce)) at once,"
                    + " p99 \(Units.approximate(nanoseconds: storm.heldFor.p99))")
        }
        lines += storm.signOuts.map { "\(Units.grouped($0.count)) signed out: \($0.cause)" }
        return section("Refreshes", indented(lines) + windows(storm.windows))
    }

    var retryView: [String] {
        guard let retry = summary.retry, retry.tree.attempts > 0 else { return [] }
        var table = TextTable()
        append(retry.tree, depth: 0, of: retry.tree.attempts, to: &table)
        let factors = retry.amplification.map { "\($0.layer) ×\(Units.threeDigits($0.factor))" }
        let requests = retry.requestsByAttempts.enumerated().map { index, count in
            "\(index + 1): \(Units.approximate(count: count))"
        }
        let success = retry.attempts.enumerated().compactMap { index, attempts in
            attempts.share.map { "\(index + 1): \(Units.percent($0))" }
        }
        let notes =
            [
                "amplification: " + factors.joined(separator: " · "),
                "requests by attempts: " + requests.joined(separator: " · "),
                "success by attempt: " + success.joined(separator: " · "),
                "\(Units.grouped(retry.failedRequests)) requests failed in the end"
                    + " · wasted attempts \(Units.grouped(retry.wastedAttempts))"
                    + " (\(Units.percent(retry.wastedShare ?? 0)))",
            ] + budget(retry.budget)
        return section("Causes of attempts", table.lines(width: width) + indented(notes))
    }

    private func budget(_ budget: RetryView.Budget?) -> [String] {
        guard let budget else { return [] }
        return [
            "retry budgets: \(Units.grouped(budget.granted)) of \(Units.grouped(budget.asked))"
                + " retries granted" + (budget.share.map { " (\(Units.percent($0)))" } ?? "")
        ]
    }

    var serverView: [String] {
        guard let server = summary.server, server.received > 0 else { return [] }
        let lines = [
            "\(Units.grouped(server.workers)) workers"
                + (server.utilisation.map { " busy \(Units.percent($0)) of the time" } ?? "")
                + " · line \(server.meanQueue.map(Units.threeDigits) ?? "–") on average,"
                + " \(Units.grouped(server.longestQueue)) at most"
                + " · \(Units.grouped(server.received)) requests received"
        ]
        let wait = server.wait
        let waiting = [("p50", wait.p50), ("p95", wait.p95), ("p99", wait.p99)].map {
            "\($0.0) \(Units.approximate(nanoseconds: $0.1))"
        }
        let line =
            wait.maximum > 0
            ? [
                "wait for a worker: mean \(Units.approximate(nanoseconds: wait.mean)), "
                    + waiting.joined(separator: ", ")
            ] : []
        let more = pools(server.pools) + database(server.database) + abandoned(server)
        return section("Server", indented(lines + line + more) + waits(server))
    }

    private func pools(_ pools: [ServerView.Pool]) -> [String] {
        pools.map { pool in
            "pool \(pool.words): \(pool.meanWorkers.map(Units.threeDigits) ?? "–") workers"
                + (pool.utilisation.map { " busy \(Units.percent($0)) of the time" } ?? "")
                + " · line \(pool.meanQueue.map(Units.threeDigits) ?? "–") on average,"
                + " \(Units.grouped(pool.longestQueue)) at most"
        }
    }

    private func database(_ database: ServerView.Database?) -> [String] {
        guard let database else { return [] }
        return [
            "database: \(database.meanBusy.map(Units.threeDigits) ?? "–") of"
                + " \(Units.grouped(database.connections)) connections in use"
                + " · \(database.meanQueue.map(Units.threeDigits) ?? "–")"
                + " workers wait for one on"
                + " average, \(Units.grouped(database.longestQueue)) at most"
                + " · wait mean \(Units.approximate(nanoseconds: database.wait.mean)),"
                + " p99 \(Units.approximate(nanoseconds: database.wait.p99))",
            "\(Units.grouped(database.queries)) queries read"
                + " \(Units.grouped(database.rows)) rows",
        ]
    }

    private func abandoned(_ server: ServerView) -> [String] {
        server.abandoned > 0
            ? ["\(Units.grouped(server.abandoned)) requests let go: nobody waited for them"] : []
    }

    /// Who had to wait or was turned away; nothing where a worker was always free.
    private func waits(_ server: ServerView) -> [String] {
        let busy = server.lines.filter { $0.longestQueue > 0 || $0.turnedAway > 0 }
        let rows = busy.map { line in
            [
                line.endpoint, Units.approximate(count: line.served),
                line.meanWaitNanoseconds.map(Units.approximate(nanoseconds:)) ?? "–",
                Units.approximate(nanoseconds: line.longestWaitNanoseconds),
                Units.approximate(count: line.longestQueue),
                Units.approximate(count: line.turnedAway),
            ]
        }
        return table(
            "  waiting", ["served", "mean wait", "longest", "queue", "turned away"], rows)
    }

    var triggers: [String] {
        let parts = summary.populations.count > 1 ? summary.populations : []
        let rows =
            summary.triggers.map { row(of: $0, owner: "all together") }
            + parts.flatMap { part in part.triggers.map { row(of: $0, owner: part.name) } }
        return table(
            "After faults", ["from", "until", "ok before", "at the end", "recovered"], rows)
    }

    private func row(of trigger: TriggerRow, owner: String) -> OwnedRow {
        let (start, end) = (trigger.startNanoseconds, trigger.endNanoseconds)
        return OwnedRow(
            owner: owner,
            cells: [
                trigger.name, Units.approximate(nanoseconds: start),
                end > start ? Units.approximate(nanoseconds: end) : "",
                perSecond(trigger.goodputBefore), perSecond(trigger.goodputAfter),
                trigger.recovery.words,
            ])
    }

    private func windows(_ windows: [StormWindow]) -> [String] {
        let shown = windows.prefix(5).flatMap { window in
            let text =
                "peak \(Units.approximate(nanoseconds: window.startNanoseconds))"
                + "–\(Units.approximate(nanoseconds: window.endNanoseconds)):"
                + " \(Units.grouped(window.refreshes)) refreshes,"
                + " \(Units.threeDigits(window.peakPerSecond))/s at"
                + " \(Units.approximate(nanoseconds: window.peakNanoseconds)),"
                + " \(Units.grouped(window.held)) held,"
                + " \(Units.grouped(window.signOuts)) signed out, \(window.recovery.clause)"
            return prose(text, first: "  ", rest: "    ")
        }
        let rest = windows.count - 5
        return shown + (rest > 0 ? ["  and \(Units.counted(rest, "more peak"))"] : [])
    }

    private func append(
        _ tree: CallTree, depth: Int, of whole: Int64, to table: inout TextTable
    ) {
        guard tree.attempts > 0 || depth < 2 else { return }
        table.append([
            String(repeating: "  ", count: depth) + tree.name.visible, Units.grouped(tree.attempts),
            Units.percent(Double(tree.attempts) / Double(whole)),
        ])
        for child in tree.children { append(child, depth: depth + 1, of: whole, to: &table) }
    }

    private func indented(_ lines: [String]) -> [String] {
        lines.flatMap { prose($0, first: "  ", rest: "    ") }
    }

    private func each(_ ratio: Double?) -> String {
        ratio.map { ", \(Units.threeDigits($0)) each" } ?? ""
    }

    private func perSecond(_ rate: Double?) -> String {
        rate.map { "\(Units.threeDigits($0))/s" } ?? "–"
    }
}
