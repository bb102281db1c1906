import Dispatch
import Foundation
import SquallHTTP

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session of a loaded request, as far as a `URLProtocol` can know it.
///
/// Foundation on Linux gives a protocol its task, but not the task's session, upload or cookies, so
/// they are read from the task's stored properties. What is not found there is left out.
struct LoadingSession {
    private let session: URLSession?
    /// What is asked and told: the task's own delegate or the session's.
    private let delegate: (any URLSessionTaskDelegate)?
    /// Where Foundation starts, cancels and ends the task, one after the other.
    private let queue: DispatchQueue?

    init(of task: URLSessionTask?) {
        let session = LoadingSession.sessionOfTask.object(of: task, as: URLSession.self)
        self.session = session
        delegate = task?.delegate ?? session?.delegate as? any URLSessionTaskDelegate
        queue = LoadingSession.queueOfTask.object(of: task, as: DispatchQueue.self)
    }

    /// Tells the session something that a cancellation must come before or after: a session that is
    /// told of a task that it has just ended stops the process.
    func tell<Value>(_ body: () -> Value) -> Value {
        guard let queue else { return body() }
        return queue.sync(execute: body)
    }

    /// False where a task's bytes have to be passed on as one piece: Foundation on Linux keeps only
    /// the last piece for a task with a completion handler.
    func tellsPieces(of task: URLSessionTask?) -> Bool {
        guard session?.delegate != nil, let behaviour = behaviour(of: task) else { return false }
        let label = Mirror(reflecting: behaviour).children.first?.label ?? "\(behaviour)"
        return label.hasPrefix("callDelegate") || label.hasPrefix("taskDelegate")
    }

    /// The delegate that `data(for:delegate:)` was given, of which the task itself does not know.
    private func givenDelegate(of task: URLSessionTask?) -> (any URLSessionTaskDelegate)? {
        guard let behaviour = behaviour(of: task),
            let values = Mirror(reflecting: behaviour).children.first?.value
        else { return nil }
        return Mirror(reflecting: values).children.lazy
            .compactMap { $0.value as? any URLSessionTaskDelegate }.first
    }

    /// What Foundation does for a task: tells the session's delegate, or calls a handler.
    private func behaviour(of task: URLSessionTask?) -> Any? {
        guard let task, let session,
            let registry = LoadingSession.tasksOfSession.value(of: session)
        else { return nil }
        let all = Mirror(reflecting: registry).descendant("behaviours") as? [Int: Any]
        return all?[task.taskIdentifier]
    }

    private static let sessionOfTask = StoredProperty("session")
    private static let queueOfTask = StoredProperty("workQueue")
    fileprivate static let bodyOfTask = StoredProperty("knownBody")
    private static let tasksOfSession = StoredProperty("taskRegistry")

    /// A request as it goes on the wire, and whose session it is of.
    ///
    /// The first of a task has the cookies that there were when the task was made.
    func sent(
        _ request: SystemRequest, of task: URLSessionTask?, isRedirected: Bool
    ) async throws -> (request: SquallHTTP.URLRequest, user: Int?) {
        guard let address = request.url.flatMap({ WebURL($0.absoluteString) }) else {
            throw URLError(.badURL, of: request)
        }
        var fields = request.allHTTPHeaderFields ?? [:]
        if isRedirected || LoadingSession.words(fields["Cookie"]).count > 1 {
            setCookies(in: &fields, for: request)
        }
        var (all, user) = commonFields
        for field in fields { all.update(name: field.key, value: field.value) }
        // Foundation keeps no order, so the fields' names make one.
        let headers = all.sorted { $0.name < $1.name }
        var sent = SquallHTTP.URLRequest(
            url: address, method: HTTPMethod(rawValue: request.httpMethod ?? "GET"),
            headers: HTTPHeaders(headers),
            body: Body(try await body(of: request, of: task, isRedirected: isRedirected)))
        sent.timeoutNanoseconds = patience(for: request)
        return (sent, user)
    }

    /// What the session's requests have that do not say otherwise, and whose session it is.
    ///
    /// Foundation tells no protocol but its own of them.
    private var commonFields: (fields: HTTPHeaders, user: Int?) {
        var (fields, user): (HTTPHeaders, Int?) = ([:], nil)
        for case let (name as String, value as String) in common {
            if name == WorldURLProtocol.userField {
                user = Int(value)
            } else {
                fields.update(name: name, value: value)
            }
        }
        return (fields, user)
    }

    private var common: [AnyHashable: Any] { session?.configuration.httpAdditionalHeaders ?? [:] }

    /// The sooner of what the request and the session's configuration say, which is 60 s when
    /// neither says anything.
    private func patience(for request: SystemRequest) -> Int64 {
        let usual = 60.0
        let own = request.timeoutInterval
        let common = session?.configuration.timeoutIntervalForRequest ?? usual
        let seconds = own == usual ? common : own
        return Self.nanoseconds(seconds)
    }

    /// How long a task of the session may take with all its redirects.
    var resourceNanoseconds: Int64 {
        let seconds = session?.configuration.timeoutIntervalForResource ?? 7 * 86_400
        return Self.nanoseconds(seconds)
    }

    /// A limit in nanoseconds, up to 31 years.
    private static func nanoseconds(_ seconds: Double) -> Int64 {
        Int64(max(0, min(seconds, 1e9)) * 1e9)
    }

    func tellSent(_ count: Int, of task: URLSessionTask?) {
        guard count > 0, let session, let task, let delegate else { return }
        let count = Int64(count)
        session.delegateQueue.addOperation {
            delegate.urlSession(
                session, task: task, didSendBodyData: count, totalBytesSent: count,
                totalBytesExpectedToSend: count)
        }
    }

