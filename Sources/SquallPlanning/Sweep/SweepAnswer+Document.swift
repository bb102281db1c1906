public import SquallDocument
import SquallFormat
import SquallReport

extension SweepAnswer {
    /// The answer as people read it.
    public var document: AnswerDocument {
        var document = AnswerDocument(
            kind: "Sweep", subject: profile, sentence: sentence, replayCommand: replay)
        document.question = question
        document.remarks = remarks
        document.facts = [
            ("places", "\(points.count)"), ("replications at each", "\(replications)"),
            ("requests", Units.grouped(requests)),
        ]
        document.sections = [
            axes.count == 2 ? mapSection : chartSection,
            Section(
                "Points", note: "Means over the replications that have the figure.",
                [.table(table)]),
        ]
        return document
    }

    /// Every place with every number exact, in columns of their own with their units.
    public var csv: String {
        let units = figures.indices.map { figure in
            points.lazy.compactMap { $0.figures[figure].unit }.first
        }
        let heads =
            axes.map { $0.isDuration ? "\($0.name)_ns" : $0.name }
            + figures.indices.flatMap { figure -> [String] in
                let name = figures[figure] + (units[figure].map { " [\($0.rawValue)]" } ?? "")
                return [name, "\(name) low", "\(name) high", "\(figures[figure]) ok"]
            } + (hasClosedForm ? ["closed form [perSecond]"] : [])
        let rows = points.map { point -> [Cell] in
            point.values.map { Cell.exact($0) }
                + point.figures.flatMap { value in
                    [
                        .exact(value.estimate?.value), .exact(value.estimate?.low),
                        .exact(value.estimate?.high), .init(value.isGood.map { "\($0)" } ?? ""),
                    ]
                } + (hasClosedForm ? [.exact(point.expectedRefreshPeak)] : [])
        }
        return Table.csv(heads, rows)
    }

    private var sentence: String {
        let grid = axes.map { axis in
            "\(axis.name.lastPathWords) \(axis.texts.first ?? "")…\(axis.texts.last ?? "")"
        }.joined(separator: " × ")
        let place = figures.firstIndex(of: Sweep.recovery)
        let judged = place.map { index in points.filter { $0.figures[index].isGood != nil } } ?? []
        guard let place, !judged.isEmpty else { return "\(grid): \(extremes)" }
        let lost = judged.filter { $0.figures[place].isGood == false }
        guard !lost.isEmpty else {
            return "\(grid): everywhere the system recovers from the trigger."
        }
        return "\(grid): at \(lost.count) of \(judged.count) places the system does not recover"
            + " from the trigger\(edge(place))."
    }

    /// Where the first figure is lowest and highest.
    private var extremes: String {
        let known = points.filter { $0.figures[0].estimate != nil }
        func value(_ point: Point) -> Double { point.figures[0].estimate?.value ?? 0 }
        guard let low = known.min(by: { value($0) < value($1) }),
            let high = known.max(by: { value($0) < value($1) })
        else { return "\(Headlines.words(figures[0])) was measured nowhere." }
        guard value(low) < value(high) else {
            return "\(Headlines.words(figures[0])) is \(low.figures[0].text) at every place."
        }
        return
            "\(Headlines.words(figures[0])) goes from \(low.figures[0].text) at \(name(of: low)) to"
            + " \(high.figures[0].text) at \(name(of: high))."
    }

    /// The least place at which the trigger is not recovered from.
    private func edge(_ figure: Int) -> String {
        let first = points.first { $0.figures[figure].isGood == false }
        return first.map { ", first at \(name(of: $0))" } ?? ""
    }

    private func name(of point: Point) -> String {
        zip(axes, point.values).map { axis, value in
            "\(axis.name.lastPathWords) \(text(value, axis))"
        }.joined(separator: ", ")
    }

    private func text(_ value: Double, _ axis: Axis) -> String {
        zip(axis.values, axis.texts).first { $0.0 == value }?.1 ?? "\(value)"
    }

    private var remarks: [String] {
        let isPlanned =
            figures.contains("refresh_rate max")
            && points.contains { $0.expectedRefreshPeak != nil }
        let form =
            "The closed form beside the peak of refreshes is N / max(w, j): N users whose tokens"
            + " were issued evenly within w and end up to j early come back spread over both. It is"
            + " said only where it applies: closed loads that arrive with fresh tokens within less"
            + " than these live."
        return (isPlanned ? [form] : []) + (drawsFitted ? [String.drawnOfOne] : []) + [regime]
    }

    private var hasClosedForm: Bool {
        figures.contains("refresh_rate max") && points.contains { $0.expectedRefreshPeak != nil }
    }

    private var table: Table {
        Table(
            axes.map { Column($0.name, .number) }
                + figures.flatMap { [Column($0, .number), .interval] }
                + (hasClosedForm ? [.closedForm] : []),
            points.map { point in
                zip(axes, point.values).map { axis, value in .init(text(value, axis), value) }
                    + point.figures.flatMap(cells)
                    + (hasClosedForm
                        ? [
                            point.expectedRefreshPeak.map {
                                .init(Figure.Unit.perSecond.text($0), $0)
                            } ?? .none
                        ] : [])
            })
    }

    private func cells(_ value: Value) -> [Cell] {
        let interval = value.estimate.flatMap { estimate in
            value.unit.map { Cell($0.text(estimate)) }
        }
        if let isGood = value.isGood {
            return [.init(value.text, isGood: isGood), interval ?? .none]
        }
        return [
            value.estimate.map { .init(value.text, $0.value) } ?? .init(value.text),
            interval ?? .none,
        ]
    }

    private var mapSection: Section {
        let (rows, columns) = (axes[0], axes[1])
        let maps = figures.indices.map { figure -> Block in
            let values = points.compactMap { $0.figures[figure].estimate?.value }
            let highest = values.max() ?? 0
            let cells = rows.values.indices.map { row in
                columns.values.indices.map { column -> AnswerMap.Cell in
                    let value = points[row * columns.values.count + column].figures[figure]
                    let number = value.estimate?.value
                    let share = highest > 0 ? (number ?? highest) / highest : 0
                    return AnswerMap.Cell(
                        value.text, number, shade: value.isGood == nil ? share : 0.5,
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
        let charts = figures.indices.compactMap { figure -> Block? in
            let known = points.filter { $0.figures[figure].estimate != nil }
            guard known.count > 1 else { return nil }
            let isDuration = known.contains { $0.figures[figure].unit == .nanoseconds }
            func line(_ name: String, _ value: (Point) -> Double?) -> AnswerChart.Series {
                AnswerChart.Series(
                    name, known.compactMap { point in value(point).map { (point.values[0], $0) } })
            }
            var series = [line(figures[figure]) { $0.figures[figure].estimate?.value }]
            if figures[figure] == "refresh_rate max" {
                series.append(line("closed form") { $0.expectedRefreshPeak })
            }
            return .picture(
                AnswerChart(
                    figures[figure], over: axes[0].name, series.filter { !$0.points.isEmpty },
                    isDuration: isDuration))
        }
        return Section("Against \(axes[0].name)", charts)
    }
}
