public import SquallHTTP

/// One attempt: build, adapt, send, validate.
extension Request {
    /// A request on its way to the transport, or the attempt that it has died as.
    enum Stage {
        case goesOn(URLRequest)
        case died(Attempt)
    }

    /// Builds, adapts, sends and validates once.
    ///
    /// Inlined with what it awaits, as each asynchronous call takes a piece of the task's stack.
    /// What it only calls is not, and hands on no errors but those in attempts: all that would make
    /// its own piece larger.
    @inline(__always)
    nonisolated(nonsending) func send() async -> Attempt {
        var stage = build()
        if case .goesOn(let initial) = stage { stage = await adapted(initial) }
        if case .goesOn(let adapted) = stage { stage = complete(adapted) }
        switch stage {
        case .goesOn(let urlRequest): return await exchange(urlRequest)
        case .died(let attempt): return attempt
        }
    }

    /// Adds what comes last.
    @inline(never)
    func complete(_ adapted: consuming URLRequest) -> Stage {
        do {
            let urlRequest = try completed(adapted)
            notifyOfStage { $0.request(self, didCreateURLRequest: urlRequest) }
            return .goesOn(urlRequest)
        } catch {
            return died(of: error)
        }
    }

    /// An attempt that never reached the transport.
    private func died(of error: AFError) -> Stage {
        .died(over(withState { Attempt(request: $0.request, after: $0.attempt, error: error) }))
    }

