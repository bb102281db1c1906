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
}

extension ServicesPlan {
    /// How the service on an origin is called by hand; `nil` for one of another package.
    public func access(at origin: String) -> ServiceAccess? {
        if declared.isDeclared, declared.origin == origin {
            return ServiceAccess(
                form: declared.form, headers: [], endpoints: declared.calls,
                example: declared.example)
        }
        guard !declared.isDeclared,
            let year = contract.years.first(where: { $0.origin == origin })
        else { return nil }
        return ServiceAccess(year)
    }
}

extension ServicesPlan {
    /// The name of the log-out call of the server on an origin; that of the built-in apps has none.
    public func logOut(at origin: String) -> String? {
        ServiceKind.tokenService(at: origin, by: self)?.form.logOut.name
    }

    /// The status of that server's response to an expired token.
    public func expiredStatus(at origin: String) -> Int {
        ServiceKind.tokenService(at: origin, by: self)?.form.expired.status
            ?? ContractService.words(for: .accessTokenExpired).status
    }
}

extension ServiceAccess {
    fileprivate init(_ year: ContractYear) {
        var form = TokenForm.status419
        var example = "/v1/posts?limit=5"
        if year == .year2023 {
            (form.logIn.path, form.refresh.path) = ("/login", "/refresh")
            form.delivery = .json(access: "token", refresh: "refreshToken", lifetime: nil)
            example = "/post?limit=5"
        }
        self.init(
            form: form,
            headers: [HTTPHeader(name: "SesacKey", value: ContractPlan.serviceKeys[0])],
            endpoints: ContractService.endpoints(of: year), example: (.get, example))
    }
}

extension DeclaredService {
    /// A call that reads, best one without a variable in its path.
    fileprivate var example: (method: HTTPMethod, target: String)? {
        let readable = endpoints.filter { $0.method == .get && $0.needsToken }
        let plain = readable.first { !$0.path.contains("{") } ?? readable.first
        return plain.map { call in
            let parts = call.path.split(separator: "/").map { part -> String in
                VariablePart(part).map { "\($0.start)1\($0.end)" } ?? String(part)
            }
            return (.get, "/" + parts.joined(separator: "/"))
        }
    }
}
