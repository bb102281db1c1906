import SquallFormat

/// The effects of expired tokens and of faults.
extension Section {
    static func tokens(_ summary: RunSummary, _ run: SavedRun?) -> Section {
        let isEmpty = summary.expiredSteps.isEmpty && summary.expiries.isEmpty
        return Section(
            "Token refresh",
            note: "A step that begins with an expired token needs one refresh, however many calls"
                + " it makes. Vertical lines mark faults that affect tokens.",
            absence: "No token expired in this run.",
            isEmpty
                ? []
                : (summary.refreshes?.sentences(summary.expiries) ?? []).map { .sentence($0) } + [
                    .table(peaks(summary.refreshes?.peaks ?? [])),
                    .table(peaks(of: summary.populations)),
                    .table(expiredSteps(summary.expiredSteps)),
                    .table(expiries(summary.expiries)),
                ], of: run
        ) { run in
            guard !isEmpty else { return [] }
            let chart = run.chart(
                "Expired responses and refreshes per second",
                lines: [
                    ChartColumn(.expired, label: "expired responses", kind: "retry"),
                    ChartColumn(.refreshes, label: "refreshes", kind: "refresh"),
                ])
            return [chart?.plot.markup].compactMap(\.self)
        }
    }

    private static func peaks(_ peaks: [RefreshPeak]) -> Table {
        Table(
            "Peaks of refreshes, as the server saw them",
            peaks.map { peak in
                [
                    Column.from(peak.startNanoseconds), Column.peakAt(peak.peakNanoseconds),
                    Column.until(peak.endNanoseconds), Column.peakRefreshes(peak.refreshes),
                    Column.peak(peak.peakPerSecond), Column.held(peak.held),
                    Column.signedOut(peak.sessionsLost), Column.recovered(peak.recovery),
                ]
            }
        ).inText(rows: 5)
    }

    /// The peaks of each population, where there are several populations.
    private static func peaks(of populations: [PopulationRow]) -> Table {
        let rows = populations.flatMap { population in
            population.peaks.map { peak in
                [
                    Column.population(population.name), Column.from(peak.startNanoseconds),
                    Column.until(peak.endNanoseconds), Column.peakRefreshes(peak.refreshes),
                    Column.peak(peak.peakPerSecond), Column.recovered(peak.recovery),
                ]
            }
        }
        return Table("Peaks of each population", populations.count > 1 ? rows : []).onPage()
    }

    private static func expiredSteps(_ rows: [ExpiredStepRow]) -> Table {
        let worst = rows.compactMap(\.refreshesPerExpiredStep).max() ?? 1
        return Table(
            "Steps that got an expired response or refreshed", names: 3,
            rows.map { row in
                let each = row.refreshesPerExpiredStep
                return [
                    Column.population(row.population), Column.journey(row.journey),
                    Column.step(row.step), Column.expiredSteps(row.expiredSteps),
                    Column.refreshes(row.refreshes), Column.refreshesPerStep(each),
                    Column.bar(bar: (each ?? 0) / max(1, worst), "fill-refresh"),
                    Column.retries(row.retries),
                    Column.signedOut(row.sessionsLost),
                ]
            }
        ).inBrief
    }

    private static func expiries(_ rows: [ExpiryRow]) -> Table {
        Table(
            "Endpoints by expired responses", names: 2,
            rows.map { row in
                [
                    Column.population(row.population), Column.endpoint(row.endpoint),
                    Column.expiredResponses(row.expiredResponses), Column.refreshes(row.refreshes),
                    row.neverRefreshes
                        ? Column.remark("never refreshes", isGood: false) : Column.remark(""),
                ]
            })
    }

    static func faults(_ summary: RunSummary) -> Section {
        func cells(_ owner: String, _ fault: FaultRow) -> [Cell] {
            let isOver = fault.endNanoseconds > fault.startNanoseconds
            return [
                Column.population(owner), Column.fault(fault.name),
                Column.from(fault.startNanoseconds),
                isOver ? Column.until(fault.endNanoseconds) : Column.until(""),
                Column.before(fault.goodputBefore), Column.fewest(fault.goodputLowest),
                Column.atTheEnd(fault.goodputAfter), Column.backlog(fault.backlog?.largest),
                Column.longestWait(fault.backlog?.longestWaitNanoseconds),
                Column.recovered(fault.recovery, leftRange: fault.leftRange),
            ]
        }
        let parts = summary.populations.count > 1 ? summary.populations : []
        let rows =
            summary.faults.map { cells("all together", $0) }
            + parts.flatMap { part in part.faults.map { cells(part.name, $0) } }
        return Section(
            "Faults",
            note: "Injected faults of the server, the network or the tokens; shaded in every chart"
                + " over time. Recovered is the time from the fault's end. \(Glossary.recovery)",
            absence: "No fault was injected.", [.table(Table(names: 2, rows).inBrief)])
    }
}

extension RefreshView {
    /// The effects of expiring tokens over all users, in sentences; empty without a refresh.
    fileprivate func sentences(_ expired: [ExpiryRow]) -> [String] {
        guard counts.promptedRefreshes + counts.unpromptedRefreshes > 0 else { return [] }
        let each = refreshesPerExpiry.map { ", \(Units.threeDigits($0)) each" } ?? ""
        let efficiency = singleFlightEfficiency.map {
            " · single-flight efficiency \(Units.percent($0)) (refreshes that were not redundant)"
        }
        let never = expired.filter(\.neverRefreshes).reduce(0) { $0 + $1.expiredResponses }
        let ignored = never > 0 ? "; no refresh followed \(Units.grouped(never)) of them" : ""
        let peak = peakOverMean.map { ", \(Units.threeDigits($0)) times the mean" } ?? ""
        return [
            "\(Units.counted(counts.expiries, "expiry"))"
                + " · \(Units.counted(counts.promptedRefreshes, "refresh")) for them\(each)",
            "\(Units.grouped(counts.redundantRefreshes)) redundant"
                + " · \(Units.grouped(counts.unpromptedRefreshes)) unprompted\(efficiency ?? "")",
            "\(Units.threeDigits(peakRefreshesPerSecond)) refreshes/s at the peak\(peak)",
            held.requests == 0
                ? ""
                : "\(Units.grouped(held.requests)) calls were refused with an expired token, up to"
                    + " \(Units.grouped(held.maxConcurrent)) of them at once\(ignored), p99 wait"
                    + " \(Units.approximate(nanoseconds: held.waitNanoseconds.p99))",
        ] + sessionsLost.map { "\(Units.counted($0.count, "session")) lost: \($0.cause)" }
    }
}
