import SquallFormat

/// How much of what can happen has been seen.
public struct Coverage: Sendable {
    /// How many schedules were played.
    public private(set) var schedules = 0
    /// How many of them broke a promise.
    public private(set) var broken = 0
    /// How many of them were different.
    public var distinctSchedules: Int { seen.count }
    /// How many different things the server saw.
    public var distinctViews: Int { views.count }
    /// The pairs of kinds of things that ran in this order while both could.
    public private(set) var pairs = PairMatrix()
    /// The most choices that a schedule had.
    public private(set) var longest = 0
    /// The most that could be chosen among.
    public private(set) var widest = 0
    private var seen: Set<UInt64> = []
    private var views: [UInt64: Int] = [:]
    /// Views that were seen once.
    private var singletons = 0

    /// Takes in a schedule; whether the server saw something new.
    @discardableResult
    mutating func note(_ played: Played) -> Bool {
        schedules += 1
        if !played.violations.isEmpty { broken += 1 }
        longest = max(longest, played.choices.count)
        widest = max(widest, Int(played.widths.max() ?? 1))
        pairs.formUnion(played.pairs)
        var hash = StableHash()
        for choice in played.choices { hash.mix(choice) }
        seen.insert(hash.value)
        let count = views[played.serverView, default: 0]
        views[played.serverView] = count + 1
        if count == 0 { singletons += 1 } else if count == 1 { singletons -= 1 }
        return count == 0
    }

    /// How likely the next schedule shows the server something new (Good and Turing): views seen
    /// once, by schedules played.
    public var unseen: Double { schedules == 0 ? 1 : Double(singletons) / Double(schedules) }
}
