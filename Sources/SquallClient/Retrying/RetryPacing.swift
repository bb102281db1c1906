public import SquallHTTP
import Synchronization

/// What a retry policy does beyond Alamofire; by default nothing.
public struct RetryPacing: Sendable {
    /// How delays are spread, so that clients that failed together do not return together.
    public var jitter = Jitter.none
    /// The longest delay in seconds, before `Retry-After`; unbounded when `nil`.
    public var maximumDelay: Double?
    /// True to wait at least as long as the response's `Retry-After` asks; false by default.
    public var respectsRetryAfter = false
    /// What all retries together may cost; unbounded when `nil`.
    public var budget: RetryBudget?

    /// Alamofire's pacing: none.
    public init() {}

    /// Alamofire's pacing with some of it changed.
    public init(_ change: (inout RetryPacing) -> Void) { change(&self) }

    /// How a policy spreads its delays.
    public enum Jitter: Hashable, Sendable, CaseIterable {
        /// Each delay as it is.
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

    /// Takes a retry out; returns `false`, and takes nothing, when there is none.
    func withdraw() -> Bool {
        balance.withLock { balance in
            guard balance >= 1000 else { return false }
            balance -= 1000
            return true
        }
    }
}

/// Refuses requests locally, the more of them the more the server has been refusing.
///
/// The rule is Google's (*Site Reliability Engineering*, ch. 21): a request is refused with the
/// probability (requests − K·accepted) / (requests + 1) over the recent past, where the requests
/// below the line include the one at hand, and those above it do not. An interceptor hears of
/// failures only, so every request that has not failed counts as accepted, and unvalidated answers
/// are never failures. Each failure counts once, however often retriers are asked about it. The
/// past fades by half over a half-life without calls, and by two fifths where calls follow each
/// other closely.
public final class AdaptiveThrottling: AsyncRequestInterceptor {
    /// A request that was refused before it was sent.
    public struct Refused: LabelledError, Hashable {
        /// A name without dynamic parts: `throttled`.
        public var label: String { "throttled" }
    }

    private struct Past: Sendable {
        var requests = 0.0
        var refusals = 0.0
        var nanoseconds: Int64 = 0

        mutating func fade(to now: Int64, halfLife: Double) {
            let halves = Double(max(0, now - nanoseconds)) / 1e9 / halfLife
            let factor = halves < 64 ? Past.half(to: halves) : 0
            requests *= factor
            refusals *= factor
            nanoseconds = now
        }

        /// Half to a power, by whole halvings and a straight line between them.
        ///
        /// Not `pow`: its last digits differ between C libraries, and a draw hangs on them.
        private static func half(to power: Double) -> Double {
            let whole = power.rounded(.down)
            let halvings = (0..<Int(whole)).reduce(1.0) { value, _ in value / 2 }
            return halvings * (1 - (power - whole) / 2)
        }
    }

    private let multiplier: Double
    private let halfLifeSeconds: Double
    private let past = Mutex(Past())

    /// A throttle that lets everything pass until the server refuses.
    ///
    /// - Parameters:
    ///   - multiplier: K; 2 lets twice as many requests pass as the server accepts.
    ///   - halfLifeSeconds: how long it takes to forget half of the past.
    public init(multiplier: Double = 2, halfLifeSeconds: Double = 30) {
        self.multiplier = multiplier
        self.halfLifeSeconds = halfLifeSeconds
    }

    /// Passes the request on, or refuses it.
    ///
    /// - Throws: `Refused`.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        let probability = count(request, isRefusal: false)
        let unit = request.randomUnit("client.throttle", ordinal: UInt64(request.retryCount))
        guard unit >= probability else {
            _ = count(request, isRefusal: true, isRequest: false)
            throw Refused()
        }
        return urlRequest
    }

    /// Takes note of what was overloaded or never answered; leaves the decision to others.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        guard !(error.asAFError?.isRequestAdaptationError ?? false), !request.isAskedAgain else {
            return .doNotRetry
        }
        let status = request.response?.statusCode
        if status == nil || status == 429 || status == 503 {
            _ = count(request, isRefusal: true, isRequest: false)
        }
        return .doNotRetry
    }

    /// Counts, and tells with which probability the next request is refused.
    private func count(_ request: Request, isRefusal: Bool, isRequest: Bool = true) -> Double {
        let now = request.session.environment.time.uptimeNanoseconds
        return past.withLock { past in
            past.fade(to: now, halfLife: halfLifeSeconds)
            let accepted = max(0, past.requests - past.refusals)
            let surplus = past.requests - multiplier * accepted
            if isRequest { past.requests += 1 }
            if isRefusal { past.refusals += 1 }
            return max(0, surplus / (past.requests + 1))
        }
    }
}
