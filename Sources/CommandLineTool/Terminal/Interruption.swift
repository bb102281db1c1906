import Dispatch
import Foundation
import SquallFormat
import SquallKernel
import Synchronization

/// The request of signals that the process ends, and the cleanups that run before it does.
///
/// While a command polls for the request, as a run does that can be summed up as it stands, the
/// first signal only sets it, and says so. Otherwise, and on a second one, the process ends at
/// once, after its cleanups: children are ended, results that are there are kept, and unfinished
/// folders removed. Signals within a second are one: a wrapper that passes a signal on makes two of
/// it.
public final class Interruption: Sendable {
    private let state = Mutex(State())
    /// Held while cleanups run and while the process ends.
    private let ending = Mutex(())

    private struct State {
        var signal: EndingSignal?
        var requestedAt: Int64 = 0
        /// The number of running bodies that notice the request by themselves.
        var awaiting = 0
        var nextNumber = 0
        var cleanups: [(number: Int, action: @Sendable () -> Void)] = []
        /// True as soon as the cleanups have run, so that nothing that needs one may be made any
        /// more.
        var isEnding = false

        mutating func add(_ action: @escaping @Sendable () -> Void) -> Cleanup {
            nextNumber += 1
            cleanups.append((nextNumber, action))
            return Cleanup(number: nextNumber)
        }
    }

    /// Identifies a cleanup, to remove it or to run it early.
    struct Cleanup {
        fileprivate let number: Int
    }

    /// Nothing was asked yet.
    public init() {}

    /// The signal that asked to end; nil where none has.
    var requestedSignal: EndingSignal? { state.withLock { $0.signal } }

    var isRequested: Bool { requestedSignal != nil }

    /// The exit code of a command that was asked to end.
    var exitCode: ExitCode { state.withLock { $0.signal }?.exitCode ?? .interrupted }

    /// The demand of a signal.
    public enum Request: Sendable {
        /// The command ends by itself.
        case ends
        /// The request was made a moment ago.
        case wasAsked
        /// The process ends at once.
        case endsAtOnce
    }

    /// Signals that come within this span are one.
    private static let togetherNanoseconds = Span.second

    /// Asks to end, now or at another moment of the real clock.
    @discardableResult
    public func request(_ signal: EndingSignal = .interrupt, at moment: Int64? = nil) -> Request {
        let now = moment ?? RealClock.nanoseconds
        return state.withLock { state in
            guard state.signal == nil else {
                let isSame = now - state.requestedAt < Self.togetherNanoseconds
                return isSame ? .wasAsked : .endsAtOnce
            }
            (state.signal, state.requestedAt) = (signal, now)
            return state.awaiting > 0 ? .ends : .endsAtOnce
        }
    }

    /// Runs a body that notices the request by itself.
    func awaited<Value>(_ body: () throws -> Value) rethrows -> Value {
        state.withLock { $0.awaiting += 1 }
        defer { state.withLock { $0.awaiting -= 1 } }
        return try body()
    }

    /// Runs a body for each element until the process is asked to end.
    ///
    /// The results so far are kept. A body that can stop in the middle does so by throwing
    /// `StopRequested`; a second signal ends the process without waiting.
    public func each<Element, Value>(
        of elements: [Element], _ body: (Element) throws -> Value
    ) throws -> [Value] {
        try awaited {
            var values: [Value] = []
            for element in elements where !isRequested {
                do { values.append(try body(element)) } catch is StopRequested { break }
            }
            return values
        }
    }

    /// The exit code of a finished command: its own, or that of the request to end.
    public func code(otherwise code: ExitCode) -> ExitCode { isRequested ? exitCode : code }

    /// Adds a cleanup, which runs before the process ends at once; it must not take long.
    func onExit(_ action: @escaping @Sendable () -> Void) -> Cleanup {
        state.withLock { $0.add(action) }
    }

    /// Makes what must not outlive the process, as a child or a folder, and adds its cleanup; a
    /// signal comes before both or after both.
    ///
    /// - Throws: what making it throws; `StopRequested` when the process is ending.
    func making<Value: Sendable>(
        _ make: () throws -> Value, onExit undo: @escaping @Sendable (Value) -> Void
    ) throws -> (Value, Cleanup) {
        try state.withLock { state in
            guard !state.isEnding else { throw StopRequested() }
            let value = try make()
            return (value, state.add { undo(value) })
        }
    }

    /// Removes a cleanup without running it.
    func forget(_ cleanup: Cleanup) {
        state.withLock { state in state.cleanups.removeAll { $0.number == cleanup.number } }
    }

    /// Runs a cleanup now, unless it has run.
    func perform(_ cleanup: Cleanup) {
        ending.withLock { _ in
            let found = state.withLock { state in
                state.cleanups.firstIndex { $0.number == cleanup.number }
                    .map { state.cleanups.remove(at: $0) }
            }
            found?.action()
        }
    }

    /// Runs every cleanup, the newest first.
    func cleanUp() {
        let cleanups = state.withLock { state in
            defer { state.cleanups = [] }
            state.isEnding = true
            return state.cleanups
        }
        for cleanup in cleanups.reversed() { cleanup.action() }
    }

    /// The answer to the sender of the first signal.
    static let notice =
        "ending, results are kept; a second signal after a second ends at once with what is kept"
        + " by then"

    /// Listens for signals while the returned sources live; a signal that was ignored when the
    /// process began, as by `nohup` or for background jobs of a shell, stays ignored.
    ///
    /// `told` is told the first signal that a command ends for by itself.
    func listening(told: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        // Exceeding `ulimit -f` then fails the write, which reports what was kept.
        signal(SIGXFSZ, SIG_IGN)
        return EndingSignal.allCases.filter { !$0.isIgnored }.map { ending in
            signal(ending.number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: ending.number, queue: .global())
            source.setEventHandler { [self] in
                switch request(ending) {
                case .ends: told()
                case .wasAsked: break
                case .endsAtOnce:
                    self.ending.withLock { _ in
                        cleanUp()
                        _exit(exitCode.rawValue)
                    }
                }
            }
            source.resume()
            return source
        }
    }

    /// Ends the process; if a signal is ending it already, the signal's exit code is kept.
    func exit(_ code: ExitCode) -> Never { ending.withLock { _ in Foundation.exit(code.rawValue) } }
}
