import SquallFormat

/// How much of all possible behaviour has been seen.
public struct Coverage: Sendable {
    /// How many schedules were played.
    public private(set) var schedules = 0
    /// How many choices were made in all of them.
    public private(set) var choices = 0
    /// How many of them broke a promise.
    public private(set) var broken = 0
    /// After how many of them objects of an app still existed.
    public private(set) var leftBehind = 0
    /// The users of those apps.
    public private(set) var leftBehindUsers: Set<Int> = []
    /// How many of them were different.
    public var distinctSchedules: Int { seen.count }
    /// How many different views the server had.
    public var distinctViews: Int { views.count }
    /// Whether the two are counted, and not estimated from a sample of very many.
    public var isExact: Bool { seen.isExact && views.isExact }
    /// The pairs of event kinds that ran in this order while both could.
    public private(set) var pairs = PairMatrix()
    /// The most choices that a schedule had.
    public private(set) var longest = 0
    /// The largest number of events that a choice was among.
    public private(set) var widest = 0
    /// How many schedules showed the same evidence.
    private var shown: [Evidence: Int] = [:]
    private var seen = DistinctSample()
    private var views = DistinctSample()

    /// Notes a schedule; returns whether the server saw something new.
    @discardableResult
    mutating func note(_ played: Played) -> Bool {
        schedules += 1
        choices += played.choices.count
        if !played.violations.isEmpty { broken += 1 }
        if !played.leftBehind.isEmpty { leftBehind += 1 }
        leftBehindUsers.formUnion(played.leftBehind)
        longest = max(longest, played.choices.count)
        widest = max(widest, Int(played.widths.max() ?? 1))
        pairs.formUnion(played.pairs)
        shown[played.evidence, default: 0] += 1
        var hash = StableHash()
        for choice in played.choices { hash.mix(choice) }
        _ = seen.note(hash.value)
        return views.note(played.serverView)
    }

    /// How many schedules showed all of an evidence.
    public func showing(_ evidence: Evidence) -> Int {
        shown.reduce(0) { $0 + ($1.key.isSuperset(of: evidence) ? $1.value : 0) }
    }

    /// What was shown in any schedule.
    public var evidence: Evidence { shown.keys.reduce([]) { $0.union($1) } }

    /// The probability that the next schedule shows the server something new (Good and Turing):
    /// views seen once, by schedules played.
    public var unseen: Double {
        schedules == 0 ? 1 : min(1, Double(views.singletons) / Double(schedules))
    }
}
