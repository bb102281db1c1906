import Foundation
import SquallFormat

extension NumberBook {
    /// The lines of charts over time by their names, with the columns that each adds up.
    private static let lines: [String: [String]] = [
        "first attempts": ["first_attempts"], "retries": ["retries"], "refreshes": ["refreshes"],
        "answered": ["answers_2xx", "expired_answers", "answers_other"], "of use": ["goodput"],
        "answered “expired”": ["expired_answers"], "ended": ["steps"],
        "failed": ["steps_failed"], "never ended": ["hangs"], "items": ["items"],
        "pages": ["pages"], "requests": ["requests"], "no response": ["answers_none"],
        "error status": ["answers_other"], "token expired": ["expired_answers"],
    ]

    /// Holds the numbers of a chart against the rows of the time series, or the whole against what
    /// was counted.
    mutating func readChart(
        _ headings: [String], _ rows: [[XMLTree.Element]], in section: String
    ) {
        let names = headings.dropFirst()
        if headings[0] == "percentile" { return readSpectrum(headings, rows) }
        if names.first?.hasPrefix("≤ ") == true { return readHeatMap(rows, in: section) }
        if names.first == "p50" { return readPercentiles(headings, rows) }
        if section == "endpoints" { return }
        for (column, name) in names.enumerated() {
            let values = rows.map { $0[column + 1].text }
            guard let right = rates(of: name, rows: rows.count), right.count == values.count else {
                refuse("nothing explains the line \(name) of a chart in \(section)")
                continue
            }
            for (shown, right) in zip(values, right) {
                expect(
                    shown, among: [Units.threeDigits(right)], at: "chart in \(section), \(name)")
            }
        }
    }

    /// What a line shows, each number that of as many rows as make so many groups.
    private func rates(of name: String, rows count: Int) -> [Double]? {
        guard let times = series["time_ns"], times.count > 1, count > 0 else { return nil }
        let group = max(1, (times.count + 239) / 240)
        guard (times.count + group - 1) / group == count else { return nil }
        func sums(_ columns: [String]) -> [Double] {
            stride(from: 0, to: times.count, by: group).map { start in
                columns.reduce(0) { sum, column in
                    let values = series[column] ?? []
                    return sum + values[start..<min(start + group, values.count)].reduce(0, +)
                }
            }
        }
        if name == "attempts for each first attempt" {
            return zip(sums(["requests"]), sums(["first_attempts"])).map { $1 > 0 ? $0 / $1 : 0 }
        }
        let seconds = stride(from: 0, to: times.count, by: group).map { start in
            Double(min(start + group, times.count) - start) * (times[1] - times[0]) / 1e9
        }
        return Self.lines[name].map { zip(sums($0), seconds).map { $0 / $1 } }
    }

    /// A row that begins with an interval of the log has its percentiles; one that joins several,
    /// as some have too few values, has others than each of them.
    private mutating func readPercentiles(_ headings: [String], _ rows: [[XMLTree.Element]]) {
        let times = series["time_ns"] ?? []
        let starts = rows.map { Double($0[0].attributes["data-key"] ?? "") ?? -1 }
        let isWhole = { (columns: [Double]) in Set(columns).count == 1 }
        for (number, row) in rows.enumerated() {
            guard let place = times.firstIndex(of: starts[number]) else { continue }
            let next = number + 1 < rows.count ? times.firstIndex(of: starts[number + 1]) : nil
            let span = place..<max(place + 1, next ?? times.count)
            let seen = ["step_duration", "request_duration"].flatMap { metric in
                ["p50", "p95", "p99"].compactMap { series["\(metric)_\($0)_ns"]?[span] }
            }
            guard seen.allSatisfy({ isWhole(Array($0)) }) else { continue }
            for (cell, name) in zip(row, headings).dropFirst() {
                let right = ["step_duration", "request_duration"].compactMap { metric in
                    series["\(metric)_\(name)_ns"].map { $0[place] }
                }
                let shown = Double(cell.attributes["data-key"] ?? "") ?? -1
                expect(
                    "\(shown.rounded(.down))", among: right.map { "\($0)" },
                    at: "percentiles at \(row[0].text), \(name)")
            }
        }
    }

    /// All that is in the cells together is all that ended.
    private mutating func readHeatMap(_ rows: [[XMLTree.Element]], in section: String) {
        let cells = rows.flatMap { $0.dropFirst() }
        let sum = cells.compactMap { Double($0.attributes["data-key"] ?? "") }.reduce(0, +)
        let right = ["step_duration", "request_duration"].map { total($0, "count") ?? 0 }
        expect("\(sum)", among: right.map { "\($0)" }, at: "heat map in \(section)")
    }

    /// The percentiles of the whole are those of the metrics.
    private mutating func readSpectrum(_ headings: [String], _ rows: [[XMLTree.Element]]) {
        let metrics = [
            "step, as its user waits": "step_duration",
            "attempt on the wire": "request_duration",
        ]
        for row in rows {
            let percentile = row[0].text.replacing(" %", with: "").replacing(".", with: "_")
            for (cell, name) in zip(row, headings).dropFirst() {
                guard let metric = metrics[name] else {
                    refuse("nothing explains the line \(name) of the spectrum")
                    continue
                }
                guard let right = total(metric, "p\(percentile)") else { continue }
                expect(
                    cell.text, among: [NumberColumn.duration(right)],
                    at: "spectrum, \(percentile) of \(name)")
            }
        }
    }
}
