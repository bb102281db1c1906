/// A request as it travels: address, verb, headers and body.
///
/// Named after Foundation's type, with the members client code uses. On Linux that type lives in
/// FoundationNetworking and costs about twenty times as much to build and copy. Its parts are
/// behind one reference until a copy is changed: a request is passed on seven times on its way, and
/// as a plain structure each time counted seven references up and down. The accessors are inlinable
/// because calls to them would copy whole parts.
public struct URLRequest: Sendable {
    @usableFromInline var parts: Parts

    /// The address of the request; a redirection replaces it.
    public var url: WebURL {
        @inlinable get { parts.url }
        @inlinable _modify {
            unshare()
            yield &parts.url
        }
    }
    /// The verb; `GET` by default.
    public var method: HTTPMethod {
        @inlinable get { parts.method }
        @inlinable _modify {
            unshare()
            yield &parts.method
        }
    }
    /// The header fields.
    public var headers: HTTPHeaders {
        @inlinable get { parts.headers }
        @inlinable _modify {
            unshare()
            yield &parts.headers
        }
    }
    /// The body; empty when there is none.
    public var body: Body {
        @inlinable get { parts.body }
        @inlinable _modify {
            unshare()
            yield &parts.body
        }
    }
    /// How long its client waits for the response once it has a connection; `nil` for the default.
    public var timeoutNanoseconds: Int64? {
        @inlinable get { parts.timeoutNanoseconds }
        @inlinable _modify {
            unshare()
            yield &parts.timeoutNanoseconds
        }
    }

    /// A request from its parts.
    public init(
        url: WebURL, method: HTTPMethod = .get, headers: HTTPHeaders = [], body: Body = .empty
    ) {
        parts = Parts(url: url, method: method, headers: headers, body: body)
    }

    @usableFromInline
    mutating func unshare() {
        guard !isKnownUniquelyReferenced(&parts) else { return }
        let timeout = parts.timeoutNanoseconds
        parts = Parts(
            url: parts.url, method: parts.method, headers: parts.headers, body: parts.body)
        parts.timeoutNanoseconds = timeout
    }

    /// What a request and its unchanged copies share.
    @usableFromInline
    final class Parts: @unchecked Sendable {
        // Safe because only its single owner changes it, after checking that it is the only one; so
        // no access needs to be checked for overlap either.

        @usableFromInline @exclusivity(unchecked) var url: WebURL
        @usableFromInline @exclusivity(unchecked) var method: HTTPMethod
        @usableFromInline @exclusivity(unchecked) var headers: HTTPHeaders
        @usableFromInline @exclusivity(unchecked) var body: Body
        @usableFromInline @exclusivity(unchecked) var timeoutNanoseconds: Int64?

        init(url: WebURL, method: HTTPMethod, headers: HTTPHeaders, body: Body) {
            self.url = url
            self.method = method
            self.headers = headers
            self.body = body
        }
    }

    /// The value of a header field, whatever the case of its name.
    public func value(forHTTPHeaderField name: String) -> String? { headers.value(for: name) }

    /// Sets or, with `nil`, removes a header field.
    public mutating func setValue(_ value: String?, forHTTPHeaderField name: String) {
        headers[name] = value
    }
}

extension URLRequest: Hashable {
    /// Equal in every part.
    public static func == (left: URLRequest, right: URLRequest) -> Bool {
        left.parts === right.parts
            || left.url == right.url && left.method == right.method
                && left.headers == right.headers && left.body == right.body
                && left.timeoutNanoseconds == right.timeoutNanoseconds
    }

    /// Feeds the address and the verb.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(url)
        hasher.combine(method)
    }
}
