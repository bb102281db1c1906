public import SquallHTTP

/// A request that its network drives instead of a task, as long as it does not fail.
///
/// It goes the way of ``Request/drive(_:serialize:)`` with the same steps. A failure that a retrier
/// may mend hands it to a task.
extension Request {
    /// What wants the response where no task waits for it.
    @usableFromInline
    struct Caller: Sendable {
        @usableFromInline typealias Tell =
            @Sendable (
                _ place: Int, _ request: Request, _ attempt: Attempt, _ isLast: Bool
            ) -> AFError?

        let own: OwnSerializer
        /// The request's place among those that are made with it.
        let place: Int
        /// Serializes an attempt, as often as one is to be, or is told the request's last one; made
        /// once for all requests that are made together.
        let tell: Tell

        @usableFromInline
        init(_ own: OwnSerializer, at place: Int, tell: @escaping Tell) {
            (self.own, self.place, self.tell) = (own, place, tell)
        }
    }

    /// The network on which no task has to wait for the request; `nil` if one has to.
    public var untaskedNetwork: (any UntaskedTransport)? {
        isAdapted ? nil : session.environment.transport.untasked
    }

    private var isAdapted: Bool {
        guard !session.isAdapted else { return true }
        guard hasOwnInterceptors else { return false }
        let interceptors = interceptors
        return (1..<interceptors.count).contains { interceptors.adapter(at: $0) != nil }
    }

    private var hasOwnInterceptors: Bool {
        if case .some = own { return true }
        return withState { $0.rare.map { !$0.interceptors.isEmpty } ?? false }
    }

    /// Sends the request now for what wants its response; in a task if an adapter may make it wait.
    ///
    /// - Precondition: it was not sent before.
    @usableFromInline
    func begin(on network: any UntaskedTransport, for caller: Caller) {
        guard case .begins = claim(for: caller) else {
            preconditionFailure("request \(number) of user \(session.user) was sent before")
        }
        guard !isAdapted else { return goOn(from: .unsent, for: caller) }
        guard !isCancelled else { return end(cancelledAttempt()) }
        var stage = build()
        if case .goesOn(let built) = stage {
            if session.isIntercepted || hasOwnInterceptors {
                withState { $0.adaptedRequest = built }
                notifyOfStage { $0.request(self, didAdaptInitialRequest: built, to: built) }
            }
            stage = complete(built)
        }
        switch stage {
        case .died(let attempt): end(attempt)
        case .goesOn(let urlRequest): exchange(outgoing(urlRequest).0, on: network)
        }
    }

    /// Sends what was built, or what a response has led to; all for the cause of the first attempt,
    /// as a task makes the others.
    private func exchange(_ next: URLRequest, on network: any UntaskedTransport) {
        willSend(next, cause)
        network.send(next, cause: cause) { [self] result in
            switch result {
            case .failure(let error): end(didReceive(error, cause))
            case .success(let answer): received(answer)
            }
        }
    }

    private func received(_ answer: TransportResponse) {
        didReceive(answer, cause)
        guard answer.head.isRedirection, let target = redirected(answer.request, by: answer),
            let network = session.environment.transport.untasked
        else { return end(over(answer, of: request ?? answer.request)) }
        let count = withState { state in
            state.made.redirections += 1
            return state.made.redirections
        }
        guard count <= session.environment.configuration.redirectLimit else {
            return end(failed(with: TransportError(.httpTooManyRedirects)))
        }
        exchange(target, on: network)
    }

    /// Serializes for the caller, and for those that have asked meanwhile.
    private func end(_ attempt: Attempt) {
        if let caller = withState({ $0.caller.take() }) { end(attempt, for: caller) }
    }

    private func end(_ attempt: Attempt, for caller: Caller) {
        session.breaker?.ended(attempt, of: self)
        let isRetried = session.isIntercepted || hasOwnInterceptors
        if isRetried, attempt.hasFailed { return goOn(from: .attempted(attempt), for: caller) }
        var turns = turns(of: attempt, caller.own, isLate: false)
        while let failed = take(&turns, caller.own, { caller.tell(caller.place, self, $0, false) })
        {
            guard !isRetried else { return goOn(from: .serialized(turns, failed), for: caller) }
            settle(&turns, caller.own, with: failed)
        }
        _ = caller.tell(caller.place, self, turns.result, true)
    }

    /// Lets a task ask the retriers, whose requests are for the screen that this one is for.
    private func goOn(from start: Start, for caller: Caller) {
        Task {
            let last = await cause.screen.asks {
                await drive(caller.own, from: start) { caller.tell(caller.place, self, $0, false) }
            }
            _ = caller.tell(caller.place, self, last, true)
        }
    }
}

extension DataRequest {
    /// Tells if a request succeeded, by its place, and the head of its last response.
    public typealias Told =
        @Sendable (_ place: Int, _ hasSucceeded: Bool, HTTPURLResponse?) -> Void

    /// Sends requests now, and tells their outcomes; who wants a body waits in a task.
    ///
    /// - Precondition: none of them was sent before.
    public static func send(
        _ requests: [DataRequest], on network: any UntaskedTransport, telling told: @escaping Told
    ) {
        let tell: Caller.Tell = { place, _, attempt, isLast in
            guard isLast else { return attempt.contentError }
            told(place, !attempt.hasFailed, attempt.response)
            return nil
        }
        for place in requests.indices {
            requests[place].begin(on: network, for: Caller(.consulting, at: place, tell: tell))
        }
    }
}
