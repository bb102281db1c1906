public import SquallHTTP

/// What a declared app knows of its service: where tokens stand, and what answers mean.
public struct DeclaredWire: Sendable {
    /// Where a request shows its access token.
    public var access: Place
    /// Signs in.
    public var logIn: Call
    /// Trades a refresh token for a new access token.
    public var refresh: Call
    /// How new tokens are told.
    public var delivery: Delivery
    /// What an expired access token is answered.
    public var expired: Refusal
    /// What a refresh token is answered that buys nothing any more.
    public var signedOut: Refusal

    /// What is known of a service, from its parts.
    public init(
        access: Place, logIn: Call, refresh: Call, delivery: Delivery, expired: Refusal,
        signedOut: Refusal
    ) {
        self.access = access
        self.logIn = logIn
        self.refresh = refresh
        self.delivery = delivery
        self.expired = expired
        self.signedOut = signedOut
    }

    /// Where a token stands in a request.
    public enum Place: Sendable, Hashable {
        /// In a header field, behind a word such as `Bearer` if there is one.
        case header(String, scheme: String?)
        /// In the address, as the value of a name.
        case query(String)
        /// In a cookie of that name.
        case cookie(String)
        /// In the body, as a member of a JSON object.
        case body(String)
        /// In the body, as a field of a form.
        case form(String)
        /// At the end of the path, in place of this name in braces.
        case path(String)
    }

    /// A call that has to do with tokens.
    public struct Call: Sendable, Hashable {
        let method: HTTPMethod
        let path: String
        let token: Place
        let showsAccess: Bool

        /// A call by its verb and path, where the refresh token stands in it, and whether it shows
        /// the access token too.
        public init(_ method: HTTPMethod, _ path: String, token: Place, showsAccess: Bool) {
            self.method = method
            self.path = path
            self.token = token
            self.showsAccess = showsAccess
        }
    }

    /// How new tokens are told.
    public enum Delivery: Sendable, Hashable {
        /// As members of a JSON object; the lifetime in seconds, where it is told.
        case json(access: String, refresh: String, lifetime: String?)
        /// As cookies.
        case cookies(access: String, refresh: String)
    }

    /// A status with a body.
    public struct Refusal: Sendable, Hashable {
        let status: Int
        let body: String

        /// A refusal by its status and body.
        public init(_ status: Int, _ body: String) {
            self.status = status
            self.body = body
        }
    }
}

extension DeclaredWire.Call {
    /// Whether a request is this call, whichever token stands in its path.
    func isMade(by request: URLRequest) -> Bool {
        guard request.method == method else { return false }
        guard case .path(let name) = token else { return request.url.path == path }
        return request.url.path.hasPrefix(path.dropLast(name.count + 2))
    }
}

extension DeclaredWire.Place {
    /// A request that shows a token here.
    func show(_ token: String, in request: inout URLRequest) {
        switch self {
        case .header(let name, let scheme):
            request.headers.update(name: name, value: scheme.map { "\($0) \(token)" } ?? token)
        case .query(let name):
            let others = (request.url.query ?? "").split(separator: "&").filter {
                !$0.hasPrefix(name + "=")
            }
            request.url.query = (others + ["\(name)=\(token)"]).joined(separator: "&")
        case .cookie(let name):
            let own = request.value(forHTTPHeaderField: "Cookie") ?? ""
            let others = own.split(separator: ";").map { $0.drop { $0 == " " } }.filter {
                !$0.hasPrefix(name + "=")
            }
            request.headers.update(
                name: "Cookie", value: (others + ["\(name)=\(token)"]).joined(separator: "; "))
        case .body(let name):
            request.headers.update(name: "Content-Type", value: "application/json")
            request.body = Body(#"{"\#(name)":"\#(token)"}"#)
        case .form(let name):
            request.headers.update(
                name: "Content-Type", value: "application/x-www-form-urlencoded")
            request.body = Body("\(name)=\(token)")
        case .path(let name): request.url.path.replace("{\(name)}", with: token)
        }
    }

    /// Whether a request shows a token here.
    func shows(_ token: String, in request: URLRequest) -> Bool {
        switch self {
        case .header(let name, let scheme):
            request.value(forHTTPHeaderField: name) == scheme.map { "\($0) \(token)" } ?? token
        case .query(let name):
            (request.url.query ?? "").split(separator: "&").contains { $0 == "\(name)=\(token)" }
        case .cookie(let name):
            (request.value(forHTTPHeaderField: "Cookie") ?? "").split(separator: ";").contains {
                $0.drop { $0 == " " } == "\(name)=\(token)"
            }
        case .body(let name): request.body == Body(#"{"\#(name)":"\#(token)"}"#)
        case .form(let name): request.body == Body("\(name)=\(token)")
        case .path: request.url.path.hasSuffix("/" + token)
        }
    }
}
