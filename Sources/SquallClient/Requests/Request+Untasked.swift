public import SquallHTTP

/// A request whose interceptors never make it wait, driven by its network instead of by a task.
///
/// It goes the way of ``Request/drive(_:serialize:)`` with the same steps; nothing but the network
/// keeps it from going on.
extension DataRequest {
    /// The network on which no task has to wait for the request; `nil` if one has to.
    public var untaskedNetwork: (any UntaskedTransport)? {
        interceptors.isEmpty ? session.environment.transport.untasked : nil
    }

    /// Sends the request now, and tells its response with the body as it is.
    ///
    /// - Precondition: it was not sent before and has no interceptor.
    public func send(
        on network: any UntaskedTransport,
        telling told: @escaping @Sendable (DataResponse<Body>) -> Void
    ) {
        guard case .begins = claim() else {
            preconditionFailure("request \(number) of user \(session.user) was sent before")
        }
        guard !noticesCancellation() else { return end(cancelledAttempt(), told) }
        var stage = build()
        if case .goesOn(let built) = stage { stage = complete(built) }
        switch stage {
        case .died(let attempt): end(attempt, told)
        case .goesOn(let urlRequest):
            let (next, cause) = outgoing(urlRequest)
            let redirections = session.environment.configuration.redirectLimit
            exchange(next, cause, of: urlRequest, redirections, on: network, told)
        }
    }

    private func exchange(
        _ next: URLRequest, _ cause: RequestCause, of urlRequest: URLRequest, _ redirections: Int,
        on network: any UntaskedTransport,
        _ told: @escaping @Sendable (DataResponse<Body>) -> Void
    ) {
        willSend(next, cause)
        network.send(next, cause: cause) { [self] result in
            switch result {
            case .failure(let error): end(didReceive(error, cause), told)
            case .success(let answer):
                didReceive(answer, cause)
                guard answer.head.isRedirection, let target = redirected(next, by: answer) else {
                    return end(over(answer, of: urlRequest), told)
                }
                guard redirections > 0 else {
                    return end(failed(with: TransportError(.httpTooManyRedirects)), told)
                }
                exchange(target, cause, of: urlRequest, redirections - 1, on: network, told)
            }
        }
    }

    /// Serializes for the caller, and for those that have asked meanwhile.
    private func end(_ attempt: Attempt, _ told: (DataResponse<Body>) -> Void) {
        session.breaker?.ended(attempt, of: self)
        var value: Body?
        var turns = turns(of: attempt, .consulting, isLate: false)
        while let failed = take(
            &turns, .consulting,
            {
                switch ResponseSerializer<Body>.data().serialize($0, self) {
                case .success(let body): value = body
                case .failure(let error): return error
                }
                return nil
            })
        { settle(&turns, .consulting, with: failed) }
        told(DataResponse(turns.result, value: value))
    }
}
