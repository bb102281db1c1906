import SquallBackend
import SquallFormat
import SquallKernel
import SquallReport

/// Follows the server's line around each fault; ``Backlog`` defines its range.
final class BacklogListener: Listener, BackendListener, ServerListener {
    // Every change of the server comes here: checks of exclusive access would cost 2 % of a run.

    private let run: MeasuredRun
    /// The most and the least that waited in each of the last sixty seconds; of the present second
    /// when it is over.
    private var seconds = Array(repeating: Second(), count: secondsKept)
    /// The second under way, by its number, its end and what waited in it.
    @exclusivity(unchecked) private var number: Int64 = 0
    @exclusivity(unchecked) private var end: Int64 = second
    @exclusivity(unchecked) private var present = Second()
    @exclusivity(unchecked) private var mostBusy: Int64 = 0
    @exclusivity(unchecked) private var waiting: Int64 = 0
    @exclusivity(unchecked) private var watches: [Watch] = []

    private static let secondsKept = 60
    private static let second: Int64 = 1_000_000_000
    private static let minute = Int64(secondsKept) * second

    /// The most and the least requests that waited at once in a second.
    private struct Second {
        var most: Int64 = 0
        var least: Int64 = 0
    }

    /// A fault and the server's line since it began.
    fileprivate struct Watch {
        let end, before, limit: Int64
        /// True if the line grew all through the time before, so that it has no range.
        let wasGrowing: Bool
        var largest: Int64 = 0
        var longestWait: Int64 = 0
        var isOut = false
        var backAt: Int64?
        var isOver = false
    }

    init?(_ run: MeasuredRun) {
        guard run.hasFaults else { return nil }
        self.run = run
    }

    /// For each fault that struck, in order of time.
    var found: [Backlog] { watches.map { backlog($0) } }

    func faultStruck(_ fault: Fault) {
        let now = run.now
        turn(to: now)
        for index in watches.indices where !watches[index].isOut { watches[index].isOver = true }
        let filled = min(Int64(Self.secondsKept), number + 1)
        let minute = (number + 1 - filled..<number).map { seconds[place(of: $0)] } + [present]
        let before = minute.map(\.most).max() ?? 0
        let (early, late) = (minute.prefix(10).map(\.most), minute.suffix(10).map(\.least))
        watches.append(
            Watch(
                end: fault.end.nanoseconds, before: before,
                limit: 2 * before + max(1, mostBusy),
                wasGrowing: filled >= 20 && late.min() ?? 0 > early.max() ?? 0))
        serverChanged(busy: mostBusy, waiting: waiting, at: now)
    }

    func lineLeft(_ endpoint: Endpoint, after wait: Int64, _ user: User) {
        for index in watches.indices where !watches[index].isOver {
            watches[index].longestWait = max(watches[index].longestWait, wait)
        }
    }

    func serverChanged(busy: Int64, waiting: Int64, at now: Int64) {
        guard now <= run.loadEnd else { return }
        if now >= end { turn(to: now) }
        self.waiting = waiting
        mostBusy = max(mostBusy, busy)
        present.most = max(present.most, waiting)
        present.least = min(present.least, waiting)
        for index in watches.indices where !watches[index].isOver {
            watches[index].note(waiting, at: now, minute: Self.minute)
        }
    }

    /// Begins the seconds until a moment; the requests that wait now have waited in each.
    private func turn(to now: Int64) {
        let newest = now / Self.second
        guard newest > number else { return }
        seconds[place(of: number)] = present
        present = Second(most: waiting, least: waiting)
        for between in max(number + 1, newest - 59)..<newest {
            seconds[place(of: between)] = present
        }
        number = newest
        end = (newest + 1) * Self.second
    }

    private func place(of second: Int64) -> Int { Int(second % Int64(Self.secondsKept)) }

    private func backlog(_ watch: Watch) -> Backlog {
        let load = min(run.loadEnd, run.now)
        let recovery: Recovery =
            if !watch.isOut {
                .after(nanoseconds: max(0, (watch.backAt ?? 0) - min(watch.end, load)))
            } else if watch.wasGrowing || load - watch.end < 10_000_000_000 {
                .unknown
            } else {
                .never
            }
        return Backlog(
            before: watch.before, largest: watch.largest,
            longestWaitNanoseconds: watch.longestWait,
            leftRange: watch.isOut || watch.backAt != nil, recovery: recovery)
    }
}

extension BacklogListener.Watch {
    fileprivate mutating func note(_ waiting: Int64, at now: Int64, minute: Int64) {
        largest = max(largest, waiting)
        if !isOut, waiting > limit {
            isOut = true
        } else if isOut, waiting <= before {
            isOut = false
            backAt = now
        }
        isOver = !isOut && now > end.clampedSum(minute)
    }
}
