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
public struct Router: Sendable {
    /// What was found: a row and where the path's first two variables stand.
    private struct Match {
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

    /// A router for endpoints; a route names one by its position among them.
    public init(_ endpoints: [EndpointDescription]) {
        for (row, endpoint) in endpoints.enumerated() {
            var node = 0
            for name in endpoint.path.split(separator: "/") { node = child(name, of: node) }
            if endpoint.path.hasSuffix("/{path}") { nodes[node].takesRest = true }
            nodes[node].rows.append((endpoint.method, row))
        }
    }

    /// The routers of the services of late, which most worlds have in common.
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
        let match = path.withUTF8 { find(request.method, $0, from: 0, at: 0, Match()) }
        return match.map {
            Route(row: Int($0.row), path: request.url.path, $0.first, $0.second)
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
        names.withUnsafeBufferPointer { names in
            for (own, node) in nodes[node].edges where own.count == name.count {
                var offset = 0
                while offset < name.count, names[own.lowerBound + offset] == name[offset] {
                    offset += 1
                }
                if offset == name.count { return node }
            }
            return nil
        }
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
        if match.first.isEmpty {
            match.first = range
        } else if match.second.isEmpty {
            match.second = range
        }
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