    /// The bytes of a request's body.
    ///
    /// A stream can be read once: for a redirect the delegate is asked for another.
    private func body(
        of request: SystemRequest, of task: URLSessionTask?, isRedirected: Bool
    ) async throws -> [UInt8] {
        if let data = request.httpBody { return Array(data) }
        var source = request.httpBodyStream.map { BodySource.stream($0) } ?? .nothing
        if request.httpMethod != "GET" { source = BodySource(of: task) ?? source }
        switch source {
        case .nothing: return []
        case .data(let data): return LoadingSession.bytes(of: data)
        case .file(let url):
            guard let data = try? Data(contentsOf: url) else {
                throw URLError(.fileDoesNotExist, of: request)
            }
            return Array(data)
        case .stream(let stream):
            if !isRedirected { return try LoadingSession.bytes(of: stream, of: request) }
        case .delegate: break
        }
        let none = GivenStream(stream: nil)
        let stream = await answer(of: task, otherwise: none) { delegate, session, task, answer in
            delegate.urlSession(session, task: task) { answer(GivenStream(stream: $0)) }
        }
        guard let stream = stream?.stream ?? (isRedirected ? nil : request.httpBodyStream) else {
            throw URLError(.requestBodyStreamExhausted, of: request)
        }
        return try LoadingSession.bytes(of: stream, of: request)
    }

    /// All at once, because each single byte takes a look-up.
    private static func bytes(of data: DispatchData) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: data.count) { buffer, count in
            data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: data.count)
            count = data.count
        }
    }

    private static func bytes(
        of stream: InputStream, of request: SystemRequest
    ) throws -> [UInt8] {
        stream.open()
        defer { stream.close() }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = stream.read(&piece, maxLength: piece.count)
            guard count >= 0 else { throw URLError(.requestBodyStreamExhausted, of: request) }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
    }

    private var cookies: HTTPCookieStorage? {
        guard let configuration = session?.configuration,
            configuration.httpCookieAcceptPolicy != .never
        else { return nil }
        return configuration.httpCookieStorage
    }

    /// Adds the cookies that are known, or puts those in order that Foundation has added; what a
    /// client has written itself stays.
    private func setCookies(in fields: inout [String: String], for request: SystemRequest) {
        guard request.httpShouldHandleCookies, let url = request.url,
            session?.configuration.httpShouldSetCookies == true,
            let known = cookies?.cookies(for: url), !known.isEmpty
        else { return }
        // Foundation keeps no order; longer paths come first, as RFC 6265 §5.4 asks.
        let sorted = known.sorted {
            ($1.path.utf8.count, $0.name, $0.domain, $0.path)
                < ($0.path.utf8.count, $1.name, $1.domain, $1.path)
        }
        let all = HTTPCookie.requestHeaderFields(with: sorted)["Cookie"]
        let words = LoadingSession.words(fields["Cookie"])
        guard words.isEmpty || words == LoadingSession.words(all) else { return }
        fields["Cookie"] = all
    }

    /// The cookies of a field, whatever their order.
    private static func words(_ field: String?) -> [Substring] {
        field.map { $0.split(separator: "; ").sorted() } ?? []
    }

    /// Keeps the cookies that an answer sets, as the session's configuration wants it.
    func keepCookies(of head: SystemResponse) {
        guard let url = head.url, let storage = cookies,
            let set = head.value(forHTTPHeaderField: "Set-Cookie")
        else { return }
        let new = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": set], for: url)
        for cookie in new { storage.setCookie(cookie) }
    }

    /// Asks the delegate whether to follow a redirect; without one it is followed.
    func allows(
        _ next: SystemRequest, after head: SystemResponse, for task: URLSessionTask?
    ) async -> SystemRequest? {
        await answer(of: task, otherwise: next) { delegate, session, task, answer in
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: head, newRequest: next
            ) { answer($0) }
        } ?? nil
    }

    /// Asks the delegate on its queue and takes its first answer; `nil` when the request is
    /// cancelled meanwhile.
    private func answer<Value: Sendable>(
        of task: URLSessionTask?, otherwise usual: Value,
        _ ask:
            @escaping @Sendable (
                any URLSessionTaskDelegate, URLSession, URLSessionTask,
                @escaping @Sendable (Value) -> Void
            ) -> Void
    ) async -> Value? {
        guard let session, let task, let delegate = givenDelegate(of: task) ?? delegate else {
            return usual
        }
        let (answers, continuation) = AsyncStream<Value>.makeStream()
        session.delegateQueue.addOperation {
            ask(delegate, session, task) { continuation.yield($0) }
        }
        for await first in answers { return first }
        return nil
    }
}

/// What a request's body is made of, as Foundation keeps it with the task.
private enum BodySource {
    case nothing
    case data(DispatchData)
    case file(URL)
    case stream(InputStream)
    /// The delegate is asked for a stream.
    case delegate

    /// `nil` without a task, and where Foundation keeps no such thing.
    init?(of task: URLSessionTask?) {
        guard let known = LoadingSession.bodyOfTask.value(of: task) else { return nil }
        let mirror = Mirror(reflecting: known)
        guard mirror.displayStyle == .optional else { return nil }
        guard let body = mirror.children.first?.value else {
            self = .delegate
            return
        }
        switch Mirror(reflecting: body).children.first?.value {
        case let data as DispatchData: self = .data(data)
        case let url as URL: self = .file(url)
        case let stream as InputStream: self = .stream(stream)
        default: return nil
        }
    }
}

/// A stream on its way from the delegate's queue to the request that reads it.
private struct GivenStream: @unchecked Sendable {
    // Safe because a world's tasks all run on its thread, and the delegate has given it away.
    let stream: InputStream?
}
