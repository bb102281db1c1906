import SquallHTTP
import SquallKernel

/// The time that bytes take on their user's line, which all of the user's connections share.
extension Backend {
    /// Has a request's bytes leave the device before the rest of its trip.
    func upload(_ number: UInt64, _ exchange: Exchange, then transmission: Transmission) {
        watch(number, exchange, until: .max)
        changeLine(.up, of: exchange.cause.user) {
            $0.begin(number, bytes: exchange.request.body.count, then: transmission)
        }
    }

    /// The last byte of a request has left the device.
    func finishUpload(_ number: UInt64) {
        guard let exchange = exchanges[number] else { return }
        if let transmission = takeOff(.up, number, exchange).transmission {
            depart(number, exchange, transmission)
        }
    }

    /// An answer has come to its user's line.
    func download(_ number: UInt64) {
        guard let exchange = exchanges[number], let count = exchange.answer?.body.count else {
            return
        }
        changeLine(.down, of: exchange.cause.user) { $0.begin(number, bytes: count, then: nil) }
    }

    /// Gives back an exchange's share of a line; `wasThere` is `false` when it has none.
    @discardableResult
    func takeOff(
        _ way: UserLines.Way, _ number: UInt64, _ exchange: Exchange
    ) -> (wasThere: Bool, transmission: Transmission?) {
        guard lines.isLimited(way) else { return (false, nil) }
        var taken: (wasThere: Bool, transmission: Transmission?) = (false, nil)
        changeLine(way, of: exchange.cause.user) { taken = $0.end(number) }
        return taken
    }

    private func changeLine(
        _ way: UserLines.Way, of user: UInt64, _ change: (inout SharedLine) -> Void
    ) {
        guard let handlers, var line = lines.take(way, of: user) else { return }
        if let timer = line.timer { simulation.cancel(timer) }
        line.advance(to: simulation.now)
        change(&line)
        line.timer = line.next.map { next in
            simulation.schedule(
                way == .up ? handlers.uploaded : handlers.returned, argument: next.number,
                at: simulation.now.advanced(byNanoseconds: next.after))
        }
        lines.putBack(line, way, of: user)
    }
}
