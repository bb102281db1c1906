import Synchronization

/// What a retry policy does beyond Alamofire; by default nothing.
public struct RetryPacing: Sendable {
    /// How delays are spread, so that clients that failed together do not return together.
    public var jitter = Jitter.none
    /// The longest delay in seconds, before `Retry-After`; unbounded when `nil`.
    public var maximumDelay: Double?
    /// Whether a delay is at least what the answer's `Retry-After` asks for.
    public var respectsRetryAfter = false
    /// What all retries together may cost; unbounded when `nil`.
    public var budget: RetryBudget?

    /// Alamofire's pacing: none.
    public init() {}

    /// Alamofire's pacing with some of it changed.
    public init(_ change: (inout RetryPacing) -> Void) { change(&self) }

    /// How delays are spread.
    public enum Jitter: Hashable, Sendable, CaseIterable {
        /// Not at all.
        case none
        /// Between half the delay and the whole of it.
        case equal
        /// Between nothing and the delay.
        case full
        /// Between the first delay and three times the one before, whatever the exponential is.
        case decorrelated
    }
}

/// Exponential delays, bounded and spread.
struct Backoff {
    let base: Double
    let scale: Double
    let maximum: Double?

    /// The delay before a retry, in seconds; the same for the same request and retry.
    func delay(retry: UInt, jitter: RetryPacing.Jitter, of request: Request) -> Double {
        switch jitter {
        case .none: return bounded(exponential(retry))
        case .equal:
            let delay = bounded(exponential(retry))
            return delay / 2 + delay / 2 * unit(retry, request)
        case .full: return bounded(exponential(retry)) * unit(retry, request)
        case .decorrelated:
            // Each delay depends on the one before, so the chain is followed from its beginning.
            return (0...retry).reduce(scale) { previous, number in
                bounded(scale + (previous * 3 - scale) * unit(number, request))
            }
        }
    }

    private func exponential(_ retry: UInt) -> Double {
        (0..<retry).reduce(scale) { delay, _ in delay * base }
    }

    private func bounded(_ delay: Double) -> Double { min(delay, maximum ?? .infinity) }

    private func unit(_ retry: UInt, _ request: Request) -> Double {
        request.randomUnit("client.jitter", ordinal: UInt64(retry))
    }
}

extension Request {
    /// A random number in [0, 1) that belongs to this request, a purpose and an ordinal.
    func randomUnit(_ purpose: StaticString, ordinal: UInt64) -> Double {
        let bits = session.environment.random.bits(
            purpose, user: session.user, ordinal: UInt64(number) << 16 | ordinal)
        return Double(bits >> 11) * 0x1p-53
    }
}

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
