/// Requests in the order in which they began; one alone needs no array.
struct ActiveRequests: Sendable {
    private var first: Request?
    private var others: [Request] = []

    var all: [Request] { (first.map { [$0] } ?? []) + others }

    mutating func insert(_ request: Request) {
        if first == nil { first = request } else { others.append(request) }
    }

    mutating func remove(_ request: Request) {
        if first === request {
            first = others.isEmpty ? nil : others.removeFirst()
        } else {
            others.firstIndex { $0 === request }.map { _ = others.remove(at: $0) }
        }
        // An idle session keeps no room for what it does not do.
        if others.isEmpty { others = [] }
    }
}
