public import SquallHTTP
import Synchronization

/// Refuses requests locally, the more of them the more the server has been refusing.
///
/// The rule is Google's (*Site Reliability Engineering*, ch. 21): a request is refused with the
/// probability (requests − K·accepted) / (requests + 1) over the recent past. An interceptor hears
/// of failures only, so every request that has not failed counts as accepted, and unvalidated
/// answers are never failures. The past fades with a half-life.
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
        guard !(error.asAFError?.isRequestAdaptationError ?? false) else { return .doNotRetry }
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

extension RequestCause {
    /// The request whose retrier or adapter runs in this task, or whose refusal caused what the
    /// client sends now.
    @TaskLocal public static var retrying: UInt32?
}
