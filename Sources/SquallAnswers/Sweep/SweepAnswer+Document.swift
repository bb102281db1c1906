public import SquallFormat
import SquallReport

extension SweepAnswer {
    /// The answer as a document for readers.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Sweep", subject: profile, sentence: sentence, replayCommand: replay)
        document.question = experiment
        document.remarks = remarks
        document.facts = [
            ("points", "\(points.count)"), ("replications per point", "\(replications)"),
            ("requests, with warm-up", Units.grouped(requests)),
        ]
        document.sections = [
            axes.count == 2 ? mapSection : chartSection,
            Section(
                "Points", note: "Means over the replications that have the figure.",
                [.table(table)]),
        ]
        return document
    }

    /// Every place as CSV, with all numbers exact, in separate columns with their units.
    public var csv: String {
        let units = figures.indices.map { figure in
            points.lazy.compactMap { $0.figures[figure].unit }.first
        }
        let heads =
            axes.map { $0.isDuration ? "\($0.name)_ns" : $0.name }
            + figures.indices.flatMap { figure -> [String] in
                let name = figures[figure] + (units[figure].map { " [\($0.rawValue)]" } ?? "")
                return [name, "\(name) low", "\(name) high", "\(figures[figure]) ok"]
            } + ["thresholds broken", "thresholds undecided"]
            + (hasClosedForm ? ["closed form [perSecond]"] : [])
        let rows = points.map { point -> [Cell] in
            point.values.map { Cell.exact($0) }
                + point.figures.flatMap { value in
                    [
                        .exact(value.estimate?.value), .exact(value.estimate?.low),
                        .exact(value.estimate?.high), .init(value.isGood.map { "\($0)" } ?? ""),
                    ]
                } + [.init("\(point.broken.count)"), .init("\(point.undecided.count)")]
                + (hasClosedForm ? [.exact(point.expectedRefreshPeak)] : [])
        }
        return Table.csv(heads, rows)
    }

    private var sentence: String {
        let grid = axes.map { axis in
            "\(axis.name.lastPathWords) \(axis.texts.first ?? "")…\(axis.texts.last ?? "")"
        }.joined(separator: " × ")
        let place = figures.firstIndex(of: Sweep.recovery)
        let judged = place.map { index in points.filter { $0.figures[index].isGood != nil } } ?? []
        guard let place, !judged.isEmpty else {
            return recommendation ?? "\(grid): \(extremes)"
        }
        let lost = judged.filter { $0.figures[place].isGood == false }
        guard !lost.isEmpty else {
            return "\(grid): the system recovers from the fault at every point."
        }
        return "\(grid): at \(lost.count) of \(judged.count) points the system does not recover"
            + " from the fault\(edge(place))."
    }

    /// Says where the first figure is lowest and highest.
    private var extremes: String {
        let known = points.filter { $0.figures[0].estimate != nil }
        func value(_ point: Point) -> Double { point.figures[0].estimate?.value ?? 0 }
        guard let low = known.min(by: { value($0) < value($1) }),
            let high = known.max(by: { value($0) < value($1) })
        else { return "\(KeyMetrics.words(figures[0])) was not measured at any point." }
        guard value(low) < value(high) else {
            return "\(KeyMetrics.words(figures[0])) is \(low.figures[0].text) at every point."
        }
        return
            "\(KeyMetrics.words(figures[0])) goes from \(low.figures[0].text) at \(name(of: low))"
            + " to \(high.figures[0].text) at \(name(of: high))."
    }

    /// Recommends a value, with the reason; `nil` where nothing is expected, or all values are
    /// equally good.
    private var recommendation: String? {
        guard axes.count == 1, !thresholds.isEmpty else { return nil }
        return SweepChoice(of: self).sentence
    }

    /// The least place at which a run does not recover.
    private func edge(_ figure: Int) -> String {
        let first = points.first { $0.figures[figure].isGood == false }
        return first.map { ", first at \(name(of: $0))" } ?? ""
    }

    private func name(of point: Point) -> String {
        zip(axes, point.values).map { axis, value in
            "\(axis.name.lastPathWords) \(axis.text(value))"
        }.joined(separator: ", ")
    }

    private var remarks: [String] {
        let form =
            "The closed form of the refresh peak is N / max(w, j), for N users with tokens that"
            + " were issued evenly within w and expire up to j early. It applies only to closed"
            + " loads that arrive with fresh tokens within less than their lifetime, and pause"
            + " for a third of that peak's length at most; the busiest second has more at random."
        let range =
            isWithoutEffect
            ? [
                "No metric differs between the points: vary"
                    + " \(axes.map(\.name).joined(separator: " and ")) further, or use a longer run"
                    + " (--for)."
            ]
            : recommendation == nil
                ? [] : [extremes.sentenceCase]
        return range + (hasClosedForm ? [form] : []) + (drawsFitted ? [String.drawnOfOne] : []) + [
            measurementWindow
        ]
    }

    /// True if every point has the same figures.
    private var isWithoutEffect: Bool {
        points.count > 1 && points.allSatisfy { hasFigures($0, of: points[0]) }
    }

    private func hasFigures(_ point: Point, of other: Point) -> Bool {
        zip(point.figures, other.figures).allSatisfy { own, other in
            own.text == other.text && own.estimate?.value == other.estimate?.value
        }
            && point.broken == other.broken && point.undecided == other.undecided
            && point.expectedRefreshPeak == other.expectedRefreshPeak
    }

    private var hasClosedForm: Bool {
        figures.contains("refresh_rate max") && points.contains { $0.expectedRefreshPeak != nil }
    }

    private var table: Table {
        Table(
            names: axes.count,
            axes.map { Column($0.name, .number) }
                + figures.flatMap { [Column($0, .number), .interval] }
                + (thresholds.isEmpty ? [] : [.expectations])
                + (hasClosedForm ? [.closedForm] : []),
            rows.map { point, last in
                zip(axes, zip(point.values, last.values)).map { axis, ends in
                    ends.0 == ends.1
                        ? Cell(axis.text(ends.0), ends.0)
                        : Cell("\(axis.text(ends.0))…\(axis.text(ends.1))", ends.0)
                }
                    + point.figures.flatMap(cells) + (thresholds.isEmpty ? [] : [kept(point)])
                    + (hasClosedForm
                        ? [.number(point.expectedRefreshPeak, NumberUnit.perSecond.text)] : [])
            })
    }

    /// The points, each with the last of those after it that have the same figures; with two
    /// settings every point is a row.
    private var rows: [(point: Point, last: Point)] {
        points.reduce(into: []) { rows, point in
            if axes.count == 1, let last = rows.last, hasFigures(point, of: last.point) {
                rows[rows.count - 1].last = point
            } else {
                rows.append((point, point))
            }
        }
    }

    private func kept(_ point: Point) -> Cell {
        func names(_ thresholds: [Int], _ unmeasured: [Int] = []) -> String {
            thresholds.map { index in
                self.thresholds[index]
                    .thresholdShown(isMeasured: !unmeasured.contains(index))
            }.joined(separator: ", ")
        }
        guard point.broken.isEmpty else {
            return .init(names(point.broken, point.unmeasured), isGood: false)
        }
        return point.undecided.isEmpty
            ? .init("all hold", isGood: true)
            : .init("too close to the limit: \(names(point.undecided))")
    }

    private func cells(_ value: Value) -> [Cell] {
        let number = value.isGood == nil ? value.estimate?.value : nil
        let interval = value.estimate.flatMap { estimate in
            value.unit.map { Cell($0.text(estimate)) }
        }
        return [.init(value.text, number, isGood: value.isGood), interval ?? .none]
    }

    private var mapSection: Section {
        let (rows, columns) = (axes[0], axes[1])
        let maps = figures.indices.map { figure -> Block in
            let values = points.compactMap { $0.figures[figure].estimate?.value }
            let highest = values.max() ?? 0
            let cells = rows.values.indices.map { row in
                columns.values.indices.map { column -> AnswerMap.Cell in
                    let value = points[row * columns.values.count + column].figures[figure]
                    let share = highest > 0 ? (value.estimate?.value ?? highest) / highest : 0
                    return AnswerMap.Cell(
                        value.text, shade: value.isGood == nil ? share : 0.5,
                        isGood: value.isGood)
                }
            }
            return .picture(
                AnswerMap(
                    figures[figure], columns: (columns.name, columns.texts),
                    rows: (rows.name, rows.texts), cells: cells))
        }
        return Section("Map", maps)
    }

    private var chartSection: Section {
        let axis = axes[0]
        let charts = figures.indices.compactMap { figure -> Block? in
            let points = points.compactMap { point in
                point.figures[figure].estimate.map {
                    AnswerChart.Series.Point(point.values[0], $0.value, low: $0.low, high: $0.high)
                }
            }
            guard points.count > 1,
                let unit = self.points.lazy.compactMap({ $0.figures[figure].unit }).first
            else { return nil }
            var series = [AnswerChart.Series(figures[figure], points)]
            let expected = self.points.compactMap { point in
                point.expectedRefreshPeak.map {
                    AnswerChart.Series.Point(point.values[0], $0)
                }
            }
            if figures[figure] == "refresh_rate max", !expected.isEmpty {
                series.append(.init("closed form", expected))
            }
            let across = AnswerChart.Scale(axis.name, of: axis.values) { axis.text($0) }
            return .picture(
                AnswerChart(figures[figure], over: across, up: unit.scale, series)
                    .held(figures[figure], against: thresholds))
        }
        return Section(
            "Against \(axis.name)", note: "Bars are 95 % intervals; a broken line is a limit.",
            charts)
    }
}
