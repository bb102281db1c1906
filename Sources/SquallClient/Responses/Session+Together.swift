public import SquallHTTP

extension Session {
    /// Sends several calls at once, a request each, and waits for the last.
    ///
    /// They are made and sent one after the other, in the turn in which tasks that start now would
    /// begin. What is made of each response is made as it comes, and returned in the order of the
    /// calls. Where nothing adapts the session's requests and the network needs no task, none waits
    /// for each; then cancelling the caller's task ends no request, and ``cancelAllRequests()``
    /// does.
    @inlinable
    public nonisolated(nonsending) func together<
        Call: Sendable, Value: Sendable, Made: Sendable
    >(
        _ calls: [Call], ask: @escaping @Sendable (Call) -> DataTask<Value>,
        make: @escaping @Sendable (_ place: Int, DataResponse<Value>) -> Made
    ) async -> [Made] {
        guard !calls.isEmpty, !isAdapted, let network = environment.transport.untasked else {
            let tasks = calls.indices.map { place in
                Task { make(place, await ask(calls[place]).response) }
            }
            var made: [Made] = []
            for task in tasks { made.append(await task.value) }
            return made
        }
        let gathering = Gathering<Value, Made>(calls.count)
        await withUnsafeContinuation { continuation in
            gathering.continuation = continuation
            soon(on: network) {
                for place in calls.indices {
                    gathering.begin(ask(calls[place]), at: place, on: network, make)
                }
            }
        }
        return gathering.made.compactMap(\.self)
    }
}

extension Session {
    /// Calls a function in the turn of a task that starts now; its requests are for the screen, and
    /// because of the request, that this task's are for.
    @usableFromInline
    func soon(on network: any UntaskedTransport, _ begin: @escaping @Sendable () -> Void) {
        let (screen, retrying) = (ScreenState.asking, RequestCause.retrying)
        network.soon {
            guard screen != .inFront || retrying != nil else { return begin() }
            ScreenState.$asking.withValue(screen) {
                RequestCause.$retrying.withValue(retrying) { begin() }
            }
        }
    }
}

/// The responses to calls that were made together, as they come.
@usableFromInline
final class Gathering<Value: Sendable, Made: Sendable>: @unchecked Sendable {
    // Safe because an untasked network calls one function after the other.

    @usableFromInline var values: [Value?]
    @usableFromInline var made: [Made?]
    @usableFromInline var left: Int
    @usableFromInline var continuation: UnsafeContinuation<Void, Never>?

    @inlinable
    init(_ count: Int) {
        values = Array(repeating: nil, count: count)
        made = Array(repeating: nil, count: count)
        left = count
    }

    @inlinable
    func begin(
        _ task: DataTask<Value>, at place: Int, on network: any UntaskedTransport,
        _ make: @escaping @Sendable (Int, DataResponse<Value>) -> Made
    ) {
        let serialize = task.serializer.serialize
        let own: Request.OwnSerializer = task.serializer.consultsRetrier ? .consulting : .silent
        let caller = Request.Caller(own) { request, attempt, isLast in
            guard !isLast else {
                self.end(place, make(place, DataResponse(attempt, value: self.values[place])))
                return nil
            }
            switch serialize(attempt, request) {
            case .success(let value): self.values[place] = value
            case .failure(let error): return error
            }
            return nil
        }
        task.request.begin(on: network, for: caller)
    }

    @inlinable
    func end(_ place: Int, _ made: Made) {
        self.made[place] = made
        left -= 1
        if left == 0 { continuation?.resume() }
    }
}