    /// An attempt that has its answer: keeps it and lets the validators see it.
    @inline(never)
    func over(_ answer: TransportResponse, of urlRequest: URLRequest) -> Attempt {
        let attempt = Attempt(request: urlRequest, answer: answer)
        let (validators, isCancelled) = withState { state in
            state.attempt = attempt
            return (state.validators, state.isCancelled)
        }
        if isCancelled { return over(attempt.failed(with: .explicitlyCancelled)) }
        let error = validators.error(of: urlRequest, answer) { error in
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
    func over(_ attempt: Attempt) -> Attempt {
        withState { $0.attempt = attempt }
        notifyOfStage { $0.request(self, didCompleteAttemptWithError: attempt.error) }
        return attempt
    }

    @inline(never)
    func build() -> Stage {
        do {
            var urlRequest = try convertible.asURLRequest()
            try urlRequest.checkBody()
            if let timeout = session.timeoutNanoseconds, urlRequest.timeoutNanoseconds == nil {
                urlRequest.timeoutNanoseconds = timeout
            }
            withState { $0.initialRequest = urlRequest }
            notifyOfStage { $0.request(self, didCreateInitialURLRequest: urlRequest) }
            return .goesOn(urlRequest)
        } catch {
            let failure = error.asAFError { .createURLRequestFailed(error: $0) }
            notify { $0.request(self, didFailToCreateURLRequestWithError: failure) }
            return died(of: failure)
        }
    }

    @inline(__always)
    private nonisolated(nonsending) func adapted(_ initial: URLRequest) async -> Stage {
        let interceptors = interceptors
        guard !interceptors.isEmpty else { return .goesOn(initial) }
        var adapted = initial
        do {
            for place in 0..<interceptors.count {
                guard let adapter = interceptors.adapter(at: place) else { continue }
                adapted = try await adapter.adapt(adapted, of: self)
            }
        } catch {
            return adaptingFailed(initial, with: error)
        }
        if let stage = accept(adapted, from: initial) { return stage }
        await parkForever(at: .cancelledRetry)
        return died(of: .explicitlyCancelled)
    }

    /// The outcome for a request as its adapters left it; `nil` for one that was cancelled
    /// meanwhile and does not end.
    @inline(never)
    private func accept(_ adapted: URLRequest, from initial: URLRequest) -> Stage? {
        do {
            try adapted.checkBody()
        } catch {
            return adaptingFailed(initial, with: error)
        }
        let isCancelled = noticesCancellation { $0.adaptedRequest = adapted }
        if isCancelled, endsWhenCancelled { return died(of: .explicitlyCancelled) }
        notifyOfStage { $0.request(self, didAdaptInitialRequest: initial, to: adapted) }
        return isCancelled ? nil : .goesOn(adapted)
    }

    @inline(never)
    private func adaptingFailed(_ initial: URLRequest, with error: any Error) -> Stage {
        guard !noticesCancellation() || !endsWhenCancelled else {
            return died(of: .explicitlyCancelled)
        }
        let failure = AFError.requestAdaptationFailed(error: error)
        notify { $0.request(self, didFailToAdaptURLRequest: initial, withError: failure) }
        return died(of: failure)
    }

    var interceptors: InterceptorList {
        InterceptorList(of: self, added: withState { $0.rare?.interceptors ?? [] })
    }

    /// True if the request, or the task that awaits it, was cancelled.
    ///
    /// `change` is made on the way, so that it costs no access of its own.
    @inline(never)
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

    init(of request: Request, added: [any RequestInterceptor]) {
        self.request = request
        self.added = added
    }

    var isEmpty: Bool {
        !request.session.isIntercepted && request.own == nil && added.isEmpty
    }

    /// How many places there are, some of which may be empty.
    var count: Int { added.count + 2 }

    /// The interceptor at a place: first the session's, then the request's and added ones.
    subscript(place: Int) -> (any RequestInterceptor)? {
        switch place {
        case 0: request.session.isIntercepted ? request.session.interceptor : nil
        case 1: request.own?.interceptor
        default: added[place - 2]
        }
    }

    /// The interceptor at a place, unless there is none or it leaves every request as it is.
    func adapter(at place: Int) -> (any RequestInterceptor)? {
        // Without a copy of the one that nearly all requests have.
        guard place > 0 else { return request.session.isAdapted ? self[0] : nil }
        return self[place].flatMap { $0.leavesRequests ? nil : $0 }
    }
}

extension URLRequest {
    /// - Throws: `urlRequestValidationFailed` for a GET with a body.
    fileprivate func checkBody() throws(AFError) {
        guard !body.isEmpty, method == .get else { return }
        throw .urlRequestValidationFailed(reason: .bodyDataInGETRequest(body))
    }
}

/// The wire: one attempt and the redirections it meets.
extension Request {
    @inline(__always)
    nonisolated(nonsending) func exchange(_ urlRequest: URLRequest) async -> Attempt {
        var (next, cause) = outgoing(urlRequest)
        for _ in 0...session.environment.configuration.redirectLimit {
            willSend(next, cause)
            let answer: TransportResponse
            do {
                answer = try await session.environment.transport.send(next, cause: cause)
            } catch {
                return didReceive(error, cause)
            }
            didReceive(answer, cause)
            guard answer.head.isRedirection, let target = redirected(next, by: answer) else {
                return over(answer, of: urlRequest)
            }
            next = target
        }
        return failed(with: TransportError(.httpTooManyRedirects))
    }

    /// A request with the fields that all get, and why it is sent; from now on the last attempt's
    /// answer is not this request's any more.
    @inline(never)
    func outgoing(_ urlRequest: consuming URLRequest) -> (URLRequest, RequestCause) {
        var cause = cause
        cause.attempt = withState { state in
            if state.retryCount > 0 { state.attempt = nil }
            return state.retryCount
        }
        for field in session.environment.configuration.defaultHeaders
        where urlRequest.headers[field.name] == nil {
            urlRequest.headers.add(field)
        }
        return (urlRequest, cause)
    }

    @inline(never)
    func willSend(_ urlRequest: URLRequest, _ cause: RequestCause) {
        notify { $0.request(self, willSend: urlRequest, cause: cause) }
    }

    @inline(never)
    func didReceive(_ answer: TransportResponse, _ cause: RequestCause) {
        notify { $0.request(self, didReceive: .success(answer), cause: cause) }
    }

    @inline(never)
    func didReceive(_ error: TransportError, _ cause: RequestCause) -> Attempt {
        notify { $0.request(self, didReceive: .failure(error), cause: cause) }
        return failed(with: error)
    }

    /// An attempt without a response.
    @inline(never)
    func failed(with error: TransportError) -> Attempt {
        let error: AFError =
            error.code == .cancelled ? .explicitlyCancelled : .sessionTaskFailed(error: error)
        return over(withState { Attempt(request: $0.request, error: error) })
    }

    /// Where an answer leads; `nil` when it is taken for what it is.
    @inline(never)
    func redirected(
        _ urlRequest: URLRequest, by answer: TransportResponse
    ) -> URLRequest? {
        guard let target = urlRequest.redirected(by: answer.head) else { return nil }
        let redirector = withState { $0.rare?.redirector }
        let next = (redirector ?? session.environment.configuration.redirector).request(
            target, instead: urlRequest, after: answer.head)
        if let next { notify { $0.request(self, didRedirectTo: next, after: answer.head) } }
        return next
    }
}

/// What happens to answers that are redirections.
public struct Redirector: Sendable {
    private let change: @Sendable (URLRequest, URLRequest, HTTPURLResponse) -> URLRequest?

    /// A redirector that does what a closure says.
    ///
    /// - Parameter change: gets the request the answer points to, the answered one, and the answer;
    ///   returns the request to send instead, or `nil` to keep the answer.
    public init(
        _ change:
            @escaping @Sendable (
                _ target: URLRequest, _ original: URLRequest, _ response: HTTPURLResponse
            ) -> URLRequest?
    ) {
        self.change = change
    }

    /// Follows redirections.
    public static let follow = Redirector { target, _, _ in target }
    /// Keeps the answer.
    public static let doNotFollow = Redirector { _, _, _ in nil }

    func request(
        _ target: URLRequest, instead original: URLRequest, after response: HTTPURLResponse
    ) -> URLRequest? {
        change(target, original, response)
    }
}

extension HTTPURLResponse {
    var isRedirection: Bool {
        switch statusCode {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }
}

extension URLRequest {
    /// The request an answer points to; `nil` without an address to go to.
    ///
    /// 307 and 308 keep verb and body; 303 becomes a GET, and so does a POST by 301 and 302. No
    /// adapter runs again, and another origin does not get the credentials (Fetch standard).
    func redirected(by response: HTTPURLResponse) -> URLRequest? {
        guard let location = response.headers.value(for: "Location"),
            let target = url.resolving(location)
        else { return nil }
        var next = self
        next.url = target
        let becomesGET =
            response.statusCode == 303 && method != .head
            || method == .post && (301...302).contains(response.statusCode)
        if becomesGET {
            next.method = .get
            next.body = .empty
            next.headers.remove(name: "Content-Type")
        }
        if target.origin != url.origin { next.headers.remove(name: "Authorization") }
        return next
    }
}

extension WebURL {
    /// An absolute address, or one that begins with a slash and stays on this origin.
    func resolving(_ reference: String) -> WebURL? {
        reference.hasPrefix("/") && !reference.hasPrefix("//")
            ? WebURL(origin + reference) : WebURL(reference)
    }
}
