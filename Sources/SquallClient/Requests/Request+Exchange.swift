public import SquallHTTP

/// The wire: one attempt and the redirections it meets.
extension Request {
    @inline(__always)
    nonisolated(nonsending) func exchange(
        _ urlRequest: URLRequest, _ setup: Setup
    ) async throws(AFError) -> TransportResponse {
        let configuration = session.environment.configuration
        var cause = cause
        cause.attempt = setup.retryCount
        var urlRequest = urlRequest
        for field in configuration.defaultHeaders where urlRequest.headers[field.name] == nil {
            urlRequest.headers.add(field)
        }
        for _ in 0...configuration.redirectLimit {
            let answer = try await sendOnce(urlRequest, cause)
            guard answer.head.isRedirection,
                let target = urlRequest.redirected(by: answer.head),
                let next = (setup.redirector ?? configuration.redirector).request(
                    target, instead: urlRequest, after: answer.head)
            else { return answer }
            notify { $0.request(self, didRedirectTo: next, after: answer.head) }
            urlRequest = next
        }
        throw .sessionTaskFailed(error: TransportError(.httpTooManyRedirects))
    }

    @inline(__always)
    private nonisolated(nonsending) func sendOnce(
        _ urlRequest: URLRequest, _ cause: RequestCause
    ) async throws(AFError) -> TransportResponse {
        notify { $0.request(self, willSend: urlRequest, cause: cause) }
        do {
            let answer = try await session.environment.transport.send(urlRequest, cause: cause)
            notify { $0.request(self, didReceive: .success(answer), cause: cause) }
            return answer
        } catch {
            notify { $0.request(self, didReceive: .failure(error), cause: cause) }
            throw error.code == .cancelled ? .explicitlyCancelled : .sessionTaskFailed(error: error)
        }
    }
}

/// What becomes of an answer that points elsewhere.
public struct Redirector: Sendable {
    private let change: @Sendable (URLRequest, URLRequest, HTTPURLResponse) -> URLRequest?

    /// A redirector that does what a closure says.
    ///
    /// - Parameter change: gets the request the answer points to, the one that was answered, and
    ///   the answer; returns what to send instead, or `nil` to take the answer for what it is.
    public init(
        _ change:
            @escaping @Sendable (
                _ target: URLRequest, _ original: URLRequest, _ response: HTTPURLResponse
            ) -> URLRequest?
    ) {
        self.change = change
    }

    /// Goes where the answer points.
    public static let follow = Redirector { target, _, _ in target }
    /// Takes the answer for what it is.
    public static let doNotFollow = Redirector { _, _, _ in nil }

    func request(
        _ target: URLRequest, instead original: URLRequest, after response: HTTPURLResponse
    ) -> URLRequest? {
        change(target, original, response)
    }
}

extension HTTPURLResponse {
    var isRedirection: Bool {
        switch statusCode {
        case 301, 302, 303, 307, 308: true
        default: false
        }
    }
}

extension URLRequest {
    /// The request an answer points to; `nil` without an address to go to.
    ///
    /// 307 and 308 keep verb and body; 303 becomes a GET, and so does a POST by 301 and 302. No
    /// adapter runs again, and another origin does not get the credentials (Fetch standard).
    func redirected(by response: HTTPURLResponse) -> URLRequest? {
        guard let location = response.headers.value(for: "Location"),
            let target = url.resolving(location)
        else { return nil }
        var next = self
        next.url = target
        let becomesGET =
            response.statusCode == 303 && method != .head
            || method == .post && (301...302).contains(response.statusCode)
        if becomesGET {
            next.method = .get
            next.body = .empty
            next.headers.remove(name: "Content-Type")
        }
        if target.origin != url.origin { next.headers.remove(name: "Authorization") }
        return next
    }
}

extension WebURL {
    /// An absolute address, or one that begins with a slash and stays on this origin.
    func resolving(_ reference: String) -> WebURL? {
        reference.hasPrefix("/") && !reference.hasPrefix("//")
            ? WebURL(origin + reference) : WebURL(reference)
    }
}
