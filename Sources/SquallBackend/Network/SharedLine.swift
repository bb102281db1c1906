import SquallKernel

/// One user's line in one direction: at every moment its transfers share its speed evenly.
///
/// Processor sharing, exact to the nanosecond: because all transfers get the same, one sum says how
/// much each has had since the line was last empty, and a transfer is over when that sum reaches
/// what it was on arrival plus the transfer's own size. Only the next end is ever scheduled.
struct SharedLine {
    private let bytesPerSecond: Int64
    /// The bytes that each transfer has had since the line was last empty, in units of
    /// ``unitsPerByte``.
    private var attained: Int128 = 0
    private var changed = Instant.start
    /// By their ends, and among equal ends by their beginnings.
    private var transfers: [Transfer] = []
    /// The event of the next end.
    var timer: Timer?

    private struct Transfer {
        let number: UInt64
        let end: Int128
        /// What the exchange meets after the line; `nil` on the way down.
        let transmission: Transmission?
    }

    /// A billionth byte, as a line of n bytes a second moves n of them in a nanosecond, in fixed
    /// point so that a share of a third does not add up to an error of a nanosecond.
    private static let unitsPerByte: Int128 = 1_000_000_000 << 32

    init(bytesPerSecond: Int64) { self.bytesPerSecond = bytesPerSecond }

    var isEmpty: Bool { transfers.isEmpty }

    private var unitsPerNanosecond: Int128 { Int128(bytesPerSecond) << 32 }

    /// Gives every transfer its share of the time since the last change.
    mutating func advance(to now: Instant) {
        if !transfers.isEmpty {
            let elapsed = Int128(now.nanoseconds - changed.nanoseconds)
            attained += elapsed * unitsPerNanosecond / Int128(transfers.count)
        }
        changed = now
    }

    mutating func begin(_ number: UInt64, bytes: Int, then transmission: Transmission?) {
        let end = attained + Int128(bytes) * Self.unitsPerByte
        let place = transfers.firstIndex { $0.end > end } ?? transfers.endIndex
        transfers.insert(Transfer(number: number, end: end, transmission: transmission), at: place)
    }

    /// Takes a transfer off the line, ended or not; `false` when it is not on it.
    mutating func end(_ number: UInt64) -> (wasThere: Bool, transmission: Transmission?) {
        guard let place = transfers.firstIndex(where: { $0.number == number }) else {
            return (false, nil)
        }
        // Others that end at the same instant must not be late by a rounded nanosecond.
        if place == 0, nanoseconds(until: transfers[0].end) == 0 {
            attained = max(attained, transfers[0].end)
        }
        return (true, transfers.remove(at: place).transmission)
    }

    /// The transfer that ends next, and when that is while nothing changes.
    var next: (number: UInt64, after: Int64)? {
        transfers.first.map { ($0.number, nanoseconds(until: $0.end)) }
    }

    private func nanoseconds(until end: Int128) -> Int64 {
        let rest = max(0, end - attained) * Int128(transfers.count)
        return Int64(clamping: (rest + unitsPerNanosecond / 2) / unitsPerNanosecond)
    }
}

/// The lines of all users, in both directions; a direction without a limit has none.
struct UserLines {
    enum Way { case up, down }

    private let upSpeed, downSpeed: Int64?
    private var busyUp: [UInt64: SharedLine] = [:]
    private var busyDown: [UInt64: SharedLine] = [:]

    init(_ plan: NetworkPlan) {
        upSpeed = plan.uploadBytesPerSecond
        downSpeed = plan.bandwidthBytesPerSecond
    }

    func isLimited(_ way: Way) -> Bool { speed(way) != nil }

    private func speed(_ way: Way) -> Int64? { way == .up ? upSpeed : downSpeed }

    /// Takes a user's line out, to be put back after it was changed.
    mutating func take(_ way: Way, of user: UInt64) -> SharedLine? {
        guard let speed = speed(way) else { return nil }
        let busy =
            way == .up ? busyUp.removeValue(forKey: user) : busyDown.removeValue(forKey: user)
        return busy ?? SharedLine(bytesPerSecond: speed)
    }

    mutating func putBack(_ line: SharedLine, _ way: Way, of user: UInt64) {
        guard !line.isEmpty else { return }
        if way == .up { busyUp[user] = line } else { busyDown[user] = line }
    }
}
