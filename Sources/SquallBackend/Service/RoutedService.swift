import SquallHTTP

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

    /// Whether the server does the work on its requests.
    var isOnServer: Bool {
        if case .server = workplace { true } else { false }
    }

    /// Whether answers come from outside the simulation.
    var isOutside: Bool {
        switch workplace {
        case .outside, .remote: true
        case .server, .own: false
        }
    }

    /// Where a request goes; `nil` when it is none of the service's.
    func route(_ request: URLRequest) -> Route? { service.route(request, by: router) }

    /// The endpoint of a row that a route names.
    func endpoint(ofRow row: Int) -> Endpoint { endpoints[row] }
}

/// Where a request goes.
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

    /// Where a request goes.
    mutating func destination(of request: URLRequest) -> Destination {
        let service = service(at: request.url.origin)
        let route = service.route(request)
        let endpoint =
            route.map { service.endpoint(ofRow: $0.row) } ?? table.unmatchedEndpoint(request)
        return Destination(service: service, route: route, endpoint: endpoint)
    }
}
