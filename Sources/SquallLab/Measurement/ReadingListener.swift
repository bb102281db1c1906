import SquallBackend
import SquallKernel
import SquallReport

/// Follows steps that read lists of more than one page.
final class ReadingListener: ExchangeListener, StepListener {
    static let metrics: [Metric] = [.pageDuration, .itemsMissed, .itemsRepeated, .itemsPerSecond]
    static let observedExchanges: EventTraits = .page

    @exclusivity(unchecked) private(set) var found = ReadingLedger()
    private let run: MeasuredRun
    /// The lists that running steps read, by user; most read none.
    @exclusivity(unchecked) private var open = NumberTable<[Reading]>(none: [])

    init(_ run: MeasuredRun) { self.run = run }

    func restart() { found.restart() }

    /// A page arrived in a running step.
    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.runningStep != nil, let page = exchange.record.page else { return }
        let user = exchange.user
        guard var readings = open.removeValue(forKey: UInt64(user.number)) else {
            // A list of a single page leaves nothing to follow.
            if page.isFirst, !page.isLast { open[UInt64(user.number)] = [reading(exchange, page)] }
            return
        }
        if page.isFirst {
            // A list is read once at a time.
            let place = readings.firstIndex { $0.list == page.list && $0.paging == page.paging }
            if let place { close(readings.remove(at: place), of: user) }
            if !page.isLast { readings.append(reading(exchange, page)) }
        } else if let index = readings.lastIndex(where: { $0.goesOn(with: page) }) {
            let asked = exchange.record.handedOver.nanoseconds
            readings[index].add(page, askedAt: asked, at: user.now)
            if page.isLast { close(readings.remove(at: index), of: user) }
        }
        if !readings.isEmpty { open[UInt64(user.number)] = readings }
    }

    private func reading(_ exchange: EndedExchange, _ page: ListPage) -> Reading {
        Reading(
            page, exchange.record.endpoint, began: exchange.record.handedOver.nanoseconds,
            firstPage: exchange.user.now)
    }

    func stepEnded(_ step: EndedStep) {
        guard let readings = open.removeValue(forKey: UInt64(step.user.number)) else { return }
        for reading in readings { close(reading, of: step.user) }
    }

    private func close(_ reading: Reading, of user: User) {
        let counts = found.close(reading, of: user.population) { $0.items(numberedBelow: $1) }
        guard let counts else { return }
        let tags = run.tags(user.population, reading.endpoint)
            .merging([.paging: reading.paging.rawValue]) { known, _ in known }
        func add(_ count: Int64, _ metric: Metric) {
            run.metrics.add(count, to: run.metrics.counter(MetricKey(metric, tags)))
        }
        add(counts.missed, .itemsMissed)
        add(counts.repeated, .itemsRepeated)
        run.metrics.add(
            counts.items * 1_000_000, of: counts.spentNanoseconds / 1_000,
            to: run.metrics.ratio(MetricKey(.itemsPerSecond, tags)))
        for page in reading.times {
            let depth = [TagKey.depth: "\(DepthRow.empty[page.depth].from)"]
            let key = MetricKey(.pageDuration, tags.merging(depth) { known, _ in known })
            run.metrics.record(page.nanoseconds, in: run.metrics.trend(key))
        }
    }
}

extension Metric {
    static let itemsMissed = Metric(
        "items_missed", .counter, ofReading,
        "Items that were in a list while a user read it to its end, and that were never shown.",
        values: waysToPage)
    static let itemsPerSecond = Metric(
        "items_per_second", .ratio, ofReading,
        "Items that readers of lists got per second, from the first call to the latest page.",
        values: waysToPage)
    static let itemsRepeated = Metric(
        "items_repeated", .counter, ofReading, "Items that the same reader had seen before.",
        values: waysToPage)
    static let pageDuration = Metric(
        "page_duration", .trend, ofReading + [.depth],
        "Time of a page of a list of several, by how many items the reader had before, at least.",
        values: waysToPage.merging([.depth: DepthRow.empty.map { "\($0.from)" }]) { one, _ in one })
    /// The tags of a list and of its paging.
    private static let ofReading = ofUser + [.endpoint, .paging]
    private static let waysToPage: [TagKey: [String]] = [
        .paging: [ListPage.Paging.cursor, .offset].map(\.rawValue)
    ]
}

