extension TokenCall {
    /// True for a request that is this call, whichever token stands in its path.
    public func isMade(by request: URLRequest) -> Bool {
        guard request.method == method else { return false }
        guard case .path(let name) = token else { return request.url.path == path }
        return request.url.path.hasPrefix(path.dropLast(name.count + 2))
    }

    /// A request that shows a refresh token, with what the call has beside it.
    public func show(_ token: String, in request: inout URLRequest) {
        switch self.token {
        case .body(let name): write([TokenField(name, token)], isForm: isForm, in: &request)
        case .form(let name): write([TokenField(name, token)], isForm: true, in: &request)
        case let place:
            place.show(token, in: &request)
            write([], isForm: isForm, in: &request)
        }
    }
}

extension TokenPlace {
    /// The token in a header field behind the name of a scheme, or all of it without one; `nil`
    /// where another name stands there.
    public static func token(in value: String, behind scheme: String?) -> String? {
        guard let scheme else { return value }
        let start = Substring(value.utf8.prefix(scheme.utf8.count))
        let rest = value.utf8[start.endIndex...]
        // RFC 9110 §11.1: the name of a scheme has no case.
        guard start == scheme || start.asciiLowercased == scheme.asciiLowercased,
            rest.first == UInt8(ascii: " ")
        else { return nil }
        return String(Substring(rest.drop { $0 == UInt8(ascii: " ") }))
    }

    /// A request that shows a token here.
    public func show(_ token: String, in request: inout URLRequest) {
        switch self {
        case .header(let name, let scheme):
            request.headers.update(name: name, value: scheme.map { "\($0) \(token)" } ?? token)
        case .query(let name):
            let others = (request.url.query ?? "").split(separator: "&").filter {
                !$0.hasPrefix(name + "=")
            }
            let value = token.percentEncoded(allowing: \.isUnreservedInURL)
            request.url.query = (others + ["\(name)=\(value)"]).joined(separator: "&")
        case .cookie(let name):
            let own = request.value(forHTTPHeaderField: "Cookie") ?? ""
            let others = own.split(separator: ";").map { $0.drop { $0 == " " } }.filter {
                !$0.hasPrefix(name + "=")
            }
            request.headers.update(
                name: "Cookie", value: (others + ["\(name)=\(token)"]).joined(separator: "; "))
        case .body(let name): request.write([TokenField(name, token)], isForm: false)
        case .form(let name): request.write([TokenField(name, token)], isForm: true)
        case .path(let name):
            let segment = token.percentEncoded(allowing: \.isUnreservedInURL)
            request.url.path.replace("{\(name)}", with: segment)
        }
    }

    /// True for a request that shows a token here.
    public func shows(_ token: String, in request: URLRequest) -> Bool {
        switch self {
        case .header(let name, let scheme):
            request.value(forHTTPHeaderField: name) == scheme.map { "\($0) \(token)" } ?? token
        case .query(let name):
            (request.url.query ?? "").split(separator: "&").contains {
                $0 == "\(name)=\(token.percentEncoded(allowing: \.isUnreservedInURL))"
            }
        case .cookie(let name):
            (request.value(forHTTPHeaderField: "Cookie") ?? "").split(separator: ";").contains {
                $0.drop { $0 == " " } == "\(name)=\(token)"
            }
        case .body(let name): request.body == [TokenField(name, token)].body(isForm: false)
        case .form(let name): request.body == [TokenField(name, token)].body(isForm: true)
        case .path:
            request.url.path.hasSuffix("/" + token.percentEncoded(allowing: \.isUnreservedInURL))
        }
    }
}

extension TokenForm {
    /// Repeats the guard cookie's value in a request that writes.
    ///
    /// Without a known value, as in a restored session, it is what a service makes of the token.
    public func showGuard(
        of token: String, isAccess: Bool, _ known: [String: String], in request: inout URLRequest
    ) {
        let place = isAccess ? access : refresh.token
        guard let csrf, case .cookie = place, ![.get, .head].contains(request.method) else {
            return
        }
        let name = isAccess ? csrf.access : csrf.refresh
        let value = known[name] ?? CSRFGuard.value(beside: token)
        request.headers.update(name: csrf.header, value: value)
        TokenPlace.cookie(name).show(value, in: &request)
    }
}
