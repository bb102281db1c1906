public import SquallHTTP
import Synchronization

/// A request as its service understands it: an endpoint, and the names in its path.
public struct Route: Hashable, Sendable {
    /// The endpoint's position in its service's list.
    public let row: Int
    @usableFromInline let path: String
    @usableFromInline let firstName: Range<Int32>
    private let secondName: Range<Int32>

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

/// The row that was found, and where the path's first two variables stand.
private struct Match {
    var row: Int16 = 0
    var first: Range<Int32> = 0..<0
    var second: Range<Int32> = 0..<0

    /// With the name of one more variable.
    func naming(_ range: Range<Int>) -> Match {
        let range = Int32(range.lowerBound)..<Int32(range.upperBound)
        var match = self
        if first.isEmpty {
            match.first = range
        } else if second.isEmpty {
            match.second = range
        }
        return match
    }
}

/// A part of a path with a variable: `{id}`, or `{id}.json` with fixed ends.
public struct VariablePart {
    /// The fixed texts before and behind the variable.
    public let start, end: Substring
    /// The variable's name.
    public let name: Substring

    /// Reads a part; `nil` where it has no variable, or more than one.
    public init?(_ part: some StringProtocol) {
        let part = Substring(part)
        guard let open = part.firstIndex(of: "{"), let close = part[open...].firstIndex(of: "}"),
            part.index(after: open) < close, !part[close...].contains("{")
        else { return nil }
        start = part[..<open]
        name = part[part.index(after: open)..<close]
        end = part[part.index(after: close)...]
    }

    /// True if the variable is the whole part.
    public var isWhole: Bool { start.isEmpty && end.isEmpty }
}

/// The names of paths, from the root.
private struct Tree {
    struct Node {
        /// The edges whose names are fixed, as a list; none is negative.
        var firstEdge: Int32 = -1
        /// Edges whose names are variable between fixed ends: `{sid}.json`; none is negative.
        var firstEnded: Int32 = -1
        var variable: Int?
        /// True if the variable takes the rest of the path, slashes and all.
        var takesRest = false
        var rows: [(method: HTTPMethod, row: Int)] = []
    }

    struct Edge {
        let name: Range<Int>
        let node: Int
        let next: Int32
    }

    /// A name with a variable in it.
    struct Ended {
        let start, end: Range<Int>
        let node: Int
        let next: Int32
    }

    private var nodes = [Node()]
    private var edges: [Edge] = []
    private var ended: [Ended] = []
    private var names: [UInt8] = []

    mutating func add(_ endpoint: EndpointDescription, _ row: Int) {
        var node = 0
        for name in endpoint.path.split(separator: "/") { node = child(name, of: node) }
        if endpoint.path.hasSuffix("/{path}") { nodes[node].takesRest = true }
        nodes[node].rows.append((endpoint.method, row))
    }

