import SquallKernel

/// Some workers and the line before them: c servers and one queue.
///
/// A value: it says what is to happen, and its owner makes it happen.
public struct ServerQueue {
    /// What happens to a request that arrives.
    public enum Admission: Hashable, Sendable {
        /// A worker takes it now.
        case starts
        /// It waits in line.
        case waits
        /// It waits in the place of another request, which is turned away.
        case replaces(UInt64)
        /// There is no room.
        case refused
    }

    /// How many requests may be worked on at once; those under way beyond it are finished.
    var workers: Int
    /// How many may wait.
    let queueLimit: Int
    /// How many workers are at work.
    public private(set) var busy = 0
    private var line: WaitingLine

    /// Idle workers and an empty line, which is served first come, first served.
    public init(workers: Int, queueLimit: Int) {
        self.init(workers: workers, queueLimit: queueLimit, line: WaitingLine())
    }

    init(workers: Int, queueLimit: Int, line: WaitingLine) {
        self.workers = workers
        self.queueLimit = queueLimit
        self.line = line
    }

    /// How many wait.
    public var waiting: Int { line.count }

    /// Admits a request that has arrived.
    ///
    /// A full line turns away the request that would be served last: this one or a waiting one.
    public mutating func admit(_ request: UInt64) -> Admission { admit(request, level: 0) }

    /// The same for a request whose level is served before those with higher numbers.
    mutating func admit(_ request: UInt64, level: Int) -> Admission {
        if busy < workers {
            busy += 1
            return .starts
        }
        if waiting < queueLimit {
            line.append(request, level: level)
            return .waits
        }
        guard let last = line.popLast(before: level) else { return .refused }
        line.append(request, level: level)
        return .replaces(last)
    }

    /// A worker is done; returns the request that it takes next, if any waits.
    public mutating func finishOne() -> UInt64? {
        guard busy <= workers, let next = line.popFirst() else {
            busy -= 1
            return nil
        }
        return next
    }

    /// Takes a request that waits although a worker is free, as after workers were added.
    mutating func startOneWaiting() -> UInt64? {
        guard busy < workers, let next = line.popFirst() else { return nil }
        busy += 1
        return next
    }

    /// A request leaves the line.
    ///
    /// - Precondition: it waits.
    mutating func remove(_ request: UInt64) { line.remove(request) }
}

/// The numbers of busy and idle workers; each request is with one worker.
struct WorkerNumbers {
    private var idle: [Int32] = []
    private var next: Int32

    /// Workers whose numbers begin at one.
    init(from first: Int32 = 0) { next = first }

    /// The number of the worker that takes the next request: the one that finished last, if any.
    mutating func take() -> Int32 {
        if let worker = idle.popLast() { return worker }
        next += 1
        return next - 1
    }

    /// A worker has nothing to do.
    mutating func giveBack(_ worker: Int32) { idle.append(worker) }
}
