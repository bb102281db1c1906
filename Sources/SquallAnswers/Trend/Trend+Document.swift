public import SquallFormat
import SquallLab
import SquallReport

extension Trend {
    /// The releases as people read them.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Trend", subject: subject,
            sentence: sentence, replayCommand: replay)
        document.facts = [("releases", "\(releases.count)")]
        document.remarks = unmeasured + askedOtherwise + power
        document.sections = [
            Section(
                "Releases",
                note:
                    "Each metric by release, with its change from the release before; means where a"
                    + " release has replications. ◆ marks a change point, by a permutation test:"
                    + " at most 5 % of pages without any change show one.",
                [.table(table)])
        ]
        let charts = rows.compactMap(chart)
        if !charts.isEmpty {
            document.sections.append(Section("Release by release", charts))
        }
        if !assumed.isEmpty { document.sections.append(.assumed(assumed)) }
        return document
    }

    /// What changed last, and in which release.
    private var sentence: String {
        let changes = rows.flatMap { row in row.changes.map { (row: row, place: $0) } }
        guard !changes.isEmpty else {
            let count = Units.counted(releases.count, "release")
            guard rows.contains(where: \.isTestable) else {
                return "No test for a change was made: it takes \(Self.numbersMin) releases of"
                    + " one run each, got \(releases.count). With squall run --replications 5, 2"
                    + " releases are enough."
            }
            return "No change detected in \(count)."
        }
        let last = changes.map(\.place).max() ?? 0
        let texts = changes.filter { $0.place == last }.map { row, _ in
            let was = row.values[..<last].last { $0 != nil } ?? nil
            return "\(of(row))\(KeyMetrics.words(row.name)) went from"
                + " \(was.map(row.unit.text) ?? "–") to"
                + " \(row.values[last].map(row.unit.text) ?? "–")"
        }
        let more = changes.count - texts.count
        return "With \(releases[last].name) \(texts.joined(separator: ", "))."
            + (more > 0 ? " \(Units.counted(more, "earlier change"))." : "")
    }

    /// What could have been found with so many releases and replications.
    private var power: [String] {
        let found = rows.filter(\.isTestable).compactMap { row in
            row.detectable.map { (row: row, difference: $0) }
        }
        // Where all releases of a level agree exactly, any change is found.
        let sizes = found.filter { $0.difference > 0 }.map { row, difference in
            "\(title(row)) \(row.unit.difference(difference))"
        }
        let halves =
            sizes.isEmpty
            ? ""
            : "Smallest change between two halves of the releases that is detected half of the"
                + " time: \(sizes.joined(separator: ", ")). "
        guard !found.isEmpty else { return [] }
        return [
            halves
                + "To detect a change in the newest release alone, run each release with squall run"
                + " --replications 5; of single runs it takes forty releases."
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
        let mark = row.changes.contains(release) ? "◆ " : ""
        let cell = Cell(mark + row.unit.text(value), value)
        guard let was = row.values[..<release].last(where: { $0 != nil }) ?? nil else {
            return [cell, .none]
        }
        guard was != value else { return [cell, .init("same")] }
        let sign = value > was ? "+" : ""
        let isBetter = row.lessIsBetter.map { (value < was) == $0 }
        let text = sign + row.unit.difference(value - was)
        return [cell, row.changes.contains(release) ? .init(text, isGood: isBetter) : .init(text)]
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
        chart.marks = row.changes.map { (Double($0 + 1), nil, names[$0]) }
        return .picture(chart)
    }

    /// All numbers exact.
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

    /// Which releases rest on them; others have values that were measured or given.
    var unmeasured: [String] {
        guard let warning = assumed.warning else { return [] }
        let resting = releases.filter { $0.assumed.joined().contains { $0.isDecisive } }
        guard resting.count < releases.count else { return [warning] }
        let names = resting.map(\.name).joined(separator: ", ")
        return [warning + " So it is with \(names), not with the others."]
    }

    /// Where a release was asked something else than the one before, so that its figures differ for
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
