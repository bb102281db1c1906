import Synchronization

@testable import SquallClient

/// A page of numbers.
struct NumberPage: CursorPage, Hashable {
    let items: [Int]
    let nextCursor: String
}

/// A list of numbers, newest first, on a server that takes a second for a page of three.
///
/// Cursors name the item that a page begins with; an empty one and `"0"` mean the beginning.
final class PageServer: Sendable {
    struct Failure: Error, Hashable {}

    private struct State {
        var items: [Int]
        var asked: [String] = []
        var running = 0
        var runningMax = 0
        var cancelled = 0
    }

    private let state: Mutex<State>
    private let time: any TimeSource
    private let failing: String?

    init(_ count: Int, time: any TimeSource, failing: String? = nil) {
        state = Mutex(State(items: (1...max(count, 1)).reversed()))
        self.time = time
        self.failing = failing
    }

    /// What it was asked for, in order.
    var asked: [String] { state.withLock { $0.asked } }
    var runningMax: Int { state.withLock { $0.runningMax } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    /// Adds a newer item.
    func insert(_ item: Int) { state.withLock { $0.items.insert(item, at: 0) } }

    func page(after cursor: String) async throws -> NumberPage {
        try await serve(cursor)
        return state.withLock { state in
            let start = state.items.firstIndex { "\($0)" == cursor } ?? 0
            let items = Array(state.items[start...].prefix(3))
            let next = state.items.dropFirst(start + 3).first
            return NumberPage(items: items, nextCursor: next.map { "\($0)" } ?? "0")
        }
    }

    func page(offset: Int) async throws -> [Int] {
        try await serve("\(offset)")
        return state.withLock { Array($0.items.dropFirst(offset).prefix(3)) }
    }

    private func serve(_ position: String) async throws {
        state.withLock { state in
            state.asked.append(position)
            state.running += 1
            state.runningMax = max(state.running, state.runningMax)
        }
        defer { state.withLock { $0.running -= 1 } }
        do {
            try await time.sleep(nanoseconds: 1_000_000_000)
        } catch {
            state.withLock { $0.cancelled += 1 }
            throw error
        }
        if position == failing { throw Failure() }
    }
}
