import SquallHTTP
import SquallKernel

extension Backend {
    /// The record of an exchange for its client's outcome.
    func record(of exchange: Exchange, _ result: Exchange.Result) -> ExchangeRecord {
        let outcome: ExchangeRecord.Outcome
        let meaning: AnswerMeaning
        var bytes = 0
        switch result {
        case .success(let answer):
            outcome = .status(answer.head.statusCode)
            meaning = exchange.meaning
            bytes = answer.body.count
        case .failure(let error):
            outcome = .error(error.code)
            meaning = .none
        }
        return record(of: exchange, outcome, meaning, bytes: bytes)
    }

    /// The exchanges that clients still wait for, in the order in which they handed them over.
    public var unended: [ExchangeRecord] {
        exchanges.all.filter(\.hasClient).sorted {
            ($0.handedOver, $0.ordinal) < ($1.handedOver, $1.ordinal)
        }.map { record(of: $0, .neverEnded, .none, bytes: 0) }
    }

    private func record(
        of exchange: Exchange, _ outcome: ExchangeRecord.Outcome, _ meaning: AnswerMeaning,
        bytes: Int
    ) -> ExchangeRecord {
        let isNamed = observer.namesToken(of: exchange.cause, meaning)
        let token = isNamed ? exchange.shownTokens?.access : nil
        let isTraced = observer.tracesTokens(of: exchange.cause, exchange.endpoint, meaning)
        return ExchangeRecord(
            cause: exchange.cause, endpoint: exchange.endpoint, outcome: outcome, meaning: meaning,
            handedOver: exchange.handedOver,
            sent: exchange.isSent ? exchange.sent : nil,
            ended: simulation.now,
            bytes: bytes, page: exchange.page,
            tokenGeneration: token.flatMap(tokens.generation(of:)),
            tokens: isTraced ? TokenTrace(of: exchange) : nil)
    }

    /// The line of an exchange in the server's log.
    func record(of exchange: Exchange, _ answer: Answer) -> ServerRecord {
        let token = exchange.shownTokens?.access
        let isServed = exchange.worker >= 0
        let started = isServed ? exchange.started : simulation.now
        return ServerRecord(
            cause: exchange.cause, endpoint: exchange.endpoint, method: exchange.request.method,
            url: exchange.request.url, status: answer.status,
            meaning: exchange.meaning, arrived: exchange.arrived,
            started: started, replied: simulation.now,
            worker: isServed ? Int(exchange.worker) : nil, items: answer.items ?? 0,
            rowsScanned: answer.rowsScanned, bytes: answer.body.count,
            tokenGeneration: token.flatMap(tokens.generation(of:)),
            isDuplicate: exchange.isDuplicate)
    }
}

/// The laws of conservation.
extension Backend {
    /// The laws of conservation, with their sums at this moment.
    ///
    /// - Complexity: O(the most exchanges that were ever under way at once).
    public var conservationLaws: [ConservationLaw] {
        let counters = counters
        let census = exchanges.census
        let now = simulation.now
        let present =
            Int128(now.nanoseconds) * Int128(census.atServer) - census.arrivalNanoseconds
        return [
            ConservationLaw(
                "every attempt ended or its client waits", Int128(counters.handedOver),
                [
                    "answered": Int128(counters.answered),
                    "unanswered": Int128(counters.unanswered),
                    "waiting": Int128(census.withClient),
                ]),
            ConservationLaw(
                "every request on the wire arrived, got lost or travels",
                Int128(counters.sent + counters.duplicated),
                [
                    "received": Int128(counters.received), "lost": Int128(counters.lostRequests),
                    "travelling": Int128(census.travelling),
                ]),
            ConservationLaw(
                "every request received was answered, dropped or is at the server",
                Int128(counters.received),
                [
                    "replied": Int128(counters.replied), "abandoned": Int128(counters.abandoned),
                    "at the server": Int128(census.atServer),
                ]),
            ConservationLaw(
                "every reply was received, dropped or travels", Int128(counters.replied),
                [
                    "answered": Int128(counters.answered), "dropped": Int128(counters.dropped),
                    "travelling": Int128(census.returning),
                ]),
            ConservationLaw(
                "requests at the server, integrated over time, equal the sum of their times"
                    + " (Little's law, ns)",
                counters.occupancy.areaNanoseconds(at: now),
                [
                    "of those who left": counters.occupancy.residenceNanoseconds,
                    "of those present": present,
                ]),
        ]
    }

    /// Checks every law of conservation.
    ///
    /// - Throws: the laws that do not hold, with their sums.
    public func checkConservation() throws(ConservationError) {
        try ConservationError.check(
            conservationLaws, of: "the simulated backend", label: "backend.conservation")
    }
}

extension TokenTrace {
    fileprivate init(of exchange: Exchange) {
        self.init(call: exchange.request, shows: exchange.shownTokens)
        newAccess = exchange.brings?.access.map(TokenNumber.init(text:))
        newRefresh = exchange.brings?.refresh.map(TokenNumber.init(text:))
    }
}
