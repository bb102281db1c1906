import SquallHTTP

/// One attempt: build, adapt, send, validate.
extension Request {
    /// Builds, adapts, sends and validates once; `resumes` when the request does so only now.
    ///
    /// Inlined with what it awaits, as each asynchronous call takes a piece of the task's stack.
    @inline(__always)
    nonisolated(nonsending) func send(resumes: Bool) async -> Attempt {
        let (urlRequest, setup): (URLRequest, Setup)
        do {
            let initial = try build()
            setup = self.setup(of: initial)
            urlRequest = try completed(try await adapted(initial, setup))
            notifyOfStage { $0.request(self, didCreateURLRequest: urlRequest) }
            if resumes { notifyOfStage { $0.requestDidResume(self) } }
        } catch {
            if resumes { notifyOfStage { $0.requestDidResume(self) } }
            return over(
                withState { Attempt(request: $0.request, after: $0.attempt, error: error) })
        }
        // Only now is the last attempt's answer not this request's any more.
        if setup.retryCount > 0 { withState { $0.attempt = nil } }
        do {
            return over(try await exchange(urlRequest, setup), of: urlRequest)
        } catch {
            return over(withState { Attempt(request: $0.request, answer: nil, error: error) })
        }
    }

    /// What an attempt needs to know of the request, read once.
    struct Setup {
        let interceptors: InterceptorList
        let retryCount: UInt32
        let redirector: Redirector?
    }

    private func setup(of initial: URLRequest) -> Setup {
        let (added, retryCount, redirector) = withState { state in
            state.initialRequest = initial
            return (state.interceptors, state.retryCount, state.redirector)
        }
        notifyOfStage { $0.request(self, didCreateInitialURLRequest: initial) }
        return Setup(
            interceptors: InterceptorList(of: self, added: added), retryCount: retryCount,
            redirector: redirector)
    }

    /// An attempt that has its answer: keeps it and lets the validators see it.
    private func over(_ answer: TransportResponse, of urlRequest: URLRequest) -> Attempt {
        let attempt = Attempt(request: urlRequest, answer: answer)
        let (validators, isCancelled) = withState { state in
            state.attempt = attempt
            return (state.validators, state.isCancelled)
        }
        if isCancelled { return over(attempt.failed(with: .explicitlyCancelled)) }
        let error = validators.error(of: attempt, session.environment.behaviour) { error in
            notifyOfStage {
                $0.request(
                    self, didValidateResponse: answer.head,
                    withResult: error.map(Result.failure) ?? .success(()))
            }
        }
        if let error { return over(attempt.failed(with: error)) }
        notifyOfStage { $0.request(self, didCompleteAttemptWithError: nil) }
        return attempt
    }

    /// An attempt that failed.
    private func over(_ attempt: Attempt) -> Attempt {
        withState { $0.attempt = attempt }
        notifyOfStage { $0.request(self, didCompleteAttemptWithError: attempt.error) }
        return attempt
    }

    private func build() throws(AFError) -> URLRequest {
        do {
            let urlRequest = try convertible.asURLRequest()
            try urlRequest.checkBody()
            return urlRequest
        } catch {
            let failure = error.asAFError { .createURLRequestFailed(error: $0) }
            notify { $0.request(self, didFailToCreateURLRequestWithError: failure) }
            throw failure
        }
    }

    @inline(__always)
    private nonisolated(nonsending) func adapted(
        _ initial: URLRequest, _ setup: Setup
    ) async throws(AFError) -> URLRequest {
        guard !setup.interceptors.isEmpty else { return initial }
        do {
            var adapted = initial
            for place in 0..<setup.interceptors.count {
                guard let adapter = setup.interceptors[place] else { continue }
                adapted = try await adapter.adapt(adapted, of: self)
            }
            try adapted.checkBody()
            let result = adapted
            let isCancelled = noticesCancellation { $0.adaptedRequest = result }
            if isCancelled, endsWhenCancelled { throw AFError.explicitlyCancelled }
            notifyOfStage { $0.request(self, didAdaptInitialRequest: initial, to: result) }
            guard isCancelled else { return result }
        } catch {
            guard !noticesCancellation() || !endsWhenCancelled else { throw .explicitlyCancelled }
            let failure = AFError.requestAdaptationFailed(error: error)
            notify { $0.request(self, didFailToAdaptURLRequest: initial, withError: failure) }
            throw failure
        }
        await parkForever(at: .cancelledRetry)
        throw .explicitlyCancelled
    }

    /// Whether somebody cancelled the request, or the task that awaits it.
    ///
    /// `change` is made on the way, so that it costs no access of its own.
    func noticesCancellation(_ change: (inout State) -> Void = { _ in }) -> Bool {
        let isTaskCancelled = Task.isCancelled
        let (isCancelled, isNew) = withState { state in
            change(&state)
            let isNew = isTaskCancelled && !state.isCancelled
            if isNew { state.isCancelled = true }
            return (state.isCancelled, isNew)
        }
        if isNew { notify { $0.requestDidCancel(self) } }
        return isCancelled
    }
}

/// A session's and a request's interceptors in order, without a copy of any of them.
struct InterceptorList {
    private let request: Request
    private let added: [any RequestInterceptor]
    private let isSessionFirst: Bool

    init(of request: Request, added: [any RequestInterceptor]) {
        self.request = request
        self.added = added
        let order = request.session.environment.behaviour.interceptorOrder
        isSessionFirst = order == .sessionFirst
    }

    var isEmpty: Bool {
        !request.session.isIntercepted && !request.isIntercepted && added.isEmpty
    }

    /// How many places there are, some of which may be empty.
    var count: Int { added.count + 2 }

    /// Who has a place: first the session, the request and what was added to it; or first the
    /// request, what was added and the session.
    subscript(place: Int) -> (any RequestInterceptor)? {
        switch isSessionFirst ? place : place + 1 {
        case 1: request.isIntercepted ? request.interceptor : nil
        case let later where (2..<added.count + 2).contains(later): added[later - 2]
        default: request.session.isIntercepted ? request.session.interceptor : nil
        }
    }
}

extension URLRequest {
    /// - Throws: `urlRequestValidationFailed` for a GET with a body.
    fileprivate func checkBody() throws(AFError) {
        guard method == .get, !body.isEmpty else { return }
        throw .urlRequestValidationFailed(reason: .bodyDataInGETRequest(body))
    }
}
