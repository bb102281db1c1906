import Synchronization

/// What all retries of a session, or of several, may cost together.
///
/// Every request pays in a fraction of a retry, every retry takes out a whole one. When a server
/// fails, the retries so add at most that fraction to its load, however many clients there are.
public final class RetryBudget: Sendable {
    /// What each request pays in, in thousandths of a retry.
    private let deposited: Int64
    private let capacity: Int64
    private let balance: Mutex<Int64>

    /// A budget that begins full.
    ///
    /// - Parameters:
    ///   - ratio: retries that each request pays for, such as 0.1.
    ///   - capacity: the most retries it holds.
    public init(ratio: Double, capacity: Int = 10) {
        deposited = Int64((ratio * 1000).rounded())
        self.capacity = Int64(capacity) * 1000
        balance = Mutex(Int64(capacity) * 1000)
    }

    func deposit() { balance.withLock { $0 = min(capacity, $0 + deposited) } }

    /// Takes a retry out; `false`, and nothing is taken, when there is none.
    func withdraw() -> Bool {
        balance.withLock { balance in
            guard balance >= 1000 else { return false }
            balance -= 1000
            return true
        }
    }
}
