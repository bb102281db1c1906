public import Foundation
public import Squall

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// One call that a client is asked for, and what is to happen to it.
public final class RealCall: @unchecked Sendable {
    // Safe because everything happens on the world's thread.

    /// What it sends.
    public enum Kind: String, Sendable {
        /// Nothing: it reads.
        case read
        /// A JSON object whose member `text` is the text.
        case json
        /// A form whose field `text` is the text.
        case form
        /// Several parts, of which one is the text.
        case parts
        /// The text, as bytes.
        case data
        /// The text, from a file.
        case file
        /// The text, from a stream.
        case stream
    }

    /// When it is cancelled, if it is.
    enum Cancellation {
        case never
        /// The task that waits for it, so long after it began.
        case task(Duration)
        /// By the library's own means.
        case own(Duration)
        /// Likewise, when it is told of progress.
        case progress

        var name: String {
            switch self {
            case .never: "not cancelled"
            case .task: "its task is cancelled"
            case .own: "cancelled as the library does"
            case .progress: "cancelled in a progress callback"
            }
        }
    }

    /// Its number in its world, from 0.
    public let number: Int
    /// What it sends.
    public let kind: Kind
    /// Its verb.
    public let method: String
    /// The path and the query.
    public let path: String
    /// What it writes, in characters that no encoding changes.
    public let text: String
    /// A file with the text.
    public let file: URL
    /// Where its service answers.
    public internal(set) var origin = URL(fileURLWithPath: "/")
    let isKept: Bool
    let cancellation: Cancellation
    private var cancel: (@Sendable () -> Void)?
    private var isCancelled = false

    init(
        _ number: Int, _ kind: Kind, _ method: String, _ path: String, length: Int, isKept: Bool,
        _ cancellation: Cancellation
    ) {
        self.number = number
        self.kind = kind
        self.method = kind == .read ? "GET" : method
        let query = "write=\(number)&kind=\(kind.rawValue)&length=\(length)"
        self.path = "\(path)?\(query)"
        text = String(repeating: "x", count: length)
        file = RealFiles.url(length)
        self.isKept = isKept
        self.cancellation = cancellation
    }

    /// The address.
    public var url: URL { URL(string: path, relativeTo: origin)?.absoluteURL ?? origin }
    /// The text as bytes.
    public var body: Data { Data(text.utf8) }

    /// Its request with a body of Foundation's own, for clients that take one.
    public var request: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        switch kind {
        case .read: break
        case .json:
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(#"{"text": "\#(text)"}"#.utf8)
        case .form: request.httpBody = Data("text=\(text)".utf8)
        case .stream: request.httpBodyStream = InputStream(data: body)
        case .parts, .data, .file: request.httpBody = body
        }
        return request
    }

    /// Says how the library cancels it.
    public func cancels(by action: @escaping @Sendable () -> Void) {
        cancel = action
        if isCancelled { action() }
    }

    /// Is told whenever the library tells of progress.
    public func progressed() {
        if case .progress = cancellation { cancelNow() }
    }

    /// Lets go of the library's request, which may keep what is told of its progress.
    func end() { cancel = nil }

    func cancelNow() {
        isCancelled = true
        cancel?()
    }
}

/// The files that are uploaded, one of each length.
enum RealFiles {
    static let lengths = [0, 60, 20_000, 120_000]

    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("real-clients-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for length in lengths {
            try? Data(String(repeating: "x", count: length).utf8)
                .write(to: folder.appendingPathComponent("\(length).txt"))
        }
        return folder
    }()

    static func url(_ length: Int) -> URL { folder.appendingPathComponent("\(length).txt") }
}

/// A world with a service that keeps what is written, and the calls of it.
public final class RealWorld: @unchecked Sendable {
    // Safe because everything happens on the world's thread.

    /// The world itself.
    public let world: TestWorld
    let calls: [RealCall]
    private let plan: RealPlan
    private var refused: Set<Int> = []
    private(set) var written: [Int: Int] = [:]
    private(set) var faults: [String] = []
    /// What came of each call that ended.
    private(set) var ends: [Int: Result<Int, any Error>] = [:]

