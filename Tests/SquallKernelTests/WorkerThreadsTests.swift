import Synchronization
import Testing

@testable import SquallKernel

@Suite("Threads that work through a list")
struct WorkerThreadsTests {
    private struct Odd: Error, Equatable { let number: Int }

    @Test("Results stand in the list's order, however many threads there are", arguments: 0...5)
    func order(threads: Int) {
        let workers = WorkerThreads(count: threads)
        for length in [0, 1, 2, 50] {
            let told = Mutex<[Int]>([])
            let results = workers.map(
                length, meanwhile: { done in told.withLock { $0.append(done) } }
            ) { $0 % 3 == 2 ? nil : $0 * $0 }
            #expect(results == (0..<length).map { $0 % 3 == 2 ? nil : $0 * $0 })
            #expect(told.withLock { $0.last ?? 0 } == length)
        }
    }

    @Test("The lowest number's error is thrown, and all other numbers are done", arguments: [2, 5])
    func errors(threads: Int) throws {
        let done = Mutex<Set<Int>>([])
        let workers = WorkerThreads(count: threads)
        #expect(throws: Odd(number: 3)) {
            try workers.map(20) { number in
                done.withLock { _ = $0.insert(number) }
                if number > 2, number % 2 == 1 { throw Odd(number: number) }
            }
        }
        #expect(done.withLock { $0 } == Set(0..<20))
        #expect(try workers.map(20) { $0 + 1 } == Array(1...20))
    }

    @Test("One thread's work is done on the calling one, up to the first error")
    func single() throws {
        let done = Mutex<[Int]>([])
        #expect(throws: Odd(number: 3)) {
            try WorkerThreads(count: 1).map(20) { number in
                done.withLock { $0.append(number) }
                if number == 3 { throw Odd(number: number) }
            }
        }
        #expect(done.withLock { $0 } == [0, 1, 2, 3])
    }
}
