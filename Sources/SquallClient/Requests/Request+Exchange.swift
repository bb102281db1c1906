public import SquallHTTP

/// The wire: one attempt and the redirections it meets.
extension Request {
    @inline(__always)
    nonisolated(nonsending) func exchange(_ urlRequest: URLRequest) async -> Attempt {
        var (next, cause) = outgoing(urlRequest)
        for _ in 0...session.environment.configuration.redirectLimit {
            willSend(next, cause)
            let answer: TransportResponse
            do {
                answer = try await session.environment.transport.send(next, cause: cause)
            } catch {
                return didReceive(error, cause)
            }
            didReceive(answer, cause)
            guard answer.head.isRedirection, let target = redirected(next, by: answer) else {
                return over(answer, of: urlRequest)
            }
            next = target
        }
        return failed(with: TransportError(.httpTooManyRedirects))
    }

    /// A request with the fields that all get, and why it is sent.
    @inline(never)
    private func outgoing(_ urlRequest: URLRequest) -> (URLRequest, RequestCause) {
        var (urlRequest, cause) = (urlRequest, cause)
        cause.attempt = withState { $0.retryCount }
        for field in session.environment.configuration.defaultHeaders
        where urlRequest.headers[field.name] == nil {
            urlRequest.headers.add(field)
        }
        return (urlRequest, cause)
    }

    @inline(never)
    private func willSend(_ urlRequest: URLRequest, _ cause: RequestCause) {
        notify { $0.request(self, willSend: urlRequest, cause: cause) }
    }

    @inline(never)
    private func didReceive(_ answer: TransportResponse, _ cause: RequestCause) {
        notify { $0.request(self, didReceive: .success(answer), cause: cause) }
    }

    @inline(never)
    private func didReceive(_ error: TransportError, _ cause: RequestCause) -> Attempt {
        notify { $0.request(self, didReceive: .failure(error), cause: cause) }
        return failed(with: error)
    }

    /// An attempt that got no answer.
    @inline(never)
    private func failed(with error: TransportError) -> Attempt {
        let error: AFError =
            error.code == .cancelled ? .explicitlyCancelled : .sessionTaskFailed(error: error)
        return over(withState { Attempt(request: $0.request, answer: nil, error: error) })
    }

    /// Where an answer leads; `nil` when it is taken for what it is.
    @inline(never)
    private func redirected(
        _ urlRequest: URLRequest, by answer: TransportResponse
    ) -> URLRequest? {
        guard let target = urlRequest.redirected(by: answer.head) else { return nil }
        let redirector = withState { $0.rare?.redirector }
        let next = (redirector ?? session.environment.configuration.redirector).request(
            target, instead: urlRequest, after: answer.head)
        if let next { notify { $0.request(self, didRedirectTo: next, after: answer.head) } }
        return next
    }
}

/// What happens to answers that are redirections.
public struct Redirector: Sendable {
    private let change: @Sendable (URLRequest, URLRequest, HTTPURLResponse) -> URLRequest?

    /// A redirector that does what a closure says.
    ///
    /// - Parameter change: gets the request the answer points to, the answered one, and the answer;
    ///   returns the request to send instead, or `nil` to keep the answer.
    public init(
        _ change:
            @escaping @Sendable (
                _ target: URLRequest, _ original: URLRequest, _ response: HTTPURLResponse
            ) -> URLRequest?
    ) {
        self.change = change
    }

    /// Follows redirections.
    public static let follow = Redirector { target, _, _ in target }
    /// Keeps the answer.
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
