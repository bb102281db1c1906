public import SquallBackend
public import SquallHTTP

/// What a user needs to call a service by hand: where its tokens stand, and a call to try.
public struct ServiceAccess: Sendable {
    /// How its tokens travel, by the place of each.
    public let form: TokenForm
    /// The fields that every request needs.
    public let headers: [HTTPHeader]
    /// The service's calls, by name, verb and path.
    public let endpoints: [EndpointDescription]
    /// A call that needs a token and changes nothing; `nil` where there is none.
    public let example: (method: HTTPMethod, target: String)?
    /// The names of its calls that need a good access token.
    public let callsWithToken: Set<String>

    /// What a user needs to know, from its parts.
    public init(
        form: TokenForm, headers: [HTTPHeader] = [], endpoints: [EndpointDescription],
        example: (method: HTTPMethod, target: String)?, callsWithToken: Set<String>
    ) {
        (self.form, self.headers, self.endpoints) = (form, headers, endpoints)
        (self.example, self.callsWithToken) = (example, callsWithToken)
    }
}

extension ServicesPlan {
    /// How the service on an origin is called by hand; `nil` where its kind does not say.
    public func access(at origin: String) -> ServiceAccess? {
        if declared.isDeclared, declared.origin == origin {
            return ServiceAccess(
                form: declared.form, endpoints: declared.calls, example: declared.example,
                callsWithToken: Set(declared.endpoints.filter(\.needsToken).map(\.name)))
        }
        return ServiceKind.mounted(by: self).lazy.compactMap { $0.access(self, origin) }.first
    }
}

extension ServicesPlan {
    /// The name of the log-out call of the server on an origin; `nil` where it has none.
    public func logOut(at origin: String) -> String? {
        ServiceKind.tokenService(at: origin, by: self)?.form.logOut.name
    }

    /// The status of that server's response to an expired token.
    public func expiredStatus(at origin: String) -> Int {
        ServiceKind.tokenService(at: origin, by: self)?.form.expired.status
            ?? access(at: origin)?.form.expired.status
            ?? ServiceError.accessTokenExpired.usualStatus
    }
}

extension DeclaredService {
    /// A call that reads, best one without a variable in its path.
    fileprivate var example: (method: HTTPMethod, target: String)? {
        let readable = endpoints.filter { $0.method == .get && $0.needsToken }
        let plain = readable.first { !$0.path.contains("{") } ?? readable.first
        return plain.map { call in
            let sent = call.sent
            let parts = call.path.split(separator: "/").map { part -> String in
                VariablePart(part).map { variable in
                    let value = sent?.value(of: String(variable.name), number: 1) ?? "1"
                    return "\(variable.start)\(value)\(variable.end)"
                } ?? String(part)
            }
            let end = call.path.hasSuffix("/") && !parts.isEmpty ? "/" : ""
            let query = sent.map { $0.query.isEmpty ? "" : "?" + $0.query } ?? ""
            return (.get, "/" + parts.joined(separator: "/") + end + query)
        }
    }
}
