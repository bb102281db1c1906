public import SquallHTTP
import Synchronization

/// Sends nothing for a while after so many failures in a row, and then one call to try.
///
/// The circuit breaker of Nygard's *Release It!* (2007, ch. 5), one for each session. Closed, it
/// counts attempts that failed in a row; an attempt that the server answered, whatever it said,
/// begins the count anew. Open, it refuses calls. After that time it is half open: the next attempt
/// is sent, and others are refused until it ends. If that fails, it is open again, or else closed.
///
/// A failure is an attempt without a response, or with 429 or 5xx. What was sent before the breaker
/// opened and ends after that counts no more.
public final class CircuitBreaker: AsyncRequestInterceptor {
    /// A request that was refused before it was sent.
    public struct Refused: LabelledError, Hashable {
        /// A name without dynamic parts: `circuitOpen`.
        public var label: String { "circuitOpen" }
    }

    private enum State: Sendable {
        case closed(failuresInARow: Int)
        case open(until: Int64)
        /// One attempt is under way, to try; one that never ends is followed by another.
        case halfOpen(trial: Trial, until: Int64)
    }

    /// One attempt of a request.
    private struct Trial: Hashable {
        let request, retry: UInt32

        init(_ request: Request) {
            (self.request, retry) = (request.number, UInt32(request.retryCount))
        }
    }

    private let limit: Int
    private let pauseNanoseconds: Int64
    private let policy: RetryPolicy
    private let state = Mutex(State.closed(failuresInARow: 0))

    /// A closed breaker.
    ///
    /// - Parameters:
    ///   - limit: how many failures in a row open it.
    ///   - pauseNanoseconds: how long it stays open.
    ///   - policy: sends failed calls again; each attempt counts.
    public init(opensAfter limit: Int, forNanoseconds pauseNanoseconds: Int64, policy: RetryPolicy)
    {
        (self.limit, self.pauseNanoseconds, self.policy) = (limit, pauseNanoseconds, policy)
    }

    /// Passes the request on, or refuses it.
    ///
    /// - Throws: `Refused`.
    public func adapt(_ urlRequest: URLRequest, of request: Request) async throws -> URLRequest {
        let now = request.session.environment.time.uptimeNanoseconds
        let isRefused = state.withLock { state in
            switch state {
            case .closed: return false
            case .open(let end), .halfOpen(_, let end):
                guard now >= end else { return true }
                state = .halfOpen(trial: Trial(request), until: now + pauseNanoseconds)
                return false
            }
        }
        guard !isRefused else { throw Refused() }
        return try await policy.adapt(urlRequest, of: request)
    }

    /// Leaves the decision to its policy; what was refused here is not sent again.
    public func retry(_ request: Request, dueTo error: any Error) async -> RetryResult {
        guard !(error.asAFError?.isRequestAdaptationError ?? false) else { return .doNotRetry }
        return await policy.retry(request, dueTo: error)
    }

    /// Counts an attempt that has ended; once each, whatever is asked about it later.
    func ended(_ attempt: Attempt, of request: Request) {
        guard let isFailure = attempt.isOverload else { return }
        let now = request.session.environment.time.uptimeNanoseconds
        state.withLock { state in
            switch state {
            case .closed(let failures):
                state =
                    !isFailure
                    ? .closed(failuresInARow: 0)
                    : failures + 1 < limit
                        ? .closed(failuresInARow: failures + 1)
                        : .open(until: now + pauseNanoseconds)
            case .halfOpen(let trial, _) where trial == Trial(request):
                state =
                    isFailure
                    ? .open(until: now + pauseNanoseconds) : .closed(failuresInARow: 0)
            case .open, .halfOpen: break
            }
        }
    }
}

extension Attempt {
    /// True for an attempt that the server refused by 429 or 5xx or did not answer; `nil` for one
    /// that was not sent, or that the app cancelled.
    fileprivate var isOverload: Bool? {
        guard wasSent else { return nil }
        if let status = response?.statusCode {
            return status == 429 || (500...599).contains(status)
        }
        return error?.isExplicitlyCancelledError == true ? nil : true
    }
}
