import SquallHTTP

/// A request's life: attempts until nobody wants another, then a serializer for everybody.
///
/// What `drive` calls is `nonsending`: it stays on the executor that `drive` has already found.
extension Request {
    /// The driver's own interest in the answer.
    @usableFromInline
    enum OwnSerializer {
        case none
        /// It wants the answer, and its failure asks nobody.
        case silent
        /// It wants the answer, and its failure asks the retriers.
        case consulting
    }

    /// Drives the request to its end for somebody who awaits it; `nil` when somebody else does.
    ///
    /// The retriers are asked twice about an attempt at the most: when it ended with an error, and,
    /// if the driver's serializer consults them, when serializing failed, which it does with that
    /// same error if there already was one. `serialize` keeps the value and returns the error; the
    /// attempt that comes back holds the final one. A finished request is not sent again: its
    /// answer is serialized.
    @usableFromInline
    nonisolated(nonsending) func drive(
        _ own: OwnSerializer, serialize: (Attempt) -> AFError?
    ) async -> Attempt? {
        guard let claim = claim() else { return nil }
        session.began(self)
        var isResumedLate = false
        if let kept = claim.kept {
            if let attempt = await finish(kept, own, isLate: true, serialize) { return attempt }
        } else {
            isResumedLate = session.environment.behaviour.setup == .eager
            if !isResumedLate { notifyOfStage { $0.requestDidResume(self) } }
        }
        while true {
            var attempt =
                noticesCancellation() ? cancelledAttempt() : await send(resumes: isResumedLate)
            isResumedLate = false
            if let error = attempt.error {
                let decision = await decision(after: error, isSerializing: false)
                guard case .finish(let final) = decision else { continue }
                let failed = attempt.failed(with: final)
                withState { $0.attempt = failed }
                attempt = failed
            }
            notifyOfStage { $0.requestDidFinish(self) }
            if let attempt = await finish(attempt, own, isLate: false, serialize) { return attempt }
        }
    }

    /// Drives the request to its end for those who attached handlers.
    func driveAlone() async {
        _ = await drive(.none) { _ in nil }
    }

    /// Takes on driving the request; `nil` when somebody else does.
    ///
    /// - Returns: the attempt that is kept when the request has already finished.
    private func claim() -> (kept: Attempt?, Void)? {
        withState { state in
            guard state.phase != .running else { return nil }
            defer { state.phase = .running }
            return (state.phase == .finished ? state.attempt : nil, ())
        }
    }

    private func cancelledAttempt() -> Attempt {
        withState { state in
            let attempt = Attempt(
                request: state.request, after: state.attempt, error: .explicitlyCancelled)
            state.attempt = attempt
            return attempt
        }
    }

    /// Serializes for everybody in turn; `nil` when a serializer's failure led to a retry.
    @inline(__always)
    private nonisolated(nonsending) func finish(
        _ attempt: Attempt, _ own: OwnSerializer, isLate: Bool,
        _ serialize: (Attempt) -> AFError?
    ) async -> Attempt? {
        var result = attempt
        var position = 0
        let ownPosition = own == .none ? .max : withState { $0.handlers.count }
        while true {
            switch turn(at: position, ownPosition, finalError: result.error) {
            case .everybodyHadTheirs(let handlers):
                session.ended(self)
                notify { $0.requestDidFinish(self, error: result.error) }
                for handler in handlers { handler.deliver() }
                return result
            case .own(let earlierError):
                guard let failure = serialize(attempt) else { break }
                if isLate {
                    result = attempt.failed(with: earlierError ?? failure)
                } else {
                    let consults = own == .consulting
                    guard let final = await settled(failure, consults) else { return nil }
                    result = attempt.failed(with: final)
                }
            case .attached(let handler):
                guard let failure = handler.serialize(attempt) else { break }
                guard let final = await settled(failure, handler.consultsRetrier) else {
                    return nil
                }
                let failed = attempt.failed(with: final)
                handler.settle(failed)
                if own == .none { result = failed }
            }
            notifyOfStage { $0.request(self, didParseResponseWithError: result.error) }
            position += 1
        }
    }

    /// What a serializer's failure comes to; `nil` when the request is to be sent again.
    private nonisolated(nonsending) func settled(_ failure: AFError, _ consults: Bool) async
        -> AFError?
    {
        guard consults else { return failure }
        let decision = await decision(after: failure, isSerializing: true)
        guard case .finish(let final) = decision else { return nil }
        return final
    }

    private enum Turn {
        case own(earlierError: AFError?)
        case attached(ResponseHandler)
        case everybodyHadTheirs([ResponseHandler])
    }

    /// Whose turn it is to serialize; when nobody's, the request is finished.
    private func turn(at position: Int, _ ownPosition: Int, finalError: AFError?) -> Turn {
        withState { state in
            if position == ownPosition { return .own(earlierError: state.finalError) }
            let index = position > ownPosition ? position - 1 : position
            if state.handlers.indices.contains(index) { return .attached(state.handlers[index]) }
            state.phase = .finished
            state.finalError = finalError
            state.driver = nil
            defer { state.handlers = [] }
            return .everybodyHadTheirs(state.handlers)
        }
    }
}

extension Request {
    /// Adds somebody who wants the answer, and sends the request if nobody has yet.
    func attach(_ handler: ResponseHandler) {
        withState { state in
            state.handlers.append(handler)
            guard state.phase != .running, state.driver == nil else { return }
            state.driver = Task { await self.driveAlone() }
        }
    }
}
