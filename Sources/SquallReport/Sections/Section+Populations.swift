import SquallFormat

extension Section {
    static func populations(_ summary: RunSummary) -> Section {
        let expired =
            summary.expiredStatuses.count == 1
            ? summary.expiredStatuses.first.map { "\($0)s" } : nil
        let rows = summary.populations.map { row in
            [
                Column.population(row.name), Column.app.onPage("\(row.app) · \(row.design)"),
                Column.users.onPage(row.users), Column.expiries(row.expiries),
                Column.refreshesPerExpiry(row.refreshesPerExpiry),
                Column.peak(row.peakRefreshesPerSecond),
                Column.expiredResponses.called(expired)(row.expiredResponses),
                Column.stepsEnded.onPage(row.steps), Column.stepsFailed(row.failedSteps),
                Column.stepsHung(row.hangs), Column.signedOut(row.sessionsLost),
                Column.wasted(row.wastedAttempts),
                Column.recovered(
                    row.recovery, leftRange: row.faults.contains(where: \.leftRange)),
            ]
        }
        return Section(
            "Populations",
            note: "One refresh per expiry is ideal. Recovered is the longest time from a fault's"
                + " end. \(Glossary.recovery)",
            absence: "The run has no users.",
            [
                .table(Table(rows).inBrief.onPage(if: rows.count == 1)),
                .table(pairs(summary.pairs)),
            ])
    }

    /// The mean difference of each quantity for the same users, with 95 % confidence.
    private static func pairs(_ pairs: [PairRow]) -> Table {
        Table(
            "The same users on another design",
            pairs.map { pair in
                [
                    Column.pair("\(pair.population) − \(pair.comparedWith)"),
                    Column.users.onPage(pair.users),
                ]
                    + pair.differences.map { $0.quantity.column($0.text, $0.mean) }
            }
        ).inBrief
    }

    static func designs(_ summary: RunSummary) -> Section {
        let populations = summary.populations
        let pairs = populations.filter { $0.design != "reference" }.compactMap { built in
            populations.first { $0.app == built.app && $0.design == "reference" }
                .map { (built, $0) }
        }
        let measures: [(Column, (PopulationRow) -> Double?)] = [
            (.refreshesPerExpiry, { $0.refreshesPerExpiry }),
            (.peak, { $0.peakRefreshesPerSecond }), (.stepsFailed, { Double($0.failedSteps) }),
            (.stepsHung, { Double($0.hangs) }), (.signedOut, { Double($0.sessionsLost) }),
            (.wasted, { Double($0.wastedAttempts) }),
        ]
        let rows = pairs.flatMap { built, reference in
            measures.compactMap { column, value -> [Cell]? in
                let (one, other) = (value(built), value(reference))
                // No row where both values are 0.
                guard max(one ?? 0, other ?? 0) > 0 else { return nil }
                return [
                    Column.population(built.name), Column.kind(column.name),
                    column(one).within(.asBuilt), bar(one ?? 0, beside: other ?? 0),
                    column(other).within(.reference), bar(other ?? 0, beside: one ?? 0),
                ]
            }
        }
        return Section(
            "As built and on the reference design",
            note: "The same app and the same mix of journeys on both designs. The longer bar is the"
                + " worse one.",
            [.table(Table(names: 2, rows).onPage())])
    }

    /// A bar in proportion to one value beside the other, coloured by which is better.
    private static func bar(_ one: Double, beside other: Double) -> Cell {
        let colour = one == other ? "fill-quiet" : one > other ? "fill-bad" : "fill-good"
        return Column.bar(bar: one / max(one, other), colour)
    }

    static func audits(_ summary: RunSummary) -> Section {
        let rows = summary.audits.map { row in
            [
                Column.population(row.population), Column.kind(row.kind), Column.found(row.count),
                Column.example(row.example),
            ]
        }
        return Section(
            "Audits",
            note: "What users see at the end, compared with the server's data: problems without a"
                + " failed call, such as lost, stale or repeated content and double charges.",
            absence: "Every screen agrees with the server's data.", [.table(Table(names: 2, rows))])
    }
}

extension PairRow.Quantity {
    fileprivate var column: Column {
        switch self {
        case .attempts: .attemptsAHead
        case .refreshes: .refreshesAHead
        case .failed: .failedAHead
        case .hung: .hungAHead
        case .waited: .waitedAHead
        }
    }
}

extension PairRow.Difference {
    /// `−1.25±0.03`; durations with their unit.
    fileprivate var text: String {
        let sign = mean < 0 ? "−" : "+"
        return sign + magnitude(mean.magnitude) + (halfWidth.map { "±" + magnitude($0) } ?? "")
    }

    private func magnitude(_ value: Double) -> String {
        quantity == .waited
            ? Units.approximate(nanoseconds: Int64(clamped: value.rounded()))
            : Units.threeDigits(value)
    }
}
