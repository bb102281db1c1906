public import SquallFormat
import SquallReport

extension Trend {
    /// The releases as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Trend", subject: subject,
            sentence: sentence, replayCommand: replay)
        document.facts = [("releases", "\(releases.count), in the order of \(order)")]
        document.verdict = .init(passes)
        document.remarks = gates.map(\.text) + unmeasured + askedOtherwise + power
        document.sections = [
            Section(
                "Releases",
                note:
                    "Each metric by release, with its change from the release before; means where a"
                    + " release has replications. ✓ and ✗ mark what became better or worse, and ◆"
                    + " what else differs, with the last release: at most 5 % of pages without any"
                    + " difference show one.",
                [.table(table)])
        ]
        let charts = rows.compactMap(chart)
        if !charts.isEmpty {
            document.sections.append(Section("Release by release", charts))
        }
        if !assumed.isEmpty { document.sections.append(.assumed(assumed)) }
        return document
    }

    /// Says what the last release changed.
    private var sentence: String {
        let tested = rows.filter { ($0.last?.pairs ?? 0) >= ComparisonAnswer.seedsMin }
        guard let last = releases.last, !tested.isEmpty else {
            return "No test for a difference was made: of single runs it takes three releases, of"
                + " releases with squall run --replications 5 two that share seeds."
        }
        let distinct = tested.filter { $0.last?.isTold ?? false }
            .ordered { ($0.last?.effect ?? 0) > ($1.last?.effect ?? 0) }
        guard !distinct.isEmpty else {
            return "No significant difference between \(last.name) and \(before(tested))."
        }
        let texts = distinct.compactMap { row in row.last.map { "\(of(row))\($0.clause)" } }
        return "With \(last.name), beside \(before(distinct)), \(texts.joined(separator: ", "))."
    }

    /// The releases that the last one was compared with.
    private func before(_ rows: [Row]) -> String {
        let isOfOne = rows.contains { ($0.numbers.last?.count ?? 0) == 1 }
        let earlier = releases.dropLast().map(\.name)
        return isOfOne && earlier.count > 1
            ? "the \(earlier.count) releases before it" : earlier.last ?? "no other"
    }

    /// The differences that would have been found.
    private var power: [String] {
        let sizes = rows.compactMap { row in
            row.last?.detectableText.map { "\(title(row)) \($0)" }
        }
        return sizes.isEmpty
            ? []
            : [
                "Smallest change of the last release that is found in 80 of 100 cases:"
                    + " \(sizes.joined(separator: ", ")). Replications of each release with the"
                    + " same seeds find smaller ones: squall run --replications 5."
            ]
    }

    /// The profile where there is one, with the releases from the first to the last.
    private var subject: String {
        let profiles = Set(rows.map(\.profile))
        let of = profiles.count == 1 ? "\(profiles.first ?? ""), " : ""
        let names = releases.map(\.name)
        guard let first = names.first, let last = names.last, names.count > 1 else {
            return of + "1 release: \(names.first ?? "")"
        }
        return of + "\(names.count) releases: \(first)…\(last)"
    }

    /// The profile of a figure, where there are several profiles.
    private func of(_ row: Row) -> String {
        Set(rows.map(\.profile)).count == 1 ? "" : "\(row.profile): "
    }

    private func title(_ row: Row) -> String { of(row) + KeyMetrics.title(row.name) }

    private var table: Table {
        Table(
            [.release] + rows.flatMap { [Column(title($0), .number), .change] },
            releases.indices.map { release in
                [.init(releases[release].name)] + rows.flatMap { cells($0, release) }
            })
    }

    private func cells(_ row: Row, _ release: Int) -> [Cell] {
        guard let value = row.values[release] else { return [.none, .none] }
        let isTold = release == releases.count - 1 && row.last?.isTold ?? false
        let mark = isTold && row.isBetter == nil ? "◆ " : ""
        let shown = ShownChanges(row.unit, between: row.values.compactMap(\.self))
        let cell = Cell(mark + shown.text(value), value)
        guard let was = row.values[..<release].last(where: { $0 != nil }) ?? nil else {
            return [cell, .none]
        }
        let text = shown.change(from: was, to: value)
        guard text != row.unit.difference(0) else { return [cell, .init("same")] }
        let sign = value > was ? "+" : ""
        return [cell, .init(sign + text, isGood: isTold ? row.isBetter : nil)]
    }

    private func chart(_ row: Row) -> Block? {
        let line = AnswerChart.Series(title(row), numbered: row.values)
        guard line.points.count > 1 else { return nil }
        let names = releases.map(\.name)
        let across = AnswerChart.Scale(
            "release", of: names.indices.map { Double($0 + 1) }, isOrdinal: true
        ) {
            names[Int($0) - 1]
        }
        var chart = AnswerChart(title(row), over: across, up: row.unit.scale, [line])
        if row.last?.isTold ?? false {
            chart.marks = [(Double(names.count), nil, names.last ?? "")]
        }
        return .picture(chart)
    }

    /// The releases as CSV, with all numbers exact.
    public var csv: String {
        let heads = ["release"] + rows.map { "\($0.profile): \($0.name) [\($0.unit.rawValue)]" }
        return Table.csv(
            heads,
            releases.indices.map { release in
                [.init(releases[release].name)]
                    + rows.map { .exact($0.values[release]) }
            })
    }
}

extension Trend {
    /// The values that were neither measured nor given, and on which some release's figures rest.
    var assumed: [AssumedRow] { .united(releases.flatMap(\.assumed)) }

    /// The releases that rest on them; others have values that were measured or given.
    var unmeasured: [String] {
        guard let warning = assumed.warning else { return [] }
        let resting = releases.filter { $0.assumed.joined().contains { $0.isDecisive } }
        guard resting.count < releases.count else { return [warning] }
        let names = resting.map(\.name).joined(separator: ", ")
        return [warning + " So it is with \(names), not with the others."]
    }

    /// The releases with another experiment than the one before, so that their figures differ for
    /// that reason.
    var askedOtherwise: [String] {
        var last: [String: RunSummary] = [:]
        return releases.flatMap { release in
            release.runs.compactMap { run in
                defer { last[run.profile] = run }
                let parts = last[run.profile].map { run.askedOtherwise(than: $0) } ?? []
                guard !parts.isEmpty else { return nil }
                let list = parts.joined(separator: "; ")
                return "Release \(release.name) ran another experiment of \(run.profile) than the"
                    + " release before it, so its figures differ for that reason, too: \(list)."
            }
        }
    }
}

extension Trend.Release {
    /// The assumed values of each of its results.
    fileprivate var assumed: [[AssumedRow]] {
        runs.map(\.assumed)
            + (replications.map(\.assumed) + capacities.map(\.assumed))
            .compactMap(\.self)
    }
}
