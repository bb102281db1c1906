import Foundation
import SquallHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One request of a `URLSession` on its way through the world, redirects included.
struct LoadedRequest {
    private let loader: WorldURLProtocol
    private let world: any LoadingWorld
    private let session: LoadingSession
    private let begun: Int64
    private static let redirectsMax = 16

    init(_ loader: WorldURLProtocol, in world: any LoadingWorld) {
        self.loader = loader
        self.world = world
        session = LoadingSession(of: loader.task)
        begun = world.simulation.now.nanoseconds
    }

    /// Loads the answer, and tells the session the answer or the error.
    func run() async {
        do {
            try await follow(loader.request)
        } catch {
            guard (error as? URLError)?.code != .cancelled else { return }
            await tell { $0.urlProtocol(loader, didFailWithError: error) }
        }
    }

    /// Tells the session's side, unless the request was cancelled, and not before it is resumed.
    ///
    /// Of a task that is being cancelled Foundation itself tells the end, with another turn of the
    /// same queue: what is told before that would be a second one.
    private func tell(_ body: (any URLProtocolClient) -> Void) async {
        while session.tell({
            guard !loader.isSuspended else { return true }
            if isWanted, let client = loader.client { body(client) }
            return false
        }) {
            await resumption()
        }
    }

    /// False once the session waits for nothing more: what it is told then stops the process.
    private var isWanted: Bool { !loader.isStopped && loader.task?.state != .canceling }

    private func resumption() async {
        guard loader.isSuspended else { return }
        await withCheckedContinuation { continuation in
            session.tell { loader.wait(continuation) }
        }
    }

    private func follow(_ first: SystemRequest) async throws {
        var request = first
        for hop in 0...LoadedRequest.redirectsMax {
            let (answer, pace) = try await exchange(request, isRedirected: hop > 0)
            guard let head = request.url.flatMap({ AnswerHeads.head(answer.head, from: $0) })
            else {
                throw URLError(.badServerResponse, of: request)
            }
            session.keepCookies(of: head)
            guard let next = head.redirection(of: request) else {
                return try await deliver(head, answer.body, pace)
            }
            guard let allowed = await session.allows(next, after: head, for: loader.task) else {
                return try await deliver(head, answer.body, pace)
            }
            request = allowed
        }
        throw URLError(.httpTooManyRedirects, of: request)
    }

    private func exchange(
        _ request: SystemRequest, isRedirected: Bool
    ) async throws -> (answer: TransportResponse, pace: MountedService.Pace?) {
        if let scheme = request.url?.scheme, !scheme.hasPrefix("http") {
            let kind = scheme.hasPrefix("ws") ? "a web socket to" : "a request to"
            world.dispatch.escape(kind, request.url?.absoluteString ?? "")
            throw URLError(.unsupportedURL, of: request)
        }
        if loader.task is URLSessionDownloadTask {
            world.dispatch.escape("a download of", request.url?.absoluteString ?? "")
            throw URLError(.unsupportedURL, of: request)
        }
        await resumption()
        var sent = try await session.sent(request, of: loader.task, isRedirected: isRedirected)
        let left = session.resourceNanoseconds - (world.simulation.now.nanoseconds - begun)
        guard left > 0 else { throw URLError(.timedOut, of: request) }
        sent.request.timeoutNanoseconds = min(sent.request.timeoutNanoseconds ?? left, left)
        let count = sent.request.body.bytes.count
        await tell { _ in session.tellSent(count, of: loader.task) }
        let answer: (answer: TransportResponse, pace: MountedService.Pace?)?
        do {
            answer = try await world.exchange(sent.request, user: sent.user)
        } catch {
            throw URLError(error, of: request)
        }
        guard let answer else {
            world.dispatch.escape("a request to", sent.request.url.origin)
            throw URLError(.cannotFindHost, of: request)
        }
        return answer
    }

    private func deliver(
        _ head: SystemResponse, _ body: Body, _ pace: MountedService.Pace?
    ) async throws {
        await tell { $0.urlProtocol(loader, didReceive: head, cacheStoragePolicy: .notAllowed) }
        var bytes = body.bytes[...]
        let pieces = pace ?? []
        let tellsPieces = !pieces.isEmpty && session.tellsPieces(of: loader.task)
        for (gap, count) in pieces {
            try await Task.sleep(for: gap)
            guard tellsPieces else { continue }
            await tell { $0.urlProtocol(loader, didLoad: Data(bytes.prefix(count))) }
            bytes = bytes.dropFirst(count)
        }
        await tell { client in
            if !bytes.isEmpty { client.urlProtocol(loader, didLoad: Data(bytes)) }
            RefusedHead.$isEnding.withValue(true) { client.urlProtocolDidFinishLoading(loader) }
        }
    }
}

extension URLError {
    /// Why no answer came, as Foundation says it.
    init(_ error: TransportError, of request: SystemRequest? = nil) {
        self.init(Code(rawValue: error.code.rawValue) ?? .unknown, of: request)
    }

    init(_ code: Code, of request: SystemRequest?) {
        guard let url = request?.url else {
            self.init(code)
            return
        }
        self.init(
            code,
            userInfo: [NSURLErrorFailingURLErrorKey: url])
    }
}

extension SystemResponse {
    /// Where the answer sends the client, by the rules of RFC 9110 §15.4 as clients follow them:
    /// 303, and 301 and 302 after a `POST`, become a `GET` without a body.
    func redirection(of request: SystemRequest) -> SystemRequest? {
        guard [301, 302, 303, 307, 308].contains(statusCode),
            let location = value(forHTTPHeaderField: "Location"),
            let url = URL(string: location, relativeTo: url)
        else { return nil }
        var next = request
        next.url = url.absoluteURL
        // A token is shown only to the origin for which it was meant.
        if WebURL(url.absoluteString)?.origin != WebURL(request.url?.absoluteString ?? "")?.origin {
            next.setValue(nil, forHTTPHeaderField: "Authorization")
        }
        let isPost = request.httpMethod == "POST"
        if statusCode == 303 && request.httpMethod != "HEAD" || statusCode < 303 && isPost {
            next.httpMethod = "GET"
            next.httpBody = nil
            next.setValue(nil, forHTTPHeaderField: "Content-Length")
            next.setValue(nil, forHTTPHeaderField: "Content-Type")
        }
        return next
    }
}
