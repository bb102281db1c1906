import SquallHTTP

/// The two questions whether a request is to be sent again.
extension Request {
    enum Decision {
        case sendAgain
        /// It ends, with this error.
        case finish(AFError)
    }

    /// Asks the retriers about an error, and waits if they say so.
    nonisolated(nonsending) func decision(after error: AFError) async -> Decision {
        guard !error.isExplicitlyCancelledError, !noticesCancellation() else {
            return .finish(error)
        }
        let (added, isReleased) = withState { ($0.interceptors, $0.isReleased) }
        let retriers = InterceptorList(of: self, added: added)
        guard !retriers.isEmpty, !isReleased else { return .finish(error) }
        let result = await RequestCause.$retrying.withValue(number) {
            await ask(retriers, about: error)
        }
        let completesWhenCancelled =
            session.environment.behaviour.cancelledRetry == .completesWithEarlierError
        if completesWhenCancelled, noticesCancellation() { return .finish(error) }
        switch result {
        case .doNotRetry: return .finish(error)
        case .doNotRetryWithError(let own):
            return .finish(.requestRetryFailed(retryError: own, originalError: error))
        case .retry: return await prepareRetry(after: error, seconds: 0)
        case .retryWithDelay(let seconds):
            return await prepareRetry(after: error, seconds: seconds)
        }
    }

    private nonisolated(nonsending) func ask(_ retriers: InterceptorList, about error: AFError)
        async -> RetryResult
    {
        for retrier in retriers {
            let result = await retrier.retry(self, dueTo: error)
            guard case .doNotRetry = result else { return result }
        }
        return .doNotRetry
    }

    private nonisolated(nonsending) func prepareRetry(after error: AFError, seconds: Double) async
        -> Decision
    {
        if seconds > 0 {
            let nanoseconds = Int64((seconds * 1e9).rounded())
            // A cancelled sleep ends early; what that means is decided below.
            try? await session.environment.time.sleep(nanoseconds: nanoseconds)
        }
        if noticesCancellation() {
            if session.environment.behaviour.cancelledRetry == .neverCompletes {
                let lost = LostCompletion(place: .cancelledRetry, interceptor: "Session")
                await parkForever(at: lost)
            }
            return .finish(error)
        }
        let count = withState { state in
            state.retryCount += 1
            state.keepRequests()
            return Int(state.retryCount)
        }
        notify { $0.request(self, isRetrying: count, after: error) }
        return .sendAgain
    }
}

extension Request.State {
    /// Makes room for the next attempt.
    fileprivate mutating func keepRequests() {
        earlierRequests = requests
        initialRequest = nil
        adaptedRequest = nil
        attempt = nil
    }
}
