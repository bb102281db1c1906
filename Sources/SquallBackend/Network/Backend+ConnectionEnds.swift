import SquallFormat
import SquallHTTP
import SquallKernel

/// The effect of a phone's change of networks on its connections.
public enum Handover: String, Hashable, Sendable, CaseIterable {
    /// They break, and the phone knows at once.
    case breaks = "break"
    /// They are dead, and the phone learns it by the first call that times out.
    case stalls = "stall"
    /// Those of HTTP/3 go on; others break.
    case moves = "move"
}

/// The end of connections by a fault.
enum ConnectionEnd: Hashable, Sendable {
    case handover(Handover)
    case offline
    case restart(isReload: Bool)
}

/// Connections that end under way.
extension Backend {
    /// A client learns that the connection of an exchange has ended, and with it of all on it.
    func loseConnection(_ number: UInt64, _ exchange: Exchange) {
        guard let links, exchange.connection >= 0 else { return settle(number, exchange) }
        let place = exchange.connection
        if exchange.isUnprocessed {
            links.connections[Int(place)].state = .closing
            return settle(number, exchange)
        }
        var lost = [(number, exchange)]
        if links.connections[Int(place)].carried > 1 {
            lost += underWay { $0.connection == place && $0 !== exchange }
        }
        endUnderWay(exchange)
        for (number, exchange) in lost {
            // What the server has closed takes nothing more.
            if case .travelling = exchange.stage, links.ending(place).closes != .max {
                exchange.isCutOff = true
            }
            settle(number, exchange)
        }
    }

    /// The connection of an exchange takes nothing more, and had been set up.
    func endUnderWay(_ exchange: Exchange) {
        guard let links, exchange.connection >= 0 else { return }
        let state = links.connections[Int(exchange.connection)].state
        if ![.settingUp, .closing].contains(state) { tell(.ended, exchange) }
        links.connections[Int(exchange.connection)].state = .closing
    }

    /// Exchanges that have or get a connection and whose clients wait, in an order that does not
    /// depend on their places.
    private func underWay(_ isMeant: (Exchange) -> Bool) -> [(UInt64, Exchange)] {
        exchanges.all.filter { $0.hasClient && $0.isSent && isMeant($0) }
            .sorted { ($0.cause.user, $0.ordinal) < ($1.cause.user, $1.ordinal) }
            .compactMap { exchange in exchange.number.map { ($0, exchange) } }
    }

    /// A client fails a request whose connection has ended, or sends it again.
    private func settle(_ number: UInt64, _ exchange: Exchange) {
        tell(.requestLost, exchange)
        guard let links, mayRepeat(exchange, links.plan.repeats) else {
            return end(number, .failure(TransportError(.networkConnectionLost)))
        }
        tell(.requestRepeated, exchange)
        switch exchange.stage {
        case .returning:
            counters.dropped += 1
            tell(.requestDoneTwice, exchange)
        case .lost, .breaking: if exchange.isAnswered { tell(.requestDoneTwice, exchange) }
        default: break
        }
        if let timeout = exchange.timeout { simulation.cancel(timeout) }
        let again = Exchange(repeating: exchange)
        forget(exchange, number, isWhole: false)
        let newest = exchanges.insert(again)
        again.number = newest
        connect(newest, again, links)
    }

    private func mayRepeat(_ exchange: Exchange, _ rule: ConnectionPlan.Repeats) -> Bool {
        if exchange.isUnprocessed { return rule != .never }
        guard !exchange.isRepetition else { return false }
        return rule == .all || rule == .idempotent && exchange.request.method.isIdempotent
    }

    /// Ends connections as a fault says.
    func endConnections(_ end: ConnectionEnd, of armed: ArmedFault) {
        switch end {
        case .handover(.moves) where links?.plan.carrier == .http3: break
        case .handover(.stalls): stall { armed.concerns(user: $0) }
        case .handover, .offline: breakAll { armed.concerns(user: $0) }
        case .restart(let isReload): restart(isReload: isReload)
        }
    }

    private func stall(_ isMeant: (UInt64) -> Bool) {
        for (_, exchange) in underWay({ isMeant($0.cause.user) }) { exchange.isCutOff = true }
        for place in openConnections(isMeant) { links?.connections[place].state = .stalled }
    }

    private func breakAll(_ isMeant: (UInt64) -> Bool) {
        let lost = underWay { isMeant($0.cause.user) }
        for (_, exchange) in lost { endUnderWay(exchange) }
        for place in openConnections(isMeant) {
            links?.connections[place].state = .closing
        }
        for (number, exchange) in lost {
            if case .connecting = exchange.stage { exchange.isUnprocessed = true }
            settle(number, exchange)
        }
    }

    /// The places of connections that users have.
    private func openConnections(_ isMeant: (UInt64) -> Bool) -> [Int] {
        guard let links else { return [] }
        links.recall(of: isMeant)
        return links.connections.indices.filter {
            links.connections[$0].state != .free
                && isMeant(links.user(of: Int32($0)))
        }
    }

    /// The server ends its connections: those that wait for it learn so a trip later.
    private func restart(isReload: Bool) {
        let now = simulation.now
        let atServer = underWay {
            switch $0.stage {
            case .queued, .served: true
            default: false
            }
        }
        let busy = Set(atServer.map { $0.1.connection })
        for index in openConnections({ _ in true }) {
            guard let links, links.connections[index].state == .open else { continue }
            if isReload, links.plan.carrier == .http1, busy.contains(Int32(index)) {
                links.connections[index].state = .closing
                continue
            }
            links.connections[index].isLeaving = isReload && links.plan.carrier != .http1
            let key = plan.identity.key(of: links.user(of: Int32(index)))
            let delay = law(of: .down, for: key)
                .sample(latency.connection.stream("restart"), at: UInt64(index))
            links.changeEnding(Int32(index)) {
                $0.closes = min($0.closes, now.nanoseconds)
                $0.notice = now.nanoseconds.clampedSum(delay)
            }
        }
        guard !isReload else { return }
        for (number, exchange) in atServer {
            after(travelTime(.down, exchange), severed, number)
        }
    }

    /// A client learns that its connection was reset; an event of its own, as the work goes on.
    private var severed: EventHandler {
        if let severedHandler { return severedHandler }
        let handler = simulation.register(
            .message("connection is reset", onDevice: true) { [unowned self] number in
                exchanges[number].map { .init(number: $0.ordinal, user: $0.cause.user) } ?? .init()
            }
        ) { [unowned self] number in
            if let exchange = exchanges[number], exchange.hasClient {
                loseConnection(number, exchange)
            }
        }
        severedHandler = handler
        return handler
    }
}
