import SquallBackend
import SquallHTTP
import SquallKernel
import SquallReport

/// One user's way through one list within one step, from its first page on.
struct Reading {
    let list: ListID
    let paging: ListPage.Paging
    let endpoint: Endpoint
    let began: Int64
    /// Items with lower numbers were there when it began.
    let itemsEver: Int32
    private(set) var firstPage: Int64 = 0
    private(set) var newestPage: Int64 = 0
    private(set) var pages: [ListPage] = []
    private(set) var depths = DepthRow.empty
    private(set) var items = 0

    /// A reading that begins with the first page of a list.
    init(_ page: ListPage, _ endpoint: Endpoint, began: Int64) {
        list = page.list
        paging = page.paging
        self.endpoint = endpoint
        self.began = began
        itemsEver = page.itemsEver
    }

    /// Whether a page is the next one of the same list.
    func goesOn(with page: ListPage) -> Bool {
        !page.isFirst && page.list == list && page.paging == paging
    }

    /// A page has come that was asked for at some moment.
    mutating func add(_ page: ListPage, askedAt asked: Int64, at now: Int64) {
        if pages.isEmpty { firstPage = now }
        newestPage = now
        let depth = DepthRow.position(ofDepth: items)
        depths[depth].pages += 1
        depths[depth].rowsScanned += Int64(page.rowsScanned)
        depths[depth].nanoseconds += now - asked
        items += page.items.count
        pages.append(page)
    }
}

/// What readings of lists came to, by app, list and the way its pages were asked for.
///
/// Only lists of which a step read more than one page count. It grows with the kinds there are;
/// what a reading has shown is kept while its step runs.
struct ReadingLedger {
    private struct Key: Hashable, Comparable {
        let population: Int
        let endpoint: String
        let paging: String

        static func < (left: Key, right: Key) -> Bool {
            (left.population, left.endpoint, left.paging)
                < (right.population, right.endpoint, right.paging)
        }
    }

    private struct Sums {
        var counts = ReadingRow.Counts()
        var firstPage = Histogram()
        var end = Histogram()
        var depths = DepthRow.empty
    }

    private var sums: [Key: Sums] = [:]

    /// A reading got to the list's end, or was given up; `standing` are the items that were there
    /// before it began and still are.
    mutating func close(
        _ reading: Reading, of population: Int, standing: (ListID, Int32) -> [Int32]
    ) {
        guard reading.pages.count > 1 else { return }
        let key = Key(
            population: population, endpoint: reading.endpoint.name,
            paging: reading.paging.rawValue)
        var sums = self.sums[key] ?? Sums()
        let shown = Set(reading.pages.flatMap(\.items))
        sums.counts.readings += 1
        sums.counts.pages += Int64(reading.pages.count)
        sums.counts.items += Int64(reading.items)
        sums.counts.repeated += Int64(reading.items - shown.count)
        sums.counts.nanoseconds += reading.newestPage - reading.began
        sums.firstPage.record(reading.firstPage - reading.began)
        for depth in sums.depths.indices { sums.depths[depth].add(reading.depths[depth]) }
        if reading.pages.last?.isLast == true {
            sums.end.record(reading.newestPage - reading.began)
            let missed = standing(reading.list, reading.itemsEver).count { !shown.contains($0) }
            sums.counts.missed += Int64(missed)
        }
        self.sums[key] = sums
    }

    /// Forgets everything, at the end of a warm-up.
    mutating func restart() { sums = [:] }

    /// The rows, by population, list and way of asking.
    func rows(of populations: [PopulationLedger]) -> [ReadingRow] {
        sums.sorted { $0.key < $1.key }.map { key, sums in
            ReadingRow(
                population: populations[key.population].name,
                app: populations[key.population].app, endpoint: key.endpoint, paging: key.paging,
                counts: sums.counts, firstPage: LatencySummary(sums.firstPage),
                end: LatencySummary(sums.end), depths: sums.depths)
        }
    }
}

/// What a step reads.
extension Recorder {
    /// A page arrived in a running step.
    func read(_ page: ListPage, _ exchange: ExchangeRecord, user: Int) {
        guard let step = openSteps[user], step.ordinal == exchange.cause.step else { return }
        if page.isFirst {
            closeReadings(of: step, user: user) { $0.list == page.list && $0.paging == page.paging }
            step.readings.append(
                Reading(page, exchange.endpoint, began: exchange.handedOver.nanoseconds))
        }
        let index = step.readings.lastIndex { page.isFirst || $0.goesOn(with: page) }
        guard let index else { return }
        step.readings[index].add(page, askedAt: exchange.handedOver.nanoseconds, at: now)
        guard page.isLast else { return }
        close(step.readings.remove(at: index), user: user)
    }

    /// Lets go of what a step has read of some lists, or of all.
    func closeReadings(
        of step: OpenStep, user: Int, where isOver: (Reading) -> Bool = { _ in true }
    ) {
        for reading in step.readings where isOver(reading) { close(reading, user: user) }
        step.readings.removeAll(where: isOver)
    }

    private func close(_ reading: Reading, user: Int) {
        readings.close(reading, of: app(of: user)) { $0.items(numberedBelow: $1) }
    }
}
