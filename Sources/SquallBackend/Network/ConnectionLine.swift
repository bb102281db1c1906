/// Exchanges that wait for a connection, in the order in which they came.
///
/// A list through the exchanges, by their places in the table of those under way: each user has a
/// line for each host, and an array that once held something took 70 bytes for ever.
struct ConnectionLine {
    /// Stands for no exchange.
    static let none = UInt32.max
    private var (first, last) = (none, none)

    var isEmpty: Bool { first == Self.none }

    /// The exchange that has waited longest.
    func next(in exchanges: ExchangeTable) -> Exchange? {
        first == Self.none ? nil : exchanges.exchange(at: first)
    }

    mutating func append(_ exchange: Exchange, in exchanges: ExchangeTable) {
        exchange.nextWaiting = Self.none
        if first == Self.none {
            first = exchange.place
        } else {
            exchanges.exchange(at: last)?.nextWaiting = exchange.place
        }
        last = exchange.place
    }

    /// Takes an exchange out, if it is in the line; it may have left the table just before.
    mutating func remove(_ exchange: Exchange, in exchanges: ExchangeTable) {
        var (before, place) = (Self.none, first)
        while place != exchange.place, place != Self.none {
            before = place
            place = exchanges.exchange(at: place)?.nextWaiting ?? Self.none
        }
        guard place != Self.none else { return }
        if before == Self.none {
            first = exchange.nextWaiting
        } else {
            exchanges.exchange(at: before)?.nextWaiting = exchange.nextWaiting
        }
        if last == place { last = before }
    }
}
