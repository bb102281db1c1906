import Synchronization

/// What making an exploration's findings smaller may cost, all of them together.
///
/// In choices of schedules and not in time: what comes out is the same on every machine.
public final class Reduction: Sendable {
    /// The most choices that may be made.
    public let most: Int
    private let used = Mutex(0)

    /// Any exploration may spend this much; ten seconds of a core or so.
    public static let least = 1_000_000
    /// A larger one may spend so many times what it took itself.
    public static let share = 4
    /// What a schedule costs besides its choices, in choices.
    private static let base = 20

    /// A budget of so many choices.
    init(most: Int) { self.most = most }

    convenience init(after coverage: Coverage) {
        let (choices, isBeyond) = coverage.choices.multipliedReportingOverflow(by: Self.share)
        self.init(most: isBeyond ? .max : max(Self.least, choices))
    }

    /// How many were made.
    public var spent: Int { used.withLock { $0 } }
    /// Whether nothing more may be tried.
    public var isOver: Bool { spent >= most }

    func note(_ played: Played) { note(schedules: 1, choices: played.choices.count) }

    func note(schedules: Int, choices: Int) {
        used.withLock { $0 += schedules * Self.base + choices }
    }

    /// How many schedules of a length may still be played.
    func schedulesLeft(length: Int) -> Int { max(0, most - spent) / (length + Self.base) }
}
