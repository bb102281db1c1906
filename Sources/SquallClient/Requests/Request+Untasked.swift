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

    /// Tells if a request succeeded, and the head of its last response.
    public typealias Told = @Sendable (_ hasSucceeded: Bool, HTTPURLResponse?) -> Void

    /// Sends the request now, and tells its outcome; whoever wants the body waits in a task.
    ///
    /// - Precondition: it was not sent before and has no interceptor.
    public func send(on network: any UntaskedTransport, telling told: @escaping Told) {
        guard case .begins = claim() else {
            preconditionFailure("request \(number) of user \(session.user) was sent before")
        }
        guard !isCancelled else { return end(cancelledAttempt(), told) }
        var stage = build()
        if case .goesOn(let built) = stage { stage = complete(built) }
        switch stage {
        case .died(let attempt): end(attempt, told)
        case .goesOn(let urlRequest):
            let redirections = session.environment.configuration.redirectLimit
            exchange(outgoing(urlRequest).0, redirections, on: network, told)
        }
    }

    /// Sends what was built, or what a response has led to; all for the cause of the first attempt,
    /// as there is no other.
    private func exchange(
        _ next: URLRequest, _ redirections: Int, on network: any UntaskedTransport,
        _ told: @escaping Told
    ) {
        willSend(next, cause)
        network.send(next, cause: cause) { [self] result in
            switch result {
            case .failure(let error): end(didReceive(error, cause), told)
            case .success(let answer): received(answer, to: next, redirections, told)
            }
        }
    }

    private func received(
        _ answer: TransportResponse, to next: URLRequest, _ redirections: Int,
        _ told: @escaping Told
    ) {
        didReceive(answer, cause)
        guard answer.head.isRedirection, let target = redirected(next, by: answer),
            let network = session.environment.transport.untasked
        else { return end(over(answer, of: request ?? next), told) }
        guard redirections > 0 else {
            return end(failed(with: TransportError(.httpTooManyRedirects)), told)
        }
        exchange(target, redirections - 1, on: network, told)
    }

    /// Serializes for the caller, and for those that have asked meanwhile.
    private func end(_ attempt: Attempt, _ told: Told) {
        session.breaker?.ended(attempt, of: self)
        var turns = turns(of: attempt, .consulting, isLate: false)
        while let failed = take(&turns, .consulting, \.contentError) {
            settle(&turns, .consulting, with: failed)
        }
        told(!turns.result.hasFailed, turns.result.response)
    }
}
