internal import HTTP

/// What one send of a request came to.
struct Attempt: Sendable {
    var request: URLRequest?
    var response: HTTPURLResponse?
    var body: Body?
    var error: AFError?

    /// The body; an error when there was one before, or when there is no body.
    var nonemptyBody: Result<Body, AFError> {
        if let error { return .failure(error) }
        guard let body, !body.isEmpty else {
            return .failure(.responseSerializationFailed(reason: .inputDataNilOrZeroLength))
        }
        return .success(body)
    }
}

extension Request {
    /// Sends the request until nobody wants it sent again, and serializes the last answer.
    ///
    /// The retrier is asked twice about an attempt at the most: when it ended with an error, and again
    /// when serializing failed, which it does with that same error if there already was one.
    func perform<Value>(_ serializer: ResponseSerializer<Value>) async -> DataResponse<Value> {
        while true {
            var attempt = await send()
            if let error = attempt.error {
                guard let final = await errorUnlessRetrying(after: error) else { continue }
                attempt.error = final
            }
            var result = serializer.serialize(attempt)
            if serializer.consultsRetrier, case .failure(let error) = result {
                guard let final = await errorUnlessRetrying(after: error) else { continue }
                result = .failure(final)
            }
            finish(result)
            return DataResponse(
                request: attempt.request, response: attempt.response, data: attempt.body,
                result: result)
        }
    }

    private func finish<Value>(_ result: Result<Value, AFError>) {
        var error: AFError?
        if case .failure(let failure) = result { error = failure }
        for monitor in session.environment.eventMonitors {
            monitor.requestDidFinish(self, error: error)
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
