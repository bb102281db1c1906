import SquallBackend
import SquallKernel
import SquallReport

/// Follows how steps read lists of more than one page.
final class ReadingListener: ExchangeListener, StepListener {
    static let metrics: [Metric] = [.pageDuration, .itemsMissed, .itemsRepeated, .itemsPerSecond]
    static let observedExchanges: EventTraits = .page

    @exclusivity(unchecked) private(set) var found = ReadingLedger()
    private let run: MeasuredRun
    /// What the running steps read, by user; most read nothing.
    @exclusivity(unchecked) private var open = NumberTable<[Reading]>()

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
            close(&readings, of: user) { $0.list == page.list && $0.paging == page.paging }
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
        guard var readings = open.removeValue(forKey: UInt64(step.user.number)) else { return }
        close(&readings, of: step.user) { _ in true }
    }

    private func close(
        _ readings: inout [Reading], of user: User, where isOver: (Reading) -> Bool
    ) {
        guard readings.contains(where: isOver) else { return }
        for reading in readings where isOver(reading) { close(reading, of: user) }
        readings.removeAll(where: isOver)
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
    /// A list, and how its next page is asked for.
    private static let ofReading = ofUser + [.endpoint, .paging]
    private static let waysToPage: [TagKey: [String]] = [
        .paging: [ListPage.Paging.cursor, .offset].map(\.rawValue)
    ]
}
