internal import HTTP

extension Request {
    /// Sends the request until nobody wants it sent again, and serializes the last answer.
    ///
    /// The retrier is asked twice about an attempt at the most: when it ended with an error, and,
    /// if `consultsAgain`, when serializing failed, which it does with that same error if there
    /// already was one. `serialize` keeps the value and returns the error; the attempt that comes
    /// back holds the final one.
    @usableFromInline
    func perform(
        consultsAgain: Bool, serialize: (Attempt) -> AFError?
    ) async -> Attempt {
        while true {
            var attempt = await send()
            if let error = attempt.error {
                guard let final = await errorUnlessRetrying(after: error) else { continue }
                attempt.error = final
            }
            if let error = serialize(attempt) {
                attempt.error = error
                if consultsAgain {
                    guard let final = await errorUnlessRetrying(after: error) else { continue }
                    attempt.error = final
                }
            }
            for monitor in session.environment.eventMonitors {
                monitor.requestDidFinish(self, error: attempt.error)
            }
            return attempt
        }
    }

    /// Builds, adapts, sends and validates once.
    private func send() async -> Attempt {
        var attempt = Attempt()
        do {
            var urlRequest = try build()
            urlRequest = try await adapted(urlRequest)
            attempt.request = urlRequest
            let answer = try await exchange(urlRequest)
            attempt.response = answer.head
            attempt.body = answer.body
            attempt.error = validationError(urlRequest, answer)
        } catch {
            attempt.error = error
        }
        withState { state in
            state.request = attempt.request
            state.response = attempt.response
            state.error = attempt.error
        }
        return attempt
    }

    private func build() throws(AFError) -> URLRequest {
        do { return try convertible.asURLRequest() } catch {
            throw .createURLRequestFailed(error: error)
        }
    }

    private func adapted(_ urlRequest: URLRequest) async throws(AFError) -> URLRequest {
        do {
            var adapted = urlRequest
            if let first = session.interceptor {
                adapted = try await first.adapt(adapted, of: self)
            }
            if let second = interceptor { adapted = try await second.adapt(adapted, of: self) }
            return adapted
        } catch {
            throw .requestAdaptationFailed(error: error)
        }
    }

    private func exchange(_ urlRequest: URLRequest) async throws(AFError) -> TransportResponse {
        let environment = session.environment
        var cause = cause
        cause.attempt = withState { $0.retryCount }
        for monitor in environment.eventMonitors {
            monitor.request(self, willSend: urlRequest, cause: cause)
        }
        let result: Result<TransportResponse, TransportError>
        do {
            result = .success(try await environment.transport.send(urlRequest, cause: cause))
        } catch {
            result = .failure(error)
        }
        for monitor in environment.eventMonitors {
            monitor.request(self, didReceive: result, cause: cause)
        }
        switch result {
        case .success(let answer): return answer
        case .failure(let error) where error.code == .cancelled: throw .explicitlyCancelled
        case .failure(let error): throw .sessionTaskFailed(error: error)
        }
    }

    private func validationError(_ request: URLRequest, _ answer: TransportResponse) -> AFError? {
        for validator in withState({ $0.validators }) {
            if let error = validator.error(request, answer.head, answer.body) { return error }
        }
        return nil
    }

    /// Asks the retriers about an error; `nil` when the request is to be sent again.
    private func errorUnlessRetrying(after error: AFError) async -> AFError? {
        if case .explicitlyCancelled = error { return error }
        if withState({ $0.isReleased }) { return error }
        for retrier in [session.interceptor, interceptor] {
            guard let retrier else { continue }
            switch await retrier.retry(self, dueTo: error) {
            case .doNotRetry: continue
            case .doNotRetryWithError(let own):
                return .requestRetryFailed(retryError: own, originalError: error)
            case .retry: return await prepareRetry(after: error, seconds: 0)
            case .retryWithDelay(let seconds):
                return await prepareRetry(after: error, seconds: seconds)
            }
        }
        return error
    }

    private func prepareRetry(after error: AFError, seconds: Double) async -> AFError? {
        let environment = session.environment
        if seconds > 0 {
            let nanoseconds = Int64((seconds * 1e9).rounded())
            do { try await environment.time.sleep(nanoseconds: nanoseconds) } catch {
                return .explicitlyCancelled
            }
        }
        let count = withState { state in
            state.retryCount += 1
            return state.retryCount
        }
        for monitor in environment.eventMonitors {
            monitor.request(self, isRetrying: Int(count), after: error)
        }
        return nil
    }
}
