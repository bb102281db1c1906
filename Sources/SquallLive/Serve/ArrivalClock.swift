/// When requests came, which is earlier than when they are read where the server was busy.
///
/// What a wait finds at once may have come while the turn before was under way: then its client
/// knew nothing of what was sent in that turn. In stepped time a turn takes no time, and nothing
/// stands still.
struct ArrivalClock {
    let isStepped: Bool
    private var (waitBegan, enteredAt, cameAt) = (Int64.min, Int64(0), Int64(0))

    /// A wait that is shorter has found at once what there was.
    private static let noWaitNanoseconds: Int64 = 500_000

    /// A request whose bytes come within this span comes at once.
    static let longNanoseconds: Int64 = 5_000_000

    /// A turn that takes so much longer than any wait was no turn: the process was stopped, or the
    /// machine suspended.
    private static let standstillNanoseconds: Int64 = 1_000_000_000

    init(isStepped: Bool = false) { self.isStepped = isStepped }

    /// How long nothing can have been read or sent by a moment, where that was long.
    func standstill(at now: Int64) -> Int64? {
        let span = now - enteredAt
        return !isStepped && enteredAt > 0 && span >= Self.standstillNanoseconds ? span : nil
    }

    /// The server begins to wait for sockets.
    mutating func waits(at now: Int64) { waitBegan = now }

    /// The server reads what is ready, at the moment that it returns.
    mutating func enters(at now: Int64) -> Int64 {
        let hasWaited = now &- waitBegan > Self.noWaitNanoseconds && standstill(at: now) == nil
        cameAt = hasWaited ? now : enteredAt
        enteredAt = now
        return now
    }

    /// When a request came at the earliest whose first byte was read at a moment.
    func came(readAt moment: Int64) -> Int64 { moment == enteredAt ? cameAt : moment }
}
