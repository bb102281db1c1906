import SquallFormat
public import SquallHTTP
import Synchronization

/// The call that a request is in results: one of a service's endpoints, or an unknown one.
///
/// Equality and hash look at a number, which the backend gives out when a service is mounted;
/// endpoints of equal names are one. So endpoints of different worlds are not comparable.
public struct Endpoint: Hashable, Sendable {
    /// The name it has in results.
    public let name: String
    /// What the backend has to know of the call's part in sessions.
    public let role: Role
    /// True if no service knows it, so that it is named after its method and path, or as all those
    /// are together for which there are too many names.
    public let isUnknown: Bool
    /// Its place among the endpoints of its world, from 0 without gaps.
    public let number: Int32
    /// Stands for the name where random words are chosen; 24 bits.
    let key: UInt64

    /// The name that unknown calls share for which there are too many names.
    public static let unmatchedName = "other requests"

    /// The part of a call in a session.
    public enum Role: Hashable, Sendable {
        /// Neither brings nor renews tokens.
        case ordinary
        /// It brings the tokens of a new session.
        case signIn
        /// Exchanges a refresh token for a new access token.
        case refresh
    }

    init(_ name: String, _ role: Role = .ordinary, isUnknown: Bool = false, number: Int32) {
        self.name = name
        self.role = role
        self.isUnknown = isUnknown
        self.number = number
        let hash = StableHash(of: name.utf8).value
        key = (hash ^ hash >> 24) & 0xFF_FFFF
    }

    /// True for the same call of the same world.
    public static func == (left: Endpoint, right: Endpoint) -> Bool {
        left.number == right.number
    }

    /// Feeds the number.
    public func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// A call that a service knows.
public struct EndpointDescription: Hashable, Sendable {
    /// The name it has in results and profiles; endpoints of one name are counted together.
    public let name: String
    /// The verb, such as `GET`.
    public let method: HTTPMethod
    /// The path with its variables in braces: `/posts/{post_id}`; `{path}` at the end takes all
    /// that is left.
    public let path: String
    /// The part of the call in a session.
    public let role: Endpoint.Role

    /// A call by its name, its verb and its path.
    public init(
        _ name: String, _ method: HTTPMethod, _ path: String, role: Endpoint.Role = .ordinary
    ) {
        self.name = name
        self.method = method
        self.path = path
        self.role = role
    }
}

extension [EndpointDescription] {
    /// Says that requests are none of these calls, and which calls there are; `nil` without any.
    public func lacks(_ requests: [String]) -> String? {
        guard !requests.isEmpty else { return nil }
        let calls = map { "\($0.method) \($0.path)\($0.role.remark)" }
        return "the service has no \(requests.joined(separator: ", ")); it has"
            + " \(calls.listed(atMost: 8))"
    }
}

extension Endpoint.Role {
    fileprivate var remark: String {
        switch self {
        case .ordinary: ""
        case .signIn: " (sign-in)"
        case .refresh: " (refresh)"
        }
    }
}

/// Every endpoint of a world by its name, and the names of requests that no service knows.
struct EndpointTable {
    private var numbers: [String: Int32] = [:]
    /// Every endpoint, by its number.
    private(set) var all: [Endpoint] = []
    private var unmatched = 0

    /// So many unknown requests get a name of their own; further ones share one.
    static let unmatchedMax = 64

    private typealias Kept = (
        services: [[EndpointDescription]], table: EndpointTable, endpoints: [[Endpoint]]
    )
    /// The latest tables: thousands of worlds of an exploration have the same services.
    private static let latest = Mutex<[Kept]>([])
    private static let keptMax = 8

    /// The table of some services' endpoints, and each service's endpoints in its own order.
    static func shared(
        for services: [[EndpointDescription]]
    ) -> (table: EndpointTable, endpoints: [[Endpoint]]) {
        latest.withLock { latest in
            if let known = latest.first(where: { $0.services == services }) {
                return (known.table, known.endpoints)
            }
            var table = EndpointTable()
            var endpoints: [[Endpoint]] = []
            for service in services {
                endpoints.append([])
                for call in service {
                    endpoints[endpoints.count - 1].append(table.endpoint(call.name, call.role))
                }
            }
            latest = latest.suffix(keptMax - 1) + [(services, table, endpoints)]
            return (table, endpoints)
        }
    }

    /// The endpoint of a name; a new one when there is none yet.
    mutating func endpoint(
        _ name: String, _ role: Endpoint.Role, isUnknown: Bool = false
    ) -> Endpoint {
        if let number = numbers[name] {
            let known = all[Int(number)]
            precondition(known.role == role, "\(name) is \(known.role) and cannot be \(role) too")
            return known
        }
        let endpoint = Endpoint(name, role, isUnknown: isUnknown, number: Int32(all.count))
        numbers[name] = endpoint.number
        all.append(endpoint)
        return endpoint
    }

    /// The endpoint of a request that no service knows, named after its method and path.
    ///
    /// Who comes first gets a name, so the names depend on the run and on nothing else.
    mutating func unmatchedEndpoint(_ request: URLRequest) -> Endpoint {
        let name = EndpointTable.name(request).keptFromOutside(bytes: 200)
        if numbers[name] == nil {
            guard unmatched < EndpointTable.unmatchedMax else {
                return endpoint(Endpoint.unmatchedName, .ordinary, isUnknown: true)
            }
            unmatched += 1
        }
        return endpoint(name, .ordinary, isUnknown: true)
    }

    /// `GET /v1/users/*`: method and path, with a star for each name that seems to be an
    /// identifier.
    private static func name(_ request: URLRequest) -> String {
        let names = request.url.path.split(separator: "/").map { isIdentifier($0) ? "*" : $0 }
        return "\(request.method) /" + names.joined(separator: "/")
    }

    /// Numbers, whatever has more digits than a version or a date's year, and what is too long for
    /// a name and has other characters than words have: it may be a secret.
    private static func isIdentifier(_ name: Substring) -> Bool {
        guard name.utf8.count <= 32 || name.utf8.allSatisfy(isOfWords) else { return true }
        let digits = name.utf8.count { (48...57).contains($0) }
        // An address of mail, or an escape.
        if name.utf8.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") }) {
            return true
        }
        return digits > 4 || digits > 0 && digits == name.utf8.count
    }

    private static func isOfWords(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
