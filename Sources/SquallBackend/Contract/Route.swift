import SquallHTTP

/// A request as the server understands it: a row of the contract and the names in its path.
struct Route {
    /// The row's position in ``Operation/all``; `nil` when no row fits.
    let row: Int?
    /// The endpoint, also for the tables of results.
    let endpoint: Endpoint
    /// The name in the path's first variable: a post or a user.
    let id: Substring
    /// The name in its second variable.
    let commentID: Substring

    /// Finds the row of a request by method and path.
    init(_ request: URLRequest) {
        let path = request.url.path
        let match = Router.contract.match(request.method, path)
        row = match.map { Int($0.row) }
        endpoint = match.map { Router.endpoints[Int($0.row)] } ?? .unknown
        id = Route.name(match?.first, in: path)
        commentID = Route.name(match?.second, in: path)
    }

    private static func name(_ range: Range<Int32>?, in path: String) -> Substring {
        guard let range, !range.isEmpty else { return "" }
        let bytes = path.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: Int(range.lowerBound))
        return path[start..<bytes.index(start, offsetBy: range.count)]
    }
}

/// The paths of the contract as a tree of names, built once.
///
/// A fixed name goes before a variable one, as in the router of the real server. Names are compared
/// as bytes, without a hash or a copy; empty names between slashes are skipped. ≤ 100 ns a path.
struct Router {
    static let contract = Router(Operation.all)
    static let endpoints = Operation.all.map(\.endpoint)

    /// What was found: a row and where the path's variables stand.
    struct Match {
        var row: Int16 = 0
        var first: Range<Int32> = 0..<0
        var second: Range<Int32> = 0..<0
    }

    private struct Node {
        var edges: [(name: Range<Int>, node: Int)] = []
        var variable: Int?
        /// Whether the variable takes the rest of the path, slashes and all.
        var takesRest = false
        var rows: [(method: HTTPMethod, row: Int)] = []
    }

    private var nodes = [Node()]
    private var names: [UInt8] = []

    init(_ operations: [Operation]) {
        for (row, operation) in operations.enumerated() {
            var node = 0
            for name in operation.path.split(separator: "/") { node = child(name, of: node) }
            nodes[node].takesRest = operation.path.hasSuffix("/{path}")
            nodes[node].rows.append((operation.method, row))
        }
    }

    private mutating func child(_ name: Substring, of node: Int) -> Int {
        let isVariable = name.hasPrefix("{")
        let known = isVariable ? nodes[node].variable : edge(Array(name.utf8)[...], of: node)
        if let known { return known }
        nodes.append(Node())
        if isVariable {
            nodes[node].variable = nodes.count - 1
        } else {
            names += name.utf8
            let range = names.count - name.utf8.count..<names.count
            nodes[node].edges.append((range, nodes.count - 1))
        }
        return nodes.count - 1
    }

    private func edge(_ name: ArraySlice<UInt8>, of node: Int) -> Int? {
        name.withUnsafeBufferPointer { edge($0, of: node) }
    }

    private func edge(_ name: UnsafeBufferPointer<UInt8>, of node: Int) -> Int? {
        nodes[node].edges.first { edge in
            edge.name.count == name.count
                && zip(edge.name, name).allSatisfy { names[$0.0] == $0.1 }
        }?.node
    }

    /// Finds the row for a method and a path.
    func match(_ method: HTTPMethod, _ path: String) -> Match? {
        var path = path
        return path.withUTF8 { find(method, $0, from: 0, at: 0, Match()) }
    }

    private func find(
        _ method: HTTPMethod, _ path: UnsafeBufferPointer<UInt8>, from start: Int, at node: Int,
        _ match: Match
    ) -> Match? {
        guard let name = Router.name(in: path, from: start) else {
            return finish(method, at: node, match)
        }
        let bytes = UnsafeBufferPointer(rebasing: path[name])
        if let next = edge(bytes, of: node),
            let found = find(method, path, from: name.upperBound, at: next, match)
        {
            return found
        }
        guard let next = nodes[node].variable else { return nil }
        var match = match
        let end = nodes[next].takesRest ? path.count : name.upperBound
        let range = Int32(name.lowerBound)..<Int32(end)
        if match.first.isEmpty { match.first = range } else { match.second = range }
        return find(method, path, from: end, at: next, match)
    }

    private func finish(_ method: HTTPMethod, at node: Int, _ match: Match) -> Match? {
        guard let row = nodes[node].rows.first(where: { $0.method == method })?.row else {
            return nil
        }
        var match = match
        match.row = Int16(row)
        return match
    }

    private static func name(
        in path: UnsafeBufferPointer<UInt8>, from start: Int
    ) -> Range<Int>? {
        guard let first = path[start...].firstIndex(where: { $0 != UInt8(ascii: "/") }) else {
            return nil
        }
        return first..<(path[first...].firstIndex(of: UInt8(ascii: "/")) ?? path.count)
    }
}