    init(_ world: TestWorld, _ plan: RealPlan) {
        self.world = world
        self.plan = plan
        calls = plan.calls
    }

    /// The service's calls.
    public var routes: [TokenRoute] {
        // Weakly, because the world keeps its services and this keeps the world.
        let keep: @Sendable (ServiceCall) -> ServiceReply = { [weak self] call in
            self?.keep(call) ?? ServiceReply(status: 503)
        }
        let moved: @Sendable (ServiceCall) -> ServiceReply = { call in
            let status = Int(call.variables.first ?? "") ?? 302
            let query = ["write", "kind", "length"].map { "\($0)=\(call.query($0) ?? "")" }
            return .redirect(to: "/posts?\(query.joined(separator: "&"))", status: status)
        }
        return [
            .get("/posts", answer: keep), .post("/posts", answer: keep),
            .put("/posts", answer: keep), .get("/moved/{status}", answer: moved),
            .post("/moved/{status}", answer: moved), .put("/moved/{status}", answer: moved),
        ]
    }

    /// Mounts a service, whose refusals of expired tokens have the header fields that servers send.
    public func mount(_ service: TokenService) -> MountedService {
        var service = service
        service.form.expired.headers = plan.expiry.headers
        if let status = plan.expiry.status { service.form.expired.status = status }
        let far = world.mount(service)
        for call in calls { call.origin = far.url }
        return far
    }

    /// A service with bearer tokens, and a session of it whose access token has just expired.
    public func expiredSession() -> ExpiredSession {
        let far = mount(TokenService(.bearer, routes: routes))
        let tokens = far.expiredTokens()
        return ExpiredSession(url: far.url, access: tokens.access, refresh: tokens.refresh)
    }

    /// Makes all calls at once, and waits for their ends.
    func perform(_ caller: @escaping RealClient.Caller) async {
        await withTaskGroup(of: Void.self) { group in
            for call in calls { group.addTask { await self.perform(call, caller) } }
        }
    }

    private func perform(_ call: RealCall, _ caller: @escaping RealClient.Caller) async {
        let task = Task { try await caller(call) }
        switch call.cancellation {
        case .never, .progress: break
        case .task(let span):
            try? await Task.sleep(for: span)
            task.cancel()
        case .own(let span):
            try? await Task.sleep(for: span)
            call.cancelNow()
        }
        ends[call.number] = await task.result
        call.end()
    }

    private func keep(_ call: ServiceCall) -> ServiceReply {
        guard let number = call.query("write").flatMap({ Int($0) }) else {
            return ServiceReply(json: "[1]")
        }
        if let refusal = plan.refusals[number], refused.insert(number).inserted { return refusal }
        if call.method == "GET" { return ServiceReply(json: "[1]") }
        written[number, default: 0] += 1
        let length = Int(call.query("length") ?? "") ?? 0
        let kind = call.query("kind") ?? ""
        if !isWhole(call.body, kind, length) {
            faults.append("call \(number) (\(kind)) wrote \(call.body.count) B for \(length) B")
        }
        return plan.success
    }

    private func isWhole(_ body: [UInt8], _ kind: String, _ length: Int) -> Bool {
        let text = String(repeating: "x", count: length)
        switch RealCall.Kind(rawValue: kind) {
        case .data, .file, .stream: return body == Array(text.utf8)
        case .form: return body == Array("text=\(text)".utf8)
        default: return text.isEmpty || String(decoding: body, as: UTF8.self).contains(text)
        }
    }
}

/// A session of a service whose access token has just expired.
public struct ExpiredSession: Sendable {
    /// Where it answers.
    public let url: URL
    /// The access token that has expired.
    public let access: String
    /// What buys another.
    public let refresh: String

    /// The body of a refresh.
    public var form: Data { Data("grant_type=refresh_token&refresh_token=\(refresh)".utf8) }

    /// The request of a refresh.
    public var request: URLRequest {
        var request = URLRequest(url: url.appendingPathComponent("oauth/token"))
        request.httpMethod = "POST"
        request.httpBody = form
        return request
    }
}
