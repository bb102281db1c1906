import Foundation
import Synchronization

/// A fixed number of threads that work through a list together; each has one world at a time.
///
/// Results stand in the order of the list, so their number and speed cannot show.
public struct WorkerThreads {
    let count: Int

    /// So many threads; without any, the calling one does the work.
    public init(count: Int) { self.count = count }

    /// The stack size of a program's first thread, in bytes.
    private static let stackSize = 8 << 20
    private static let pauseSeconds = 0.1

    /// Runs the body for each number; `nil` for those that it leaves out.
    ///
    /// `meanwhile` is called on this thread every tenth of a second, with how many are done.
    public func map<Value: Sendable>(
        _ length: Int, meanwhile: (Int) -> Void,
        _ body: @escaping @Sendable (Int) -> Value?
    ) -> [Value?] {
        let state = SharedWork<Value>(length)
        let ended = DispatchSemaphore(value: 0)
        // When the machine has no more threads to give, those that started do the work.
        var running = (0..<min(count, length)).count { _ in
            Self.start {
                while let index = state.next() { state.finish(index, body(index)) }
                ended.signal()
            }
        }
        while running == 0, let index = state.next() {
            state.finish(index, body(index))
            meanwhile(state.done)
        }
        while running > 0 {
            let outcome = ended.wait(timeout: .now() + Self.pauseSeconds)
            if outcome == .success { running -= 1 }
            meanwhile(state.done)
        }
        return state.results
    }

    /// Starts a thread of the system; Foundation does not say when there is none to be had.
    private static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
        let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
        defer { attributes.deallocate() }
        guard pthread_attr_init(attributes) == 0 else { return false }
        defer { pthread_attr_destroy(attributes) }
        pthread_attr_setstacksize(attributes, stackSize)
        pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
        let box = Unmanaged.passRetained(ThreadBody(body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread: pthread_t = 0
        #endif
        let problem = pthread_create(
            &thread, attributes,
            { box in
                let box: UnsafeMutableRawPointer? = box
                guard let box else { return nil }
                Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        if problem != 0 { box.release() }
        return problem == 0
    }

    /// Runs the body for each number; a single thread's work is done on the calling one.
    ///
    /// - Throws: what the body throws for the lowest number; all other numbers are still done.
    public func map<Value: Sendable>(
        _ length: Int, _ body: @escaping @Sendable (Int) throws -> Value
    ) throws -> [Value] {
        guard count > 1, length > 1 else { return try (0..<length).map(body) }
        let results = map(length, meanwhile: { _ in }) { number in Result { try body(number) } }
        return try results.map { result in
            guard let result else { preconditionFailure("a number below \(length) was left out") }
            return try result.get()
        }
    }
}

/// What a thread does, in the form in which the system passes it on.
private final class ThreadBody: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

/// What threads share: the next number and the results so far.
private final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var next = 0
        var done = 0
        var results: [Value?]
    }

    private let state: Mutex<State>
    private let length: Int

    init(_ length: Int) {
        self.length = length
        state = Mutex(State(results: Array(repeating: nil, count: length)))
    }

    func next() -> Int? {
        state.withLock { state in
            guard state.next < length else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    func finish(_ index: Int, _ value: Value?) {
        state.withLock { state in
            state.results[index] = value
            state.done += 1
        }
    }

    var done: Int { state.withLock { $0.done } }
    var results: [Value?] { state.withLock { $0.results } }
}
