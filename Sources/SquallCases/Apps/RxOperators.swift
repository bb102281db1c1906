import SquallClient
import Synchronization

/// The result of a `Single`: a value, an error, or nothing at all.
///
/// The apps wrap each call in one. Where such a wrapper returns without emitting, its subscriber
/// waits for ever, and cannot tell that from waiting for a slow answer.
enum Emission<Value: Sendable, Failure: Error>: Sendable {
    case success(Value)
    case failure(Failure)
    /// The call has ended, but its `Single` never will.
    case nothing

    /// The value, if there is one.
    var value: Value? {
        guard case .success(let value) = self else { return nil }
        return value
    }

    /// A function's result for the value; an error or nothing stays as it is.
    func flatMap<Other>(
        _ transform: (Value) -> Emission<Other, Failure>
    ) -> Emission<Other, Failure> {
        switch self {
        case .success(let value): transform(value)
        case .failure(let error): .failure(error)
        case .nothing: .nothing
        }
    }

    /// The error, if there is one.
    var error: Failure? {
        guard case .failure(let error) = self else { return nil }
        return error
    }
}

/// RxSwift's `flatMapLatest`: a newer event discards an older one's result.
///
/// Its request is not cancelled: the apps' `Single`s are made with a disposable that does nothing.
final class LatestOnly: Sendable {
    private let newest = Mutex(0)

    /// Runs the work of an event; `nil` when a newer event came before its result.
    func value<Value: Sendable>(of work: () async -> Value) async -> Value? {
        let number = newest.withLock { newest in
            newest += 1
            return newest
        }
        let value = await work()
        return newest.withLock { $0 } == number ? value : nil
    }
}

/// RxSwift's `throttle` as a value: the first event of a window passes at once, and the last one of
/// the window passes at its end.
///
/// That is its default, `latest: true`, which all the apps use. So a double tap is not suppressed
/// but delayed.
struct Throttle: Sendable {
    /// The way of an event through the throttle.
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

    /// Ends the window of a held event; returns true if it passes, as only the last one does.
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

/// A button behind a `throttle`.
///
/// ```swift
/// guard await loginTaps.admit() else { return .nothingToDo }
/// ```
final class ThrottledTaps: Sendable {
    private let time: any TimeSource
    private let throttle: Mutex<Throttle>

    /// A button that lets one tap pass in each window.
    init(windowSeconds: Int64, time: any TimeSource) {
        self.time = time
        throttle = Mutex(Throttle(windowNanoseconds: windowSeconds * 1_000_000_000))
    }

    /// Waits until the tap passes; returns false when a later tap took its place or the screen went
    /// away.
    func admit() async -> Bool {
        let now = time.nanosecondsSinceEpoch
        let (action, ticket) = throttle.withLock { ($0.receive(at: now), $0.ticket) }
        guard case .hold(let end) = action else { return true }
        try? await time.sleep(nanoseconds: max(0, end - now))
        return throttle.withLock { $0.release(ticket, at: end) }
    }

    /// Closes the screen, which is a new one the next time: the held tap never passes.
    func screenCloses() { throttle.withLock { $0.reset() } }
}

/// An app's buttons behind throttles, each made with its first tap: a million phones keep them, and
/// hardly any of those is tapped.
struct ThrottledButtons<Name: Hashable & Sendable>: ~Copyable, Sendable {
    private let made = Mutex<[Name: ThrottledTaps]>([:])

    /// A button that lets one tap pass in each window; the window is that of its first tap.
    func taps(
        _ name: Name, windowSeconds: Int64, at time: any TimeSource
    ) -> ThrottledTaps {
        made.withLock { made in
            let taps = made[name] ?? ThrottledTaps(windowSeconds: windowSeconds, time: time)
            made[name] = taps
            return taps
        }
    }

    /// Closes the screen of a button, which is a new one the next time.
    func screenCloses(of name: Name) { made.withLock { $0[name] }?.screenCloses() }
}