    private mutating func child(_ name: Substring, of node: Int) -> Int {
        if let part = VariablePart(name), !part.isWhole { return child(part, of: node) }
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

    private mutating func child(_ part: VariablePart, of node: Int) -> Int {
        var known = nodes[node].firstEnded
        while known >= 0 {
            let own = ended[Int(known)]
            if names[own.start].elementsEqual(part.start.utf8),
                names[own.end].elementsEqual(part.end.utf8)
            {
                return own.node
            }
            known = own.next
        }
        let place = names.count
        names += Array((part.start + part.end).utf8)
        let middle = place + part.start.utf8.count
        nodes.append(Node())
        ended.append(
            Ended(
                start: place..<middle, end: middle..<names.count, node: nodes.count - 1,
                next: nodes[node].firstEnded))
        nodes[node].firstEnded = Int32(ended.count - 1)
        return nodes.count - 1
    }

    func searching<Value>(
        _ path: UnsafeBufferPointer<UInt8>, for method: HTTPMethod, _ body: (Search) -> Value
    ) -> Value {
        names.withUnsafeBufferPointer { names in
            nodes.withUnsafeBufferPointer { nodes in
                edges.withUnsafeBufferPointer { edges in
                    ended.withUnsafeBufferPointer { ended in
                        body(
                            Search(
                                method: method, path: path, names: names, nodes: nodes,
                                edges: edges, ended: ended))
                    }
                }
            }
        }
    }

    /// A search for a path by pointers: the arrays' own references are not counted.
    struct Search {
        let method: HTTPMethod
        let path, names: UnsafeBufferPointer<UInt8>
        let nodes: UnsafeBufferPointer<Node>
        let edges: UnsafeBufferPointer<Edge>
        let ended: UnsafeBufferPointer<Ended>

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
            if nodes[node].firstEnded >= 0, let found = findEnded(from: first, at: node, match) {
                return found
            }
            guard let next = nodes[node].variable else { return nil }
            end = nodes[next].takesRest ? path.count : self.end(from: first)
            return find(from: end, at: next, match.naming(first..<end))
        }

        private func findEnded(from first: Int, at node: Int, _ match: Match) -> Match? {
            let end = end(from: first)
            var next = nodes[node].firstEnded
            while next >= 0 {
                let own = ended[Int(next)]
                let (start, close) = (first + own.start.count, end - own.end.count)
                if start < close, has(own.start, at: first), has(own.end, at: close),
                    let found = find(from: end, at: own.node, match.naming(start..<close))
                {
                    return found
                }
                next = own.next
            }
            return nil
        }

        private func has(_ name: Range<Int>, at place: Int) -> Bool {
            name.allSatisfy { names[$0] == path[place + $0 - name.lowerBound] }
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

/// A service as the backend knows it: with its router, and with numbers for its endpoints.
final class RoutedService {
    let service: any Service
    let workplace: Workplace
    /// Built for the first request; most worlds send none to most of their services.
    private lazy var router = Router.shared(for: service.endpoints)
    private let endpoints: [Endpoint]

    fileprivate init(
        _ service: any Service, _ endpoints: [Endpoint], _ remote: (any RemoteServer)?
    ) {
        self.service = service
        let isRemote = remote.map { service.origins.contains($0.origin) } ?? false
        workplace = isRemote ? remote.map(Workplace.remote) ?? .server : service.workplace
        self.endpoints = endpoints
    }

    /// False for a service that brings its own workers or answers outside: its requests take no
    /// place in the server's line.
    var isOnServer: Bool {
        if case .server = workplace { true } else { false }
    }

    /// True for a service that gets its responses from outside the simulation.
    var isOutside: Bool {
        switch workplace {
        case .outside, .remote: true
        case .server, .own: false
        }
    }

    func route(_ request: URLRequest) -> Route? { service.route(request, by: router) }

    func endpoint(ofRow row: Int) -> Endpoint { endpoints[row] }
}

/// The service and endpoint that a request goes to.
struct Destination {
    /// The service that answers it.
    let service: RoutedService
    /// Its endpoint and path; `nil` when its service does not know it.
    let route: Route?
    /// The call that results count it as.
    let endpoint: Endpoint
}

/// The services of a world by the origins on which they answer.
///
/// The first one also answers requests to any other origin, as a server does that has several
/// names.
struct ServiceDirectory {
    let all: [RoutedService]
    private(set) var table: EndpointTable
    private let hosts: [(origin: String, service: RoutedService)]

    /// A server outside takes the place of the service on its origin.
    ///
    /// - Precondition: there is a service, and no two answer on one origin.
    init(_ services: [any Service], remote: (any RemoteServer)? = nil) {
        precondition(!services.isEmpty, "a backend needs at least one service")
        let known = EndpointTable.shared(for: services.map { $0.endpoints })
        all = zip(services, known.endpoints).map { RoutedService($0, $1, remote) }
        table = known.table
        hosts = all.flatMap { mounted in mounted.service.origins.map { ($0, mounted) } }
        let origins = hosts.map(\.origin)
        precondition(
            Set(origins).count == origins.count, "two services serve one of \(origins)")
    }

    /// The values of a table by names, in the order of the endpoints' numbers.
    func byEndpoint<Value>(_ values: [String: Value]) -> [Value?] {
        values.isEmpty ? [] : table.all.map { values[$0.name] }
    }

    /// The service that answers on an origin.
    func service(at origin: String) -> RoutedService {
        for position in hosts.indices where hosts[position].origin == origin {
            return hosts[position].service
        }
        return all[0]
    }

    mutating func destination(of request: URLRequest) -> Destination {
        let service = service(at: request.url.origin)
        let route = service.route(request)
        let endpoint =
            route.map { service.endpoint(ofRow: $0.row) } ?? table.unmatchedEndpoint(request)
        return Destination(service: service, route: route, endpoint: endpoint)
    }
}
