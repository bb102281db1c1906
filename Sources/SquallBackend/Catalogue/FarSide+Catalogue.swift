import SquallKernel

/// The catalogue's host: it has workers enough, and no line.
extension FarSide {
    /// The catalogue reads its rows at once, and takes its time over them.
    func search(_ number: UInt64, _ exchange: Exchange) {
        exchange.stage = .served
        let answer = catalogue.find(exchange.request, at: simulation.now)
        exchange.answer = answer
        let span =
            sample(configuration.catalogue.serviceTime, latency.search, exchange)
            + Int64(answer.rowsScanned) * configuration.catalogue.nanosecondsPerRow
        watch(number, exchange, until: span)
        after(span, handlers?.found, number)
    }

    /// The catalogue has read its rows.
    func finishSearch(_ number: UInt64) {
        guard let exchange = exchanges[number], let answer = exchange.answer else { return }
        reply(answer, to: number, exchange)
    }
}
