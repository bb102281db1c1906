import SquallFormat

/// The cost of reading long lists, and the effect of retries: answers of runs that are about these.
extension Answer {
    /// Throughput, repeated and missed items of each way to ask for pages; nil where no reader gets
    /// far and every list is right.
    var lists: String? {
        let rows = summary.readings.filter(\.isDeep)
        guard !rows.isEmpty else { return nil }
        let ways = Set(rows.map(\.paging)).sorted()
        let told = ways.compactMap { way in
            rows.filter { $0.paging == way }.max {
                weight($0, among: rows) < weight($1, among: rows)
            }
        }
        let text = told.map(words).joined(separator: "; ")
        return text.sentenceCase + "."
    }

    /// A list that is read in several ways tells more than a longer one that is not.
    private func weight(_ row: ReadingRow, among rows: [ReadingRow]) -> Int64 {
        let isCompared = rows.contains { $0.endpoint == row.endpoint && $0.paging != row.paging }
        return row.counts.items + (isCompared ? .max / 2 : 0)
    }

    private func words(_ row: ReadingRow) -> String {
        let isOne = summary.populations.count < 2
        let place = isOne ? "" : " in \"\(row.population)\""
        let speed = row.itemsPerSecond.map { "\(Units.threeDigits($0)) items/s" } ?? "items"
        return "reading \(row.endpoint) by \(row.paging)\(place) gives \(speed),"
            + " \(Units.grouped(row.counts.repeated)) repeated and"
            + " \(Units.grouped(row.counts.missed)) missed"
            + (row.line.map { ", and a page takes \(pageTimes($0))" } ?? "")
    }

    private func pageTimes(_ line: PageLine) -> String {
        let reached = "\(Units.grouped(line.deepest)) items"
        guard line.isSteep else {
            return
                "\(Units.approximate(nanoseconds: line.meanNanoseconds)) at any depth, down to"
                + " \(reached)"
        }
        let slope = line.perThousandItemsNanoseconds
        let start = Units.approximate(nanoseconds: max(0, line.startNanoseconds))
        return "\(start) at the start and \(Units.approximate(nanoseconds: abs(slope)))"
            + " \(slope < 0 ? "less" : "more") for each 1 000 items before it, down to \(reached)"
    }

    /// Retry amplification, retries by cause and wasted attempts, where failed calls are a good
    /// part of what is sent again.
    var retries: String? {
        guard let view = summary.retries, let calls = view.tree.children.first?.attempts,
            let branch = view.tree.children.first(where: { $0.name == "retries" }),
            let factor = view.amplification.first(where: { $0.layer == "retries" })?.factor,
            let wasted = view.wastedShare
        else { return nil }
        let causes = branch.children.filter { $0.attempts > 0 }
            .ordered { ($1.attempts, $0.name) < ($0.attempts, $1.name) }
        let failed = causes.filter { $0.name != Answer.expiredCause }.reduce(0) { $0 + $1.attempts }
        guard failed * 10 >= calls else { return nil }
        let list = causes.prefix(3).map { "\(Units.grouped($0.attempts)) \($0.name)" }
        return "Retries: \(Units.threeDigits(factor)) attempts per call;"
            + " \(Units.grouped(branch.attempts)) retries: \(list.joined(separator: ", "));"
            + " \(Units.grouped(view.wastedAttempts)) attempts were wasted on calls that failed"
            + " (\(Units.percent(wasted)))."
    }

    /// Retries with a new token are no sign of overload.
    private static let expiredCause = "after an expired token"
}
