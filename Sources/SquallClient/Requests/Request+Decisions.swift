import SquallHTTP

/// The two decisions whether a request is to be sent again.
extension Request {
    /// Asks the retriers about an attempt that has failed, and waits if they say so.
    ///
    /// - Returns: the attempt with its final error; `nil` when it is to be sent again.
    nonisolated(nonsending) func decision(
        about failed: Attempt, isSerializing: Bool
    ) async -> Attempt? {
        guard let error = failed.error, !error.isExplicitlyCancelledError, !noticesCancellation()
        else { return failed }
        let isReleased = withState { state in
            state.isSerializing = isSerializing
            return state.isReleased
        }
        let retriers = interceptors
        guard !retriers.isEmpty, !isReleased else { return failed }
        let (result, retrier) = await RequestCause.$retrying.withValue(number) {
            await ask(retriers, about: error)
        }
        if endsWhenCancelled, noticesCancellation() { return failed }
        switch result {
        case .doNotRetry: return failed
        case .doNotRetryWithError(let own):
            return failed.failed(
                with: .requestRetryFailed(retryError: own, originalError: error))
        case .retry, .retryWithDelay:
            let seconds = result.delay ?? 0
            let isAgain = await prepareRetry(after: error, seconds: seconds, by: retrier)
            return isAgain ? nil : failed
        }
    }

    /// The first retrier's decision that is not `doNotRetry`, and that retrier.
    private nonisolated(nonsending) func ask(_ retriers: InterceptorList, about error: AFError)
        async -> (result: RetryResult, retrier: (any RequestInterceptor)?)
    {
        for place in 0..<retriers.count {
            guard let retrier = retriers[place] else { continue }
            let result = await retrier.retry(self, dueTo: error)
            guard case .doNotRetry = result else { return (result, retrier) }
        }
        return (.doNotRetry, nil)
    }

    /// The longest pause before a retry, in seconds: a century, which doubling delays soon exceed.
    private static var pauseMax: Double { 3e9 }

    /// Whether the request is to be sent again, after some time.
    private nonisolated(nonsending) func prepareRetry(
        after error: AFError, seconds: Double, by retrier: (any RequestInterceptor)?
    ) async -> Bool {
        let time = session.environment.time
        if seconds > 0 {
            // A cancelled sleep ends early; what that means is decided below.
            let pause = min(seconds, Self.pauseMax)
            try? await time.sleep(nanoseconds: Int64((pause * 1e9).rounded()))
        }
        if noticesCancellation() {
            if !endsWhenCancelled { await parkForever(at: .cancelledRetry) }
            return false
        }
        let isSpinning = withState { $0.isSpinning(at: time.uptimeNanoseconds) }
        if isSpinning, let retrier {
            let name = retrier.namesOfRetriers.joined(separator: ", ")
            await parkForever(at: LostCompletion(place: .spin, interceptor: name))
            return false
        }
        let count = withState { state in
            state.beginRetry()
            return Int(state.retryCount)
        }
        notify { $0.request(self, isRetrying: count, after: error) }
        return true
    }
}

extension Request.State {
    /// How many attempts fit between two looks at the clock; if it stands still, they are a spin.
    ///
    /// Far above any real client's retries; costs milliseconds.
    private static let attemptsPerLook: UInt32 = 1_000

    /// Whether this many attempts have passed while the time has not.
    fileprivate mutating func isSpinning(at nanoseconds: Int64) -> Bool {
        guard retryCount % Self.attemptsPerLook == 0 else { return false }
        let kept = made
        defer { kept.spinMark = nanoseconds }
        return retryCount > 0 && kept.spinMark == nanoseconds
    }

    /// Makes room for the next attempt.
    fileprivate mutating func beginRetry() {
        retryCount += 1
        if let initialRequest { made.earlierRequests.append(initialRequest) }
        if let adaptedRequest { made.earlierRequests.append(adaptedRequest) }
        initialRequest = nil
        adaptedRequest = nil
        attempt = attempt?.remainder
        isSerializing = false
    }
}

extension RequestRetrier {
    /// Its type; a chain's members' instead.
    fileprivate var namesOfRetriers: [String] {
        guard let chain = self as? Interceptor else { return ["\(type(of: self))"] }
        return chain.retriers.flatMap(\.namesOfRetriers)
    }
}
