import Dispatch
import Synchronization

/// Plays worlds on several cores.
///
/// A world is one thread's, and worlds share nothing, so what comes out is the same with any number
/// of threads: results stand in the order of the numbers.
enum Parallel {
    /// The values of a function for the numbers below `count`.
    ///
    /// - Throws: what the function throws for the lowest number.
    static func map<Value: Sendable>(
        _ count: Int, threads: Int, _ body: @escaping @Sendable (Int) throws -> Value
    ) throws -> [Value] {
        guard threads > 1, count > 1 else { return try (0..<count).map(body) }
        let results = Mutex<[Result<Value, any Error>?]>(Array(repeating: nil, count: count))
        let next = Atomic<Int>(0)
        DispatchQueue.concurrentPerform(iterations: min(threads, count)) { _ in
            while true {
                let number = next.add(1, ordering: .relaxed).oldValue
                guard number < count else { return }
                let result = Result { try body(number) }
                results.withLock { $0[number] = result }
            }
        }
        return try results.withLock { $0 }.map { result in
            guard let result else { preconditionFailure("a number was left out") }
            return try result.get()
        }
    }
}
