public import SquallHTTP
import Synchronization

/// A request as its service understands it: an endpoint, and the names in its path.
///
/// An object: people ask for the same paths, and a router hands out the route that it has made.
public final class Route: Sendable {
    /// The endpoint's position in its service's list.
    public let row: Int
    @usableFromInline let path: String
    @usableFromInline let firstName: Range<Int32>
    private let secondName: Range<Int32>

    /// A route to an endpoint without names, for services that find it in their own way.
    public convenience init(row: Int) { self.init(row: row, path: "", 0..<0, 0..<0) }

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
    private let tree: RouteTree
    private let lately = Mutex(Lately())

    /// Routes that were found lately, by their paths' fingerprints: people ask for the same ones.
    ///
    /// Kept after so many searches only: most worlds of an exploration ask for a dozen.
    private struct Lately: Sendable {
        static let count = 512
        var searches = 0
        var routes: [Known?] = []

        func route(of request: URLRequest, at place: Int) -> Route? {
            guard !routes.isEmpty, let known = routes[place], known.path == request.url.path,
                known.method == request.method
            else { return nil }
            return known.route
        }
    }

    /// A route, and the method and path with which it was asked for.
    private final class Known: Sendable {
        let method: HTTPMethod
        let path: String
        let route: Route

        init(_ request: URLRequest, _ route: Route) {
            (method, path, self.route) = (request.method, request.url.path, route)
        }
    }

    /// A router for endpoints; a route names one by its position among them.
    public init(_ endpoints: [EndpointDescription]) { tree = RouteTree(endpoints) }

    private init(_ tree: RouteTree) { self.tree = tree }

    /// The trees of the latest services, which most worlds have in common.
    private static let latest = Mutex<[(endpoints: [EndpointDescription], tree: RouteTree)]>([])
    private static let keptMax = 8

    /// A router for endpoints, whose tree is made once for all services that have the same.
    static func sharing(_ endpoints: [EndpointDescription]) -> Router {
        let tree = latest.withLock { latest in
            let known = latest.first { $0.endpoints == endpoints }
            if let known { return known.tree }
            let tree = RouteTree(endpoints)
            latest = latest.suffix(keptMax - 1) + [(endpoints, tree)]
            return tree
        }
        return Router(tree)
    }

    /// The endpoint of a request by its method and path; `nil` when none fits.
    public func route(_ request: URLRequest) -> Route? {
        let place = Int(request.url.path.fingerprint >> 32) % Lately.count
        if let known = lately.withLock({ $0.route(of: request, at: place) }) { return known }
        guard let route = search(request) else { return nil }
        lately.withLock { lately in
            lately.searches += 1
            guard lately.searches > Lately.count else { return }
            if lately.routes.isEmpty { lately.routes = Array(repeating: nil, count: Lately.count) }
            lately.routes[place] = Known(request, route)
        }
        return route
    }

    private func search(_ request: URLRequest) -> Route? {
        var path = request.url.path
        let match = path.withUTF8 { path in
            tree.searching(path, for: request.method) { $0.find(from: 0, at: 0, RouteMatch()) }
        }
        return match.map { match in
            let row = Int(match.row)
            return match.first.isEmpty
                ? tree.plain[row] : Route(row: row, path: path, match.first, match.second)
        }
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

/// A service as the backend knows it: with its router, and with numbers for its endpoints.
final class RoutedService {
    let service: any Service
    let workplace: Workplace
    /// Built for the first request; most worlds send none to most of their services.
    private lazy var router = Router.sharing(service.endpoints)
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
