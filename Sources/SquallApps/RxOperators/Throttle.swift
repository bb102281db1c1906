/// RxSwift's `throttle` as a value: the first event of a window passes at once, and the last one of
/// the window passes at its end.
///
/// That is its default, `latest: true`, which all the apps use. So a double tap is not suppressed
/// but delayed.
struct Throttle: Sendable {
    /// What happens to an event.
    enum Action: Hashable, Sendable {
        /// It passes now.
        case pass
        /// It passes at this time, unless a later event takes its place.
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

    /// Ends the window of a held event; returns whether it passes, as only the last one does.
    mutating func release(_ ticket: Int, at now: Int64) -> Bool {
        guard ticket == held, windowEnd != nil else { return false }
        windowEnd = nil
        lastPassed = now
        return true
    }

    /// Begins anew, and drops the held event.
    mutating func reset() {
        held += 1
        windowEnd = nil
        lastPassed = nil
    }
}
