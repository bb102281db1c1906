import SquallHTTP

/// A request's life: attempts until no retrier wants another, then a serializer for each caller.
///
/// The functions that `drive` calls are `nonsending`: they stay on the executor of `drive`.
extension Request {
    /// Whether the driver itself wants the answer.
    @usableFromInline
    enum OwnSerializer {
        case none
        /// It wants the answer, and its failure asks no retrier.
        case silent
        /// It wants the answer, and its failure asks the retriers.
        case consulting
    }

    /// Drives the request to its end for a caller that awaits it; `nil` when another task does.
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
        var (kept, resumes): (Attempt?, Bool) = (nil, false)
        switch claim() {
        case .isTaken: return nil
        case .hasEnded(let attempt): kept = attempt
        case .begins(let isLate): resumes = isLate
        }
        while true {
            var turns: Turns
            if let kept {
                turns = self.turns(of: kept, own, isLate: true)
            } else {
                let isCancelled = noticesCancellation()
                var attempt = isCancelled ? cancelledAttempt() : await send(resumes: resumes)
                resumes = false
                if attempt.hasFailed {
                    guard let final = await decision(about: attempt, isSerializing: false) else {
                        continue
                    }
                    attempt = keep(final)
                }
                turns = self.turns(of: attempt, own, isLate: false)
            }
            kept = nil
            var isAgain = false
            while !isAgain, let failed = take(&turns, own, serialize) {
                if let final = await decision(about: failed, isSerializing: true) {
                    settle(&turns, own, with: final)
                } else {
                    isAgain = true
                }
            }
            if !isAgain { return turns.result }
        }
    }

    /// Drives the request to its end for callers that attached handlers.
    func driveAlone() async {
        _ = await drive(.none) { _ in nil }
    }

    private enum Claim {
        /// Somebody else drives it.
        case isTaken
        /// It has ended with this attempt, which is serialized once more.
        case hasEnded(Attempt)
        /// Nobody has yet; it may resume only once it is built.
        case begins(isResumedLate: Bool)
    }

    /// Takes on driving the request.
    ///
    /// This and what follows is kept out of the asynchronous function: whatever it needs would
    /// take room in the task for as long as the request lasts.
    @inline(never)
    private func claim() -> Claim {
        let claim: Claim = withState { state in
            guard state.phase != .running else { return .isTaken }
            defer { state.phase = .running }
            if state.phase == .finished, let attempt = state.attempt { return .hasEnded(attempt) }
            return .begins(isResumedLate: session.environment.behaviour.setup == .eager)
        }
        if case .isTaken = claim { return claim }
        session.began(self)
        if case .begins(false) = claim { notifyOfStage { $0.requestDidResume(self) } }
        return claim
    }

    @inline(never)
    private func cancelledAttempt() -> Attempt {
        withState { state in
            let attempt = Attempt(
                request: state.request, after: state.attempt, error: .explicitlyCancelled)
            state.attempt = attempt
            return attempt
        }
    }

    @inline(never)
    private func keep(_ attempt: Attempt) -> Attempt {
        withState { $0.attempt = attempt }
        return attempt
    }
}

/// Serializing, by everybody who wants the answer.
extension Request {
    /// How far everybody has come with an attempt.
    private struct Turns {
        let attempt: Attempt
        /// The attempt with its final error.
        var result: Attempt
        /// Whose turn it is.
        var position = 0
        /// When the driver has its turn; never if it does not want the answer.
        let ownPosition: Int
        /// Whether the request had ended before, so that nobody is asked about it.
        let isLate: Bool
    }

    private enum Turn {
        case own(earlierError: AFError?)
        case attached(ResponseHandler)
        case everybodyHadTheirs([ResponseHandler])
    }

    @inline(never)
    private func turns(of attempt: Attempt, _ own: OwnSerializer, isLate: Bool) -> Turns {
        if !isLate { notifyOfStage { $0.requestDidFinish(self) } }
        let ownPosition = own == .none ? .max : withState { $0.rare?.handlers.count ?? 0 }
        return Turns(attempt: attempt, result: attempt, ownPosition: ownPosition, isLate: isLate)
    }

    /// Serializes for everybody in turn, up to a failure about which the retriers are asked: the
    /// attempt with it; `nil` once everybody was told.
    @inline(never)
    private func take(
        _ turns: inout Turns, _ own: OwnSerializer, _ serialize: (Attempt) -> AFError?
    ) -> Attempt? {
        while true {
            switch turn(turns) {
            case .everybodyHadTheirs(let handlers):
                session.ended(self)
                notify { $0.requestDidFinish(self, error: turns.result.error) }
                for handler in handlers { handler.deliver() }
                return nil
            case .own(let earlierError):
                guard let failure = serialize(turns.attempt) else { break }
                let kept = turns.isLate ? earlierError : nil
                let failed = turns.attempt.failed(with: kept ?? failure)
                if own == .consulting, !turns.isLate { return failed }
                settle(&turns, own, with: failed)
                continue
            case .attached(let handler):
                guard let failure = handler.serialize(turns.attempt, self) else { break }
                let failed = turns.attempt.failed(with: failure)
                if handler.consultsRetrier { return failed }
                settle(&turns, own, with: failed)
                continue
            }
            end(&turns)
        }
    }

    /// Whoever's turn it is has failed for good.
    @inline(never)
    private func settle(_ turns: inout Turns, _ own: OwnSerializer, with failed: Attempt) {
        if case .attached(let handler) = turn(turns) { handler.settle(failed) }
        if own == .none || turns.position == turns.ownPosition { turns.result = failed }
        end(&turns)
    }

    private func end(_ turns: inout Turns) {
        notifyOfStage { $0.request(self, didParseResponseWithError: turns.result.error) }
        turns.position += 1
    }

    /// Whose turn it is to serialize; when nobody's, the request is finished.
    private func turn(_ turns: Turns) -> Turn {
        withState { state in
            let position = turns.position
            if position == turns.ownPosition {
                return .own(earlierError: state.rare?.finalError)
            }
            let index = position > turns.ownPosition ? position - 1 : position
            let finalError = turns.result.error
            let rare = finalError == nil ? state.rare : state.made
            if let rare, rare.handlers.indices.contains(index) {
                return .attached(rare.handlers[index])
            }
            state.phase = .finished
            rare?.finalError = finalError
            rare?.driver = nil
            defer { rare?.handlers = [] }
            return .everybodyHadTheirs(rare?.handlers ?? [])
        }
    }
}

extension Request {
    /// Adds a caller that wants the answer, and sends the request if it was not sent yet.
    func attach(_ handler: ResponseHandler) {
        withState { state in
            state.made.handlers.append(handler)
            guard state.phase != .running, state.made.driver == nil else { return }
            state.made.driver = Task { await self.driveAlone() }
        }
    }
}
