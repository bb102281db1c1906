import SquallBackend
import SquallKernel

/// Follows how steps read lists of more than one page.
final class ReadingListener: ExchangeListener, StepListener {
    static let heededExchanges: EventTraits = .page

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
        found.close(reading, of: user.population) { $0.items(numberedBelow: $1) }
    }
}
