import SquallFormat
public import SquallHTTP

/// The call that a request is in results: one of a service's endpoints, or an unknown one.
///
/// Equality and hash look at a number, which the backend gives out when a service is mounted;
/// endpoints of equal names are one. So endpoints of different worlds are not comparable.
public struct Endpoint: Hashable, Sendable {
    /// The name it has in results.
    public let name: String
    /// What is special about it.
    public let role: Role
    /// Its place among the endpoints of its world, from 0 without gaps.
    public let number: Int32
    /// Stands for the name where random words are chosen; 24 bits.
    let key: UInt64

    /// What is special about a call.
    public enum Role: Hashable, Sendable {
        /// Nothing.
        case ordinary
        /// It brings the tokens of a new session.
        case signIn
        /// It trades an old access token for a new one.
        case refresh
    }

    init(_ name: String, _ role: Role = .ordinary, number: Int32) {
        self.name = name
        self.role = role
        self.number = number
        let hash = StableHash(of: name.utf8).value
        key = (hash ^ hash >> 24) & 0xFF_FFFF
    }

    /// Whether both are the same call of the same world.
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
    /// The verb.
    public let method: HTTPMethod
    /// The path with its variables in braces: `/posts/{post_id}`; `{path}` at the end takes all
    /// that is left.
    public let path: String
    /// What is special about it.
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
