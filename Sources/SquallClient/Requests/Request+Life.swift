import SquallHTTP

/// A request's life: attempts until no retrier wants another, then a serializer for each caller.
///
/// The functions that `drive` calls are `nonsending`: they stay on the executor of `drive`.
extension Request {
    /// What the task that drives the request wants of its response.
    @usableFromInline
    enum OwnSerializer: Sendable {
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
        switch claim() {
        case .isTaken: return nil
        case .hasEnded(let attempt): return await drive(own, from: .ended(attempt), serialize)
        case .begins: return await drive(own, from: .unsent, serialize)
        }
    }

    /// Where a task takes on a request.
    enum Start {
        /// It is to be sent.
        case unsent
        /// It was sent, and the attempt has failed.
        case attempted(Attempt)
        /// It was sent, and a caller could not serialize the attempt, which is now this one.
        case serialized(Turns, Attempt)
        /// It has ended, and its attempt is serialized for a late caller.
        case ended(Attempt)
    }

    /// Drives a request that no other task drives.
    @inline(__always)
    nonisolated(nonsending) func drive(
        _ own: OwnSerializer, from start: Start, _ serialize: (Attempt) -> AFError?
    ) async -> Attempt {
        var start = start
        while true {
            var turns: Turns
            var unserialized: Attempt?
            switch start {
            case .ended(let attempt): turns = self.turns(of: attempt, own, isLate: true)
            case .serialized(let reached, let failed): (turns, unserialized) = (reached, failed)
            case .unsent, .attempted:
                var attempt: Attempt
                if case .attempted(let made) = start {
                    attempt = made
                } else {
                    attempt = noticesCancellation() ? cancelledAttempt() : await send()
                    session.breaker?.ended(attempt, of: self)
                }
                start = .unsent
                if attempt.hasFailed {
                    guard let final = await decision(about: attempt, isSerializing: false) else {
                        continue
                    }
                    attempt = keep(final)
                }
                turns = self.turns(of: attempt, own, isLate: false)
            }
            start = .unsent
            var isAgain = false
            while !isAgain, let failed = unserialized ?? take(&turns, own, serialize) {
                unserialized = nil
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

    enum Claim {
        /// Another task drives it.
        case isTaken
        /// It has ended with this attempt, which is serialized once more.
        case hasEnded(Attempt)
        /// No caller has yet.
        case begins
    }

    /// Takes on driving the request.
    ///
    /// This and what follows is kept out of the asynchronous function: whatever it needs would
    /// take room in the task for as long as the request lasts.
    @inline(never)
    func claim(for caller: Caller? = nil) -> Claim {
        let claim: Claim = withState { state in
            guard state.phase != .running else { return .isTaken }
            defer { (state.phase, state.caller) = (.running, caller) }
            if state.phase == .finished, let attempt = state.attempt { return .hasEnded(attempt) }
            return .begins
        }
        if case .isTaken = claim { return claim }
        session.began(self)
        if case .begins = claim { notifyOfStage { $0.requestDidResume(self) } }
        return claim
    }

    @inline(never)
    func cancelledAttempt() -> Attempt {
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

/// Serializing, by every caller that wants the response.
extension Request {
    /// How far all callers have come with an attempt.
    struct Turns {
        let attempt: Attempt
        /// The attempt with its final error.
        var result: Attempt
        var position = 0
        /// When the driver has its turn; never if it does not want the answer.
        let ownPosition: Int
        /// True for a caller that came after the request's end: no retrier is asked about it.
        let isLate: Bool
    }

    private enum Turn {
        case own
        case attached(ResponseHandler)
        case everybodyHadTheirs([ResponseHandler])
    }

    @inline(never)
    func turns(of attempt: Attempt, _ own: OwnSerializer, isLate: Bool) -> Turns {
        if !isLate { notifyOfStage { $0.requestDidFinish(self) } }
        let ownPosition = own == .none ? .max : withState { $0.rare?.handlers.count ?? 0 }
        return Turns(attempt: attempt, result: attempt, ownPosition: ownPosition, isLate: isLate)
    }

    /// Serializes for each caller in turn, up to a failure about which the retriers are asked.
    ///
    ///  - Returns: The attempt with that failure; `nil` once all were told.
    @inline(never)
    func take(
        _ turns: inout Turns, _ own: OwnSerializer, _ serialize: (Attempt) -> AFError?
    ) -> Attempt? {
        while true {
            switch turn(turns) {
            case .everybodyHadTheirs(let handlers):
                session.ended(self)
                turns.result.tellError { error in
                    notify { $0.requestDidFinish(self, error: error) }
                }
                for handler in handlers { handler.deliver() }
                return nil
            case .own:
                guard let failure = serialize(turns.attempt) else { break }
                let earlier = turns.isLate ? withState { $0.rare?.finalError } : nil
                let failed = turns.attempt.failed(with: earlier ?? failure)
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

    /// The caller whose turn it is has failed for good, and keeps the failed attempt.
    @inline(never)
    func settle(_ turns: inout Turns, _ own: OwnSerializer, with failed: Attempt) {
        if case .attached(let handler) = turn(turns) { handler.settle(failed) }
        if own == .none || turns.position == turns.ownPosition { turns.result = failed }
        end(&turns)
    }

    private func end(_ turns: inout Turns) {
        notifyOfStage { $0.request(self, didParseResponseWithError: turns.result.error) }
        turns.position += 1
    }

    /// The turn of the next caller that wants the response; without one the request is finished.
    private func turn(_ turns: Turns) -> Turn {
        withState { state in
            let position = turns.position
            if position == turns.ownPosition { return .own }
            let index = position > turns.ownPosition ? position - 1 : position
            let rare = turns.result.hasFailed ? state.made : state.rare
            if let rare, rare.handlers.indices.contains(index) {
                return .attached(rare.handlers[index])
            }
            state.phase = .finished
            guard let rare else { return .everybodyHadTheirs([]) }
            rare.finalError = turns.result.error
            rare.driver = nil
            defer { rare.handlers = [] }
            return .everybodyHadTheirs(rare.handlers)
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

extension Request {
    /// Asks the retriers about an attempt that has failed, and waits if they say so.
    ///
    /// - Returns: the attempt with its final error; `nil` when it is to be sent again.
    nonisolated(nonsending) func decision(
        about failed: Attempt, isSerializing: Bool
    ) async -> Attempt? {
        guard let error = failed.error, !error.isExplicitlyCancelledError, !noticesCancellation()
        else { return failed }
        let isReleased = withState { state in
            state.isSerializing = isSerializing
            (state.isAskedAgain, state.wasAsked) = (state.wasAsked, true)
            return state.isReleased
        }
        let retriers = interceptors
        guard !retriers.isEmpty, !isReleased else { return failed }
        let (result, retrier) = await RequestCause.retrying(number) {
            await ask(retriers, about: error)
        }
        if endsWhenCancelled, noticesCancellation() { return failed }
        switch result {
        case .doNotRetry: return failed
        case .doNotRetryWithError(let own):
            return failed.failed(
                with: .requestRetryFailed(retryError: own, originalError: error))
        case .retry, .retryWithDelay:
            let seconds = result.delay ?? 0
            let isAgain = await prepareRetry(after: error, seconds: seconds, by: retrier)
            return isAgain ? nil : failed
        }
    }

    /// The first retrier's decision that is not `doNotRetry`, and that retrier.
    private nonisolated(nonsending) func ask(_ retriers: InterceptorList, about error: AFError)
        async -> (result: RetryResult, retrier: (any RequestInterceptor)?)
    {
        for place in 0..<retriers.count {
            guard let retrier = retriers[place] else { continue }
            let result = await retrier.retry(self, dueTo: error)
            guard case .doNotRetry = result else { return (result, retrier) }
        }
        return (.doNotRetry, nil)
    }

    /// The longest pause before a retry, in seconds: a century, which doubling delays soon exceed.
    private static var pauseMax: Double { 3e9 }

    /// Waits, and returns false if the request ended meanwhile.
    private nonisolated(nonsending) func prepareRetry(
        after error: AFError, seconds: Double, by retrier: (any RequestInterceptor)?
    ) async -> Bool {
        let time = session.environment.time
        if seconds > 0 {
            // A cancelled sleep ends early; what that means is decided below.
            let pause = min(seconds, Self.pauseMax)
            try? await time.sleep(nanoseconds: Int64((pause * 1e9).rounded()))
        }
        if noticesCancellation() {
            if !endsWhenCancelled { await parkForever(at: .cancelledRetry) }
            return false
        }
        let isSpinning = withState { $0.isSpinning(at: time.uptimeNanoseconds) }
        if isSpinning, let retrier {
            let name = retrier.namesOfRetriers.joined(separator: ", ")
            await parkForever(at: LostCompletion(place: .spin, interceptor: name))
            return false
        }
        let count = withState { state in
            state.beginRetry()
            return Int(state.retryCount)
        }
        notify { $0.request(self, isRetrying: count, after: error) }
        return true
    }
}

extension Request.State {
    /// How many attempts fit between two looks at the clock; if it stands still, they are a spin.
    ///
    /// Far above any real client's retries; costs milliseconds.
    private static let attemptsPerLook: UInt32 = 1_000

    /// True if this many attempts have passed while the time has not.
    fileprivate mutating func isSpinning(at nanoseconds: Int64) -> Bool {
        guard retryCount % Self.attemptsPerLook == 0 else { return false }
        let kept = made
        defer { kept.spinMark = nanoseconds }
        return retryCount > 0 && kept.spinMark == nanoseconds
    }

    /// Keeps the requests of the attempt that failed, and begins the next one.
    fileprivate mutating func beginRetry() {
        retryCount += 1
        if let initialRequest { made.earlierRequests.append(initialRequest) }
        if let adaptedRequest { made.earlierRequests.append(adaptedRequest) }
        initialRequest = nil
        adaptedRequest = nil
        attempt = attempt?.remainder
        (isSerializing, isAskedAgain, wasAsked) = (false, false, false)
    }
}

extension RequestRetrier {
    /// Its type; a chain's members' instead.
    fileprivate var namesOfRetriers: [String] {
        guard let chain = self as? Interceptor else { return ["\(type(of: self))"] }
        return chain.retriers.flatMap(\.namesOfRetriers)
    }
}
