/// Allows so many requests a second, a tenth of a second's at once.
struct Pace {
    private let interval: Int64
    private let burst: Int64
    /// When the next request would be sent if all were evenly spread.
    private var spread = Int64.min

    init(perSecond rate: Int64) {
        interval = max(1, 1_000_000_000 / rate)
        burst = max(1, rate / 10) * interval
    }

    /// Takes a request where one is allowed now.
    mutating func allows(at now: Int64) -> Bool {
        guard wait(at: now) == 0 else { return false }
        spread = max(spread, now) + interval
        return true
    }

    /// How long it is until one is allowed.
    func wait(at now: Int64) -> Int64 { spread < now ? 0 : max(0, spread + interval - burst - now) }
}
