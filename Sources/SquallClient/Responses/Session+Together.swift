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
                let tell = gathering.tell(making: make)
                for call in calls { gathering.begin(ask(call), on: network, tell) }
            }
        }
        return gathering.places.map { place in
            guard let made = place.made else {
                preconditionFailure("a call of user \(user) was made with others and not told")
            }
            return made
        }
    }
}

extension Session {
    /// Calls a function in the turn of a task that starts now; its requests are for the screen, and
    /// because of the request, that this task's are for.
    @usableFromInline
    func soon(on network: any UntaskedTransport, _ begin: @escaping @Sendable () -> Void) {
        let purpose = Purpose.current
        network.soon {
            guard purpose != Purpose() else { return begin() }
            Purpose.$current.withValue(purpose) { begin() }
        }
    }
}

/// The responses to calls that were made together, as they come.
@usableFromInline
final class Gathering<Value: Sendable, Made: Sendable>: @unchecked Sendable {
    // Safe because an untasked network calls one function after the other; no access lasts while
    // other code runs, so none needs a check.

    /// What becomes of one call's response.
    @usableFromInline
    struct Place {
        @usableFromInline let serializer: ResponseSerializer<Value>
        @usableFromInline var value: Value?
        @usableFromInline var made: Made?

        @inlinable
        init(_ serializer: ResponseSerializer<Value>) { self.serializer = serializer }
    }

    /// The calls that have begun, in their order.
    @usableFromInline @exclusivity(unchecked) var places: [Place] = []
    @usableFromInline @exclusivity(unchecked) var left: Int
    @usableFromInline @exclusivity(unchecked)
    var continuation: UnsafeContinuation<Void, Never>?

    @inlinable
    init(_ count: Int) {
        places.reserveCapacity(count)
        left = count
    }

    @inlinable
    func begin(
        _ task: DataTask<Value>, on network: any UntaskedTransport,
        _ tell: @escaping Request.Caller.Tell
    ) {
        let own: Request.OwnSerializer = task.serializer.consultsRetrier ? .consulting : .silent
        places.append(Place(task.serializer))
        task.request.begin(
            on: network, for: Request.Caller(own, at: places.count - 1, tell: tell))
    }

    /// Serializes the attempts of each call, and makes of the last one what is to be made.
    @inlinable
    func tell(
        making make: @escaping @Sendable (Int, DataResponse<Value>) -> Made
    ) -> Request.Caller.Tell {
        { place, request, attempt, isLast in
            guard !isLast else {
                self.end(place, make(place, DataResponse(attempt, value: self.places[place].value)))
                return nil
            }
            switch self.places[place].serializer.serialize(attempt, request) {
            case .success(let value): self.places[place].value = value
            case .failure(let error): return error
            }
            return nil
        }
    }

    @inlinable
    func end(_ place: Int, _ made: Made) {
        places[place].made = made
        left -= 1
        if left == 0 { continuation?.resume() }
    }
}
