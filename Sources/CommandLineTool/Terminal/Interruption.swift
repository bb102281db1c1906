import Dispatch
import Foundation
import SquallKernel
import Synchronization

/// Whether somebody asked the process to end, and what has to be done before it does.
///
/// While somebody waits for the request, as a run does that can be summed up as it stands, the
/// first signal only sets it. Otherwise, and on the second one, the process ends at once: children
/// are ended and unfinished folders removed before.
final class Interruption: Sendable {
    private let state = Mutex(State())
    /// Held while duties are done and while the process ends.
    private let ending = Mutex(())

    private struct State {
        var signal: EndingSignal?
        var isAwaited = false
        var nextNumber = 0
        var duties: [(number: Int, action: @Sendable () -> Void)] = []
        /// Whether duties were done, so that nothing that needs one may be made any more.
        var isEnding = false

        mutating func add(_ action: @escaping @Sendable () -> Void) -> Duty {
            nextNumber += 1
            duties.append((nextNumber, action))
            return Duty(number: nextNumber)
        }
    }

    /// Names a duty, to take it back.
    struct Duty {
        fileprivate let number: Int
    }

    var isRequested: Bool { state.withLock { $0.signal != nil } }

    /// The code a command ends with that was asked to end.
    var exitCode: ExitCode { state.withLock { $0.signal }?.exitCode ?? .interrupted }

    /// Asks to end; says whether the process has to end at once.
    @discardableResult
    func request(_ signal: EndingSignal = .interrupt) -> Bool {
        state.withLock { state in
            let isFirst = state.signal == nil
            state.signal = state.signal ?? signal
            return !isFirst || !state.isAwaited
        }
    }

    /// Does something that notices the request by itself.
    func awaited<Value>(_ body: () throws -> Value) rethrows -> Value {
        state.withLock { $0.isAwaited = true }
        defer { state.withLock { $0.isAwaited = false } }
        return try body()
    }

    /// Does something for each element, until somebody asks to end.
    ///
    /// What was done by then is kept; what can be given up in the middle says so by throwing
    /// `StopRequested`, and who asks a second time does not wait for anything else.
    func each<Element, Value>(
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

    /// The code of a command that did what it could: its own, or that of the request to end.
    func code(otherwise code: ExitCode) -> ExitCode { isRequested ? exitCode : code }

    /// Adds what is done before the process ends at once; it must not take long.
    func beforeEnding(_ action: @escaping @Sendable () -> Void) -> Duty {
        state.withLock { $0.add(action) }
    }

    /// Makes what must not outlive the process, as a child or a folder, and adds how it is taken
    /// away; a signal comes before both or after both.
    ///
    /// - Throws: what making it throws; `StopRequested` when the process is ending.
    func making<Value: Sendable>(
        _ make: () throws -> Value, beforeEnding undo: @escaping @Sendable (Value) -> Void
    ) throws -> (Value, Duty) {
        try state.withLock { state in
            guard !state.isEnding else { throw StopRequested() }
            let value = try make()
            return (value, state.add { undo(value) })
        }
    }

    /// Takes a duty back.
    func forget(_ duty: Duty) {
        state.withLock { state in state.duties.removeAll { $0.number == duty.number } }
    }

    /// Does a duty now, unless it was done before the process ends.
    func perform(_ duty: Duty) {
        ending.withLock { _ in
            let found = state.withLock { state in
                state.duties.firstIndex { $0.number == duty.number }
                    .map { state.duties.remove(at: $0) }
            }
            found?.action()
        }
    }

    /// Does every duty, the newest first.
    func doDuties() {
        let duties = state.withLock { state in
            defer { state.duties = [] }
            state.isEnding = true
            return state.duties
        }
        for duty in duties.reversed() { duty.action() }
    }

    /// Listens for signals as long as the returned sources live; what was ignored when the process
    /// began, as `nohup` and shells do for jobs behind them, stays ignored.
    func listening() -> [any DispatchSourceSignal] {
        // Writing beyond `ulimit -f` is then an error of the write, which says what was kept.
        signal(SIGXFSZ, SIG_IGN)
        return EndingSignal.allCases.filter { !$0.isIgnored }.map { ending in
            signal(ending.number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: ending.number, queue: .global())
            source.setEventHandler { [self] in
                guard request(ending) else { return }
                self.ending.withLock { _ in
                    doDuties()
                    _exit(exitCode.rawValue)
                }
            }
            source.resume()
            return source
        }
    }

    /// Ends the process in its own time; while a signal ends it, that one's code is kept.
    func exit(_ code: ExitCode) -> Never { ending.withLock { _ in Foundation.exit(code.rawValue) } }
}
