/// A level that rises and falls, added up over a span of time in whole numbers.
public struct LevelMeter: Hashable, Sendable {
    /// What it is now.
    public private(set) var level: Int64 = 0
    /// The highest it was in the span.
    public private(set) var highest: Int64 = 0
    private var sum: Int128 = 0
    private var changedAt: Int64 = 0
    private var startedAt: Int64 = 0
    private var endedAt: Int64?

    /// A level of 0 since the beginning of time.
    public init() {}

    /// The level added up over the span so far, in its unit times nanoseconds.
    public func area(at now: Int64) -> Int128 {
        sum + Int128(level) * Int128(max(0, min(now, endedAt ?? now) - changedAt))
    }

    /// How long the span is so far.
    public func nanoseconds(at now: Int64) -> Int64 { min(now, endedAt ?? now) - startedAt }

    /// The mean level over the span so far; `nil` before any time has passed.
    public func mean(at now: Int64) -> Double? {
        let span = nanoseconds(at: now)
        return span > 0 ? Double(area(at: now)) / Double(span) : nil
    }

    mutating func set(_ level: Int64, at now: Int64) {
        // Whole numbers add up to the same however often an unchanged level is added.
        guard level != self.level else { return }
        guard endedAt == nil else { return self.level = level }
        sum = area(at: now)
        changedAt = now
        self.level = level
        highest = max(highest, level)
    }

    /// The span begins now.
    mutating func restart(at now: Int64) {
        sum = 0
        changedAt = now
        startedAt = now
        endedAt = nil
        highest = level
    }

    /// The span ends now.
    mutating func stop(at now: Int64) {
        guard endedAt == nil else { return }
        sum = area(at: now)
        changedAt = now
        endedAt = now
    }
}
