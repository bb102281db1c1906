public import SquallHTTP
import Synchronization

/// A request as its service understands it: an endpoint, and the names in its path.
public struct Route: Hashable, Sendable {
    /// The endpoint's position in its service's list.
    public let row: Int
    private let path: String
    private let firstName, secondName: Range<Int32>

    /// A route to an endpoint without names, for services that find it in their own way.
    public init(row: Int) { self.init(row: row, path: "", 0..<0, 0..<0) }

    init(row: Int, path: String, _ first: Range<Int32>, _ second: Range<Int32>) {
        self.row = row
        self.path = path
        firstName = first
        secondName = second
    }

    /// The name in the path's first variable; empty when it has none.
    public var first: Substring { name(firstName) }

    /// The name in its second variable; empty when it has none.
    public var second: Substring { name(secondName) }

    private func name(_ range: Range<Int32>) -> Substring {
        guard !range.isEmpty else { return "" }
        let bytes = path.utf8
        let start = bytes.index(bytes.startIndex, offsetBy: Int(range.lowerBound))
        return path[start..<bytes.index(start, offsetBy: range.count)]
    }
}

/// The paths of a service's endpoints as a tree of names, built once.
///
/// A fixed name goes before a variable one, as in most routers of real servers. Names are compared
/// as bytes, without a hash or a copy; empty names between slashes are skipped. ≤ 100 ns a path.
public final class Router: Sendable {
    private let tree: Tree

    /// A router for endpoints; a route names one by its position among them.
    public init(_ endpoints: [EndpointDescription]) {
        var tree = Tree()
        for (row, endpoint) in endpoints.enumerated() { tree.add(endpoint, row) }
        self.tree = tree
    }

    /// The routers of the latest services, which most worlds have in common.
    private static let latest = Mutex<[(endpoints: [EndpointDescription], router: Router)]>([])
    private static let keptMax = 8

    /// A router for endpoints, made once for all services that have the same.
    static func shared(for endpoints: [EndpointDescription]) -> Router {
        latest.withLock { latest in
            let known = latest.first { $0.endpoints == endpoints }
            if let known { return known.router }
            let router = Router(endpoints)
            latest = latest.suffix(keptMax - 1) + [(endpoints, router)]
            return router
        }
    }

    /// The endpoint of a request by its method and path; `nil` when none fits.
    public func route(_ request: URLRequest) -> Route? {
        var path = request.url.path
        let match = path.withUTF8 { path in
            tree.searching(path, for: request.method) { $0.find(from: 0, at: 0, Match()) }
        }
        return match.map {
            Route(row: Int($0.row), path: request.url.path, $0.first, $0.second)
        }
    }
}

/// What was found: a row and where the path's first two variables stand.
private struct Match {
    var row: Int16 = 0
    var first: Range<Int32> = 0..<0
    var second: Range<Int32> = 0..<0
}

/// The names of paths, from the root.
private struct Tree {
    struct Node {
        /// The edges whose names are fixed, as a list; none is negative.
        var firstEdge: Int32 = -1
        var variable: Int?
        /// Whether the variable takes the rest of the path, slashes and all.
        var takesRest = false
        var rows: [(method: HTTPMethod, row: Int)] = []
    }

    struct Edge {
        let name: Range<Int>
        let node: Int
        let next: Int32
    }

    private var nodes = [Node()]
    private var edges: [Edge] = []
    private var names: [UInt8] = []

    mutating func add(_ endpoint: EndpointDescription, _ row: Int) {
        var node = 0
        for name in endpoint.path.split(separator: "/") { node = child(name, of: node) }
        if endpoint.path.hasSuffix("/{path}") { nodes[node].takesRest = true }
        nodes[node].rows.append((endpoint.method, row))
    }

    private mutating func child(_ name: Substring, of node: Int) -> Int {
        let isVariable = name.hasPrefix("{")
        var bytes = name
        let known =
            isVariable
            ? nodes[node].variable
            : bytes.withUTF8 { bytes in
                searching(bytes, for: .get) { $0.edge(0..<bytes.count, of: node) }
            }
        if let known { return known }
        nodes.append(Node())
        if isVariable {
            nodes[node].variable = nodes.count - 1
        } else {
            names += name.utf8
            edges.append(
                Edge(
                    name: names.count - name.utf8.count..<names.count, node: nodes.count - 1,
                    next: nodes[node].firstEdge))
            nodes[node].firstEdge = Int32(edges.count - 1)
        }
        return nodes.count - 1
    }

    func searching<Value>(
        _ path: UnsafeBufferPointer<UInt8>, for method: HTTPMethod, _ body: (Search) -> Value
    ) -> Value {
        names.withUnsafeBufferPointer { names in
            nodes.withUnsafeBufferPointer { nodes in
                edges.withUnsafeBufferPointer { edges in
                    body(
                        Search(
                            method: method, path: path, names: names, nodes: nodes, edges: edges))
                }
            }
        }
    }

    /// A look for a path, by pointers: the arrays' own references are not counted.
    struct Search {
        let method: HTTPMethod
        let path, names: UnsafeBufferPointer<UInt8>
        let nodes: UnsafeBufferPointer<Node>
        let edges: UnsafeBufferPointer<Edge>

        func find(from start: Int, at node: Int, _ match: Match) -> Match? {
            var first = start
            while first < path.count, path[first] == UInt8(ascii: "/") { first += 1 }
            guard first < path.count else { return finish(at: node, match) }
            var end = first
            if nodes[node].firstEdge >= 0 {
                end = self.end(from: first)
                if let next = edge(first..<end, of: node),
                    let found = find(from: end, at: next, match)
                {
                    return found
                }
            }
            guard let next = nodes[node].variable else { return nil }
            var match = match
            end = nodes[next].takesRest ? path.count : self.end(from: first)
            let range = Int32(first)..<Int32(end)
            if match.first.isEmpty {
                match.first = range
            } else if match.second.isEmpty {
                match.second = range
            }
            return find(from: end, at: next, match)
        }

        private func end(from first: Int) -> Int {
            var end = first
            while end < path.count, path[end] != UInt8(ascii: "/") { end += 1 }
            return end
        }

        func edge(_ name: Range<Int>, of node: Int) -> Int? {
            var next = nodes[node].firstEdge
            while next >= 0 {
                let own = edges[Int(next)].name
                if own.count == name.count {
                    var offset = 0
                    while offset < name.count,
                        names[own.lowerBound + offset] == path[name.lowerBound + offset]
                    {
                        offset += 1
                    }
                    if offset == name.count { return edges[Int(next)].node }
                }
                next = edges[Int(next)].next
            }
            return nil
        }

        private func finish(at node: Int, _ match: Match) -> Match? {
            for position in nodes[node].rows.indices
            where nodes[node].rows[position].method == method {
                var match = match
                match.row = Int16(nodes[node].rows[position].row)
                return match
            }
            return nil
        }
    }
}
