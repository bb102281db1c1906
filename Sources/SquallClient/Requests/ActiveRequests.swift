/// Requests in the order in which they began: a list through the requests, which needs no array.
struct ActiveRequests: Sendable {
    private var first: Request?
    private var last: Request?

    var all: [Request] {
        Array(
            sequence(state: first) { next in
                defer { next = next?.nextActive }
                return next
            })
    }

    mutating func insert(_ request: Request) {
        request.previousActive = last
        last?.nextActive = request
        first = first ?? request
        last = request
    }

    mutating func remove(_ request: Request) {
        let (next, previous) = (request.nextActive, request.previousActive)
        guard previous != nil || first === request else { return }
        if let previous { previous.nextActive = next } else { first = next }
        if let next { next.previousActive = previous } else { last = previous }
        request.nextActive = nil
        request.previousActive = nil
    }
}
