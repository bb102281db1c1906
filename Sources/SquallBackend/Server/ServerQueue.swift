import SquallKernel

/// The server's workers and the line before them: c servers, one queue, first come, first served.
///
/// A value: it says what is to happen, and whoever owns it makes it happen.
public struct ServerQueue {
    /// What becomes of a request that arrives.
    public enum Admission: Hashable, Sendable {
        /// A worker takes it now.
        case starts
        /// It waits in line.
        case waits
        /// There is no room.
        case refused
    }

    /// How many requests may be worked on at once; those under way beyond it are finished.
    var workers: Int
    /// How many may wait.
    let queueLimit: Int
    /// How many workers are at work.
    public private(set) var busy = 0
    private var line: [UInt64] = []
    private var first = 0

    /// Idle workers and an empty line.
    public init(workers: Int, queueLimit: Int) {
        self.workers = workers
        self.queueLimit = queueLimit
    }

    /// How many wait.
    public var waiting: Int { line.count - first }

    /// A request has arrived.
    public mutating func admit(_ request: UInt64) -> Admission {
        if busy < workers {
            busy += 1
            return .starts
        }
        guard waiting < queueLimit else { return .refused }
        line.append(request)
        return .waits
    }

    /// A worker is done; the request it takes next, if any waits.
    public mutating func finishOne() -> UInt64? {
        guard waiting > 0, busy <= workers else {
            busy -= 1
            return nil
        }
        return removeFirst()
    }

    /// A request that waits although a worker is free, as when there are more workers than before.
    mutating func startOneWaiting() -> UInt64? {
        guard waiting > 0, busy < workers else { return nil }
        busy += 1
        return removeFirst()
    }

    private mutating func removeFirst() -> UInt64 {
        defer {
            first += 1
            if first > 1_024, first * 2 > line.count {
                line.removeFirst(first)
                first = 0
            }
        }
        return line[first]
    }
}

/// Which workers are at work: each request is in the hands of one, by number.
struct WorkerNumbers {
    private var idle: [Int32] = []
    private var highest: Int32 = 0

    /// The worker who takes the next request; the one who finished last, if any has.
    mutating func take() -> Int32 {
        if let worker = idle.popLast() { return worker }
        highest += 1
        return highest - 1
    }

    /// A worker has nothing to do.
    mutating func giveBack(_ worker: Int32) { idle.append(worker) }
}
