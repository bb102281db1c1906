import SquallBackend
import SquallKernel

/// Follows how steps read lists of more than one page.
final class ReadingListener: ExchangeListener, StepListener {
    static let heededExchanges: EventTraits = .page

    private(set) var found = ReadingLedger()
    private let run: MeasuredRun
    /// What the running steps read, by user; most read nothing.
    private var open: [Int: [Reading]] = [:]

    init(_ run: MeasuredRun) { self.run = run }

    func restart() { found.restart() }

    /// A page arrived in a running step.
    func exchangeEnded(_ exchange: EndedExchange) {
        guard exchange.step != nil, exchange.isUseful, let page = exchange.record.page else {
            return
        }
        let asked = exchange.record.handedOver.nanoseconds
        let user = exchange.user
        var readings = open[user.number] ?? []
        if page.isFirst {
            close(&readings, of: user) { $0.list == page.list && $0.paging == page.paging }
            readings.append(Reading(page, exchange.record.endpoint, began: asked))
        }
        if let index = readings.lastIndex(where: { page.isFirst || $0.goesOn(with: page) }) {
            readings[index].add(page, askedAt: asked, at: user.now)
            if page.isLast { close(readings.remove(at: index), of: user) }
        }
        open[user.number] = readings.isEmpty ? nil : readings
    }

    func stepEnded(_ step: EndedStep) {
        guard !open.isEmpty, var readings = open.removeValue(forKey: step.user.number) else {
            return
        }
        close(&readings, of: step.user) { _ in true }
    }

    /// Lets go of some of what a step has read.
    private func close(
        _ readings: inout [Reading], of user: User, where isOver: (Reading) -> Bool
    ) {
        for reading in readings where isOver(reading) { close(reading, of: user) }
        readings.removeAll(where: isOver)
    }

    private func close(_ reading: Reading, of user: User) {
        found.close(reading, of: user.population) { $0.items(numberedBelow: $1) }
    }
}
