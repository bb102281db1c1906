/// Requests that wait, in the order of their line.
///
/// A level is served only when all levels before it are empty; within a level the request that has
/// waited longest goes first, or the newest. A request that leaves from the middle is only marked,
/// so that each request is moved once.
struct WaitingLine {
    /// How many wait.
    private(set) var count = 0
    private let newestFirst: Bool
    private var levels: [Level]
    /// Requests that have left from the middle and are still in a level's list.
    private var gone: Set<UInt64> = []

    private struct Level {
        var requests: [UInt64] = []
        var first = 0

        var isEmpty: Bool { first == requests.count }

        var oldest: UInt64? { isEmpty ? nil : requests[first] }

        mutating func popFirst() -> UInt64 {
            defer {
                first += 1
                if first > 1_024, first * 2 > requests.count {
                    requests.removeFirst(first)
                    first = 0
                }
            }
            return requests[first]
        }
    }

    init(levels: Int = 1, newestFirst: Bool = false) {
        self.levels = Array(repeating: Level(), count: max(1, levels))
        self.newestFirst = newestFirst
    }

    /// A request joins the line.
    mutating func append(_ request: UInt64, level: Int) {
        levels[level].requests.append(request)
        count += 1
    }

    /// Removes the request that is next.
    mutating func popFirst() -> UInt64? {
        guard count > 0 else { return nil }
        for level in levels.indices {
            while !levels[level].isEmpty {
                let request =
                    newestFirst ? levels[level].requests.removeLast() : levels[level].popFirst()
                guard isGone(request) else {
                    count -= 1
                    return request
                }
            }
        }
        return nil
    }

    /// Removes the last request to be served, unless one that comes to a level would be last.
    mutating func popLast(before level: Int) -> UInt64? {
        guard count > 0 else { return nil }
        for last in levels.indices.reversed() where last >= level {
            // In the order of coming a new request is served last in its own level.
            if last == level, !newestFirst { return nil }
            while !levels[last].isEmpty {
                let request =
                    newestFirst ? levels[last].popFirst() : levels[last].requests.removeLast()
                guard isGone(request) else {
                    count -= 1
                    return request
                }
            }
        }
        return nil
    }

    /// Removes a request from where it stands.
    ///
    /// - Precondition: it is in the line.
    mutating func remove(_ request: UInt64) {
        gone.insert(request)
        count -= 1
        // The longest waiting one leaves most often; a line of the newest may never reach it.
        for level in levels.indices {
            while let first = levels[level].oldest, isGone(first) { _ = levels[level].popFirst() }
        }
    }

    private mutating func isGone(_ request: UInt64) -> Bool {
        !gone.isEmpty && gone.remove(request) != nil
    }
}
