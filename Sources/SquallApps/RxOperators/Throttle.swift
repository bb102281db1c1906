/// RxSwift's `throttle` as a value: the first event of a window passes at once, and the last one of
/// the window passes at its end.
///
/// That is its default, `latest: true`, which every one of the apps uses. A double tap is therefore
/// not suppressed but delayed.
struct Throttle: Sendable {
    /// What becomes of an event.
    enum Action: Hashable, Sendable {
        /// It passes now.
        case pass
        /// It passes then, unless a later event takes its place.
        case hold(until: Int64)
    }

    private let windowNanoseconds: Int64
    private var lastPassed: Int64?
    private var windowEnd: Int64?
    private var held = 0

    /// A throttle that lets one event pass in each window.
    init(windowNanoseconds: Int64) { self.windowNanoseconds = windowNanoseconds }

    /// The number of the event that is held, for `release`.
    var ticket: Int { held }

    /// An event arrives.
    mutating func receive(at now: Int64) -> Action {
        held += 1
        if let windowEnd { return .hold(until: windowEnd) }
        guard let lastPassed, now - lastPassed < windowNanoseconds else {
            self.lastPassed = now
            return .pass
        }
        let end = lastPassed + windowNanoseconds
        windowEnd = end
        return .hold(until: end)
    }

    /// The window ends for a held event: whether it passes, which only the last one does.
    mutating func release(_ ticket: Int, at now: Int64) -> Bool {
        guard ticket == held, windowEnd != nil else { return false }
        windowEnd = nil
        lastPassed = now
        return true
    }

    /// Begins anew, without the event that is held.
    mutating func reset() {
        held += 1
        windowEnd = nil
        lastPassed = nil
    }
}