/// One user's way through one list within one step, from its first page on.
///
/// A class, as it is looked at with each page of the step and holds a dozen references.
final class Reading {
    let list: ListID
    let paging: ListPage.Paging
    let endpoint: Endpoint
    let began: Int64
    /// Items with lower numbers were there when it began.
    let itemsEver: Int32
    let firstPage: Int64
    @exclusivity(unchecked) private(set) var newestPage: Int64
    private let first: ListPage
    /// Empty until there are two, as most lists are left after their first page.
    @exclusivity(unchecked) private(set) var pages: [ListPage] = []
    @exclusivity(unchecked) private(set) var depths: [DepthRow] = []
    /// The time of each page, and the position of its depth.
    @exclusivity(unchecked) private(set) var times: [(depth: Int, nanoseconds: Int64)] = []
    @exclusivity(unchecked) private(set) var items = 0
    @exclusivity(unchecked) private(set) var line = PageLine.Sums()

    /// A reading that begins with a list's first page and its response.
    init(_ page: ListPage, _ endpoint: Endpoint, began: Int64, firstPage: Int64) {
        list = page.list
        paging = page.paging
        self.endpoint = endpoint
        self.began = began
        itemsEver = page.itemsEver
        self.firstPage = firstPage
        newestPage = firstPage
        first = page
    }

    /// True for the next page of the same list.
    func goesOn(with page: ListPage) -> Bool {
        !page.isFirst && page.list == list && page.paging == paging
    }

    /// Another page has come that was asked for at some moment.
    func add(_ page: ListPage, askedAt asked: Int64, at now: Int64) {
        if pages.isEmpty {
            depths = DepthRow.empty
            count(first, nanoseconds: firstPage - began)
        }
        newestPage = now
        count(page, nanoseconds: now - asked)
    }

    private func count(_ page: ListPage, nanoseconds: Int64) {
        let depth = DepthRow.position(ofDepth: items)
        depths[depth].pages += 1
        depths[depth].rowsScanned += Int64(page.rowsScanned)
        depths[depth].nanoseconds += nanoseconds
        times.append((depth, nanoseconds))
        line.add(depth: items, nanoseconds: nanoseconds)
        items += page.items.count
        pages.append(page)
    }
}

/// The results of readings of lists, by app, list and paging.
///
/// Only lists count of which a step read more than one page. It grows with the number of kinds; a
/// reading's pages are kept only while its step runs.
struct ReadingLedger {
    private struct Key: Hashable {
        let population: Int
        let endpoint, paging: String

        /// Its place in every output.
        var order: (Int, String, String) { (population, endpoint, paging) }
    }

    private struct Sums {
        var counts = ReadingRow.Counts()
        var firstPage = Histogram()
        var end = Histogram()
        var depths = DepthRow.empty
        var line = PageLine.Sums()
    }

    private var sums: [Key: Sums] = [:]

    /// Notes that a reading reached the list's end, or was given up; returns the items that it
    /// missed and repeated.
    ///
    /// `standing` are the items that existed before it began and still do. A single page adds
    /// nothing.
    @discardableResult
    mutating func close(
        _ reading: Reading, of population: Int, standing: (ListID, Int32) -> [Int32]
    ) -> ReadingRow.Counts? {
        guard reading.pages.count > 1 else { return nil }
        let key = Key(
            population: population, endpoint: reading.endpoint.name,
            paging: reading.paging.rawValue)
        var sums = self.sums[key] ?? Sums()
        let shown = Set(reading.pages.flatMap(\.items))
        var counts = ReadingRow.Counts()
        counts.readings = 1
        counts.pages = Int64(reading.pages.count)
        counts.items = Int64(reading.items)
        counts.repeated = Int64(reading.items - shown.count)
        counts.spentNanoseconds = reading.newestPage - reading.began
        sums.firstPage.record(reading.firstPage - reading.began)
        for depth in sums.depths.indices { sums.depths[depth].add(reading.depths[depth]) }
        sums.line.add(reading.line)
        if reading.pages.last?.isLast == true {
            sums.end.record(reading.newestPage - reading.began)
            let missed = standing(reading.list, reading.itemsEver).count { !shown.contains($0) }
            counts.missed = Int64(missed)
        }
        sums.counts.add(counts)
        self.sums[key] = sums
        return counts
    }

    mutating func restart() { sums = [:] }

    /// The rows, by population, list and paging.
    func rows(of populations: [MeasuredPopulation]) -> [ReadingRow] {
        sums.sorted { $0.key.order < $1.key.order }.map { key, sums in
            ReadingRow(
                population: populations[key.population].name,
                app: populations[key.population].app, endpoint: key.endpoint, paging: key.paging,
                counts: sums.counts, firstPage: LatencySummary(sums.firstPage),
                end: LatencySummary(sums.end), depths: sums.depths, sums: sums.line)
        }
    }
}
