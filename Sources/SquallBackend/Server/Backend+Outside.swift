import SquallHTTP
import SquallKernel

/// Services whose answers come from outside the simulation.
extension Backend {
    /// Hands a request out, unless a limit or a fault answers it.
    func handOut(
        _ number: UInt64, _ exchange: Exchange, _ take: (UInt64, URLRequest, ServiceScene) -> Void
    ) {
        exchange.stage = .served
        exchange.started = simulation.now
        if limits != nil, let refusal = refusalByRate(exchange) {
            return reply(refusal, to: number, exchange)
        }
        if let failure = failure(of: exchange) { return reply(failure, to: number, exchange) }
        watch(number, exchange, until: .max)
        take(number, exchange.request, scene(of: exchange))
    }

    /// Takes the answer to a request that was handed out, and the tokens that it brings, which this
    /// backend's mint did not issue.
    ///
    /// An answer to a request that has been answered is ignored. Observers are told of the tokens
    /// first, as they are of the mint's.
    ///
    /// - Precondition: called from inside the simulation, or between two runs of it.
    public func answer(
        _ number: UInt64, with answer: Answer, brings tokens: [IssuedToken] = []
    ) {
        simulation.checkThread()
        guard let exchange = exchanges[number], !exchange.isAnswered else { return }
        guard case .served = exchange.stage, exchange.service.isOutside else {
            preconditionFailure("exchange \(number) was not handed out")
        }
        var texts = TokenTexts()
        for token in tokens {
            observer.tokenIssued(token)
            texts.note(token)
        }
        if tokens.isEmpty {
            exchange.brings = exchange.service.service.tokens(in: answer, to: exchange.route)
        } else {
            exchange.brings = texts
        }
        reply(answer, to: number, exchange)
    }
}
