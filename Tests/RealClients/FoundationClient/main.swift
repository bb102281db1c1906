import Foundation
import RealClients

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session without a library: every way that it has to load and to upload, and what else a
/// client may do to it meanwhile.
let client = RealClient(
    "URLSession", refreshesOnce: true, kinds: [.read, .json, .form, .data, .file, .stream]
) { real in
    let expired = real.expiredSession()
    let number = Int(real.world.seed)
    let renewal = Renewal(expired)
    let sessions = Sessions(number)
    return { call in
        let shown = await renewal.access
        let way = (number + call.number) % 7
        let status = try await Load(call, way, shown).status(in: sessions)
        guard status == 401 || status == 419 else { return status }
        // A stream is used up.
        guard call.kind != .stream || way == 6 else { return status }
        let token = try await renewal.renewed(after: shown)
        return try await Load(call, way, token).status(in: sessions)
    }
}

/// One refresh for all that wait.
actor Renewal {
    private let session: ExpiredSession
    private(set) var access: String
    private var underWay: Task<String, any Error>?

    init(_ session: ExpiredSession) {
        self.session = session
        access = session.access
    }

    func renewed(after shown: String) async throws -> String {
        guard shown == access else { return access }
        let renewal =
            underWay
            ?? Task { [session] in
                let (data, _) = try await URLSession.shared.data(for: session.request)
                return try JSONDecoder().decode(RefreshAnswer.self, from: data).access_token
            }
        underWay = renewal
        access = try await renewal.value
        underWay = nil
        return access
    }
}

/// A session with a delegate on a queue of some kind, with a cache or without, and one without a
/// delegate.
final class Sessions: Sendable {
    let heard: Heard
    let told: URLSession
    let plain: URLSession

    init(_ number: Int) {
        heard = Heard()
        let configuration = number % 2 == 0 ? URLSessionConfiguration.default : .ephemeral
        if number % 3 == 0 {
            configuration.urlCache = URLCache(
                memoryCapacity: 1_000_000, diskCapacity: 0, diskPath: nil)
        }
        if number % 5 == 0 { configuration.httpCookieStorage = nil }
        configuration.httpAdditionalHeaders = ["X-App": "1"]
        let several = OperationQueue()
        several.maxConcurrentOperationCount = 4
        let queues: [OperationQueue?] = [nil, .main, several]
        told = URLSession(
            configuration: configuration, delegate: heard, delegateQueue: queues[number % 3])
        plain = URLSession(configuration: configuration)
    }

    deinit {
        told.finishTasksAndInvalidate()
        plain.invalidateAndCancel()
    }
}

/// What is waited for, by the numbers of tasks; each hears of its progress and its end.
final class Heard: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safe because each access is under the lock.
    private let lock = NSLock()
    private var waits: [Int: (call: RealCall, done: CheckedContinuation<Int, any Error>)] = [:]

    func expect(
        _ task: URLSessionTask, _ call: RealCall, _ done: CheckedContinuation<Int, any Error>
    ) {
        lock.withLock { waits[task.taskIdentifier] = (call, done) }
    }

    private func call(_ task: URLSessionTask) -> RealCall? {
        lock.withLock { waits[task.taskIdentifier]?.call }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) { completionHandler(call(task).map { InputStream(data: $0.body) }) }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) { call(task)?.progressed() }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let progress = Progress(totalUnitCount: 0)
        progress.totalUnitCount = dataTask.response?.expectedContentLength ?? -1
        progress.completedUnitCount = Int64(data.count)
        progress.totalUnitCount = 0
        call(dataTask)?.progressed()
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let wait = lock.withLock { waits.removeValue(forKey: task.taskIdentifier) }
        wait?.done.resume(with: Load.end(task.response, error))
    }
}

/// One attempt of a call, in one of seven ways.
struct Load: Sendable {
    private let call: RealCall
    private let way: Int
    private let request: URLRequest

    init(_ call: RealCall, _ way: Int, _ token: String) {
        self.call = call
        self.way = way
        var request = call.request
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        self.request = request
    }

    static func end(_ response: URLResponse?, _ error: (any Error)?) -> Result<Int, any Error> {
        error.map { .failure($0) } ?? .success((response as? HTTPURLResponse)?.statusCode ?? 0)
    }

    func status(in sessions: Sessions) async throws -> Int {
        // Data and files are uploaded; what else has a body brings it along.
        switch (way, call.kind) {
        case (0, .file), (1, .file), (2, .file):
            return try status(await sessions.plain.upload(for: bare, fromFile: call.file))
        case (0, .data): return try status(await sessions.plain.upload(for: bare, from: call.body))
        case (0, _): return try status(await sessions.plain.data(for: request))
        case (1, _):
            return try status(await sessions.told.data(for: request, delegate: sessions.heard))
        case (2, _), (3, _): return try await handled(in: sessions)
        default: return try await told(in: sessions)
        }
    }

    private func status(_ answer: (Data, URLResponse)) -> Int {
        (answer.1 as? HTTPURLResponse)?.statusCode ?? 0
    }

    /// The request without its body, for an upload that has it.
    private var bare: URLRequest {
        var request = request
        request.httpBody = nil
        return request
    }

    private func handled(in sessions: Sessions) async throws -> Int {
        try await withCheckedThrowingContinuation { done in
            let session = way == 2 ? sessions.plain : sessions.told
            let task =
                switch call.kind {
                case .data:
                    session.uploadTask(with: bare, from: call.body) { _, response, error in
                        done.resume(with: Load.end(response, error))
                    }
                case .file:
                    session.uploadTask(with: bare, fromFile: call.file) { _, response, error in
                        done.resume(with: Load.end(response, error))
                    }
                default:
                    session.dataTask(with: request) { _, response, error in
                        done.resume(with: Load.end(response, error))
                    }
                }
            begin(task)
        }
    }

    private func told(in sessions: Sessions) async throws -> Int {
        try await withCheckedThrowingContinuation { done in
            let task: URLSessionTask =
                switch call.kind {
                case .data: sessions.told.uploadTask(with: bare, from: call.body)
                case .file: sessions.told.uploadTask(with: bare, fromFile: call.file)
                case .stream where way == 6: sessions.told.uploadTask(withStreamedRequest: request)
                default: sessions.told.dataTask(with: request)
                }
            sessions.heard.expect(task, call, done)
            begin(task)
        }
    }

    /// Starts a task, and asks and stops it as often as clients do.
    private func begin(_ task: URLSessionTask) {
        call.cancels { call.number % 2 == 0 ? task.cancel() : task.progress.cancel() }
        task.priority = URLSessionTask.highPriority
        task.resume()
        if call.number % 3 == 1 {
            task.suspend()
            task.resume()
            task.resume()
        }
        guard call.number % 4 == 1 else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(30)) {
            task.suspend()
            _ = (task.progress.fractionCompleted, task.countOfBytesReceived, task.state)
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(120)) {
                task.resume()
            }
        }
    }
}
try client.play()
