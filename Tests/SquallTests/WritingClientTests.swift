import Foundation
import Squall
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What clients do with requests that have a body, as libraries on top of `URLSession` do it.
@Suite("Clients that write")
struct WritingClientTests {
    private static let service = TokenService(
        .bearer, routes: [.post("/posts", status: 201), .get("/posts", json: "[]")])

    @Test("A request with a body is sent again, its progress set back first, as libraries do it")
    func progressSetBack() throws {
        try simulate { world in
            var service = Self.service
            service.form.expired.headers["Content-Length"] = "2"
            let far = world.mount(service)
            let client = RetryingUpload(far.urlSessionConfiguration)
            for method in ["GET", "POST"] {
                var request = URLRequest(url: far.url.appending(path: "posts"))
                request.httpMethod = method
                request.httpBody = method == "GET" ? nil : Data("{}".utf8)
                let tokens = (far.expiredTokens().access, far.tokens().access)
                let status = try await client.send(request, tokens)
                #expect(status == (method == "GET" ? 200 : 201))
            }
            #expect(client.upload.totalUnitCount == 2 && client.upload.isFinished)
            #expect(far.log.count == 4)
        }
    }

    @Test("A total that is set to 0 and to another one counts from there, in subclasses too")
    func totals() throws {
        try simulate { _ in
            for progress in [Progress(totalUnitCount: 3), OwnProgress(totalUnitCount: 3)] {
                progress.completedUnitCount = 3
                progress.totalUnitCount = 0
                progress.completedUnitCount = 0
                #expect(progress.isIndeterminate && progress.fractionCompleted == 0)
                progress.totalUnitCount = 4
                progress.completedUnitCount = 1
                #expect(progress.fractionCompleted == 0.25)
            }
        }
    }

    @Test("An upload whose delegate gives the stream is sent, and a redirect asks for another")
    func streamedUpload() throws {
        for (path, asked) in [("/posts", 1), ("/moved", 2)] {
            try simulate { world in
                let far = world.mount(Self.bodies)
                let giver = StreamGiver(InputStream.init(data:))
                let session = URLSession(
                    configuration: .default, delegate: giver, delegateQueue: nil)
                await withCheckedContinuation { done in
                    giver.done = done
                    session.uploadTask(withStreamedRequest: Self.post(path, to: far)).resume()
                }
                #expect(giver.asked == asked)
                #expect(giver.sent == Array(repeating: 40_000, count: asked))
                #expect(giver.received == "40000")
            }
        }
    }

    @Test("A body that cannot be read is no request without one")
    func unreadableBodies() throws {
        try simulate { world in
            let far = world.mount(Self.bodies)
            let nowhere = URL(fileURLWithPath: "/nowhere/at/all")
            let noFile = await #expect(throws: URLError.self) {
                try await URLSession.shared.upload(
                    for: Self.post("/posts", to: far), fromFile: nowhere)
            }
            #expect(noFile?.code == .fileDoesNotExist)
            let streams = [InputStream(data: Data("{}".utf8)), InputStream(fileAtPath: "/nowhere")]
            for (path, stream) in zip(["/moved", "/posts"], streams) {
                var request = Self.post(path, to: far)
                request.httpBodyStream = stream
                let noStream = await #expect(throws: URLError.self) {
                    try await URLSession.shared.data(for: request)
                }
                #expect(noStream?.code == .requestBodyStreamExhausted)
            }
            #expect(far.log.map(\.status) == [307])
        }
    }

    /// A service that says how long a body is, and moves one with 307.
    private static let bodies = TokenService(
        .bearer,
        routes: [
            TokenRoute.post("/posts") { ServiceReply(json: "\($0.body.count)") }.withoutToken(),
            TokenRoute.post("/moved") { _ in .redirect(to: "/posts", status: 307) }.withoutToken(),
        ])

    private static func post(_ path: String, to far: MountedService) -> URLRequest {
        var request = URLRequest(url: far.url.appending(path: path))
        request.httpMethod = "POST"
        return request
    }

    @Test("A stream that has no error says so, and one that has one tells it")
    func streamErrors() throws {
        try simulate { _ in
            let right = InputStream(data: Data([1, 2]))
            right.open()
            var bytes = [UInt8](repeating: 0, count: 4)
            #expect(right.read(&bytes, maxLength: 4) == 2 && right.streamError == nil)
            let output = OutputStream.toMemory()
            output.open()
            #expect(output.streamError == nil)
            let wrong = try #require(InputStream(fileAtPath: "/nowhere/at/all"))
            wrong.open()
            #expect(wrong.streamError != nil)
        }
    }
}

private final class OwnProgress: Progress, @unchecked Sendable {}

/// Gives an upload its stream, and keeps what it is told.
private final class StreamGiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safe because everything happens on the world's thread.
    private let stream: @Sendable (Data) -> InputStream
    private(set) var asked = 0
    private(set) var sent: [Int64] = []
    private(set) var received = ""
    var done: CheckedContinuation<Void, Never>?

    init(_ stream: @escaping @Sendable (Data) -> InputStream) { self.stream = stream }

    func urlSession(
        _ session: URLSession, task: URLSessionTask,
        needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        asked += 1
        completionHandler(stream(Data(count: 40_000)))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) { sent.append(totalBytesSent) }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        received += String(decoding: data, as: UTF8.self)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) { done?.resume() }
}

/// Sends a request again after an expired token, and keeps its progress as Alamofire does.
private final class RetryingUpload: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safe because everything happens on the world's thread.
    let upload = Progress(totalUnitCount: 0)
    private let download = Progress(totalUnitCount: 0)
    private var done: CheckedContinuation<Int, any Error>?
    private var session: URLSession?

    init(_ configuration: URLSessionConfiguration) {
        super.init()
        session = URLSession(configuration: configuration, delegate: self, delegateQueue: nil)
    }

    func send(_ request: URLRequest, _ tokens: (String, String)) async throws -> Int {
        let status = try await attempt(request, tokens.0)
        guard status == 401 else { return status }
        for progress in [upload, download] {
            progress.totalUnitCount = 0
            progress.completedUnitCount = 0
        }
        return try await attempt(request, tokens.1)
    }

    private func attempt(_ request: URLRequest, _ token: String) async throws -> Int {
        var request = request
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return try await withCheckedThrowingContinuation { done in
            self.done = done
            session?.dataTask(with: request).resume()
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytes: Int64,
        totalBytesSent: Int64, totalBytesExpectedToSend: Int64
    ) {
        upload.totalUnitCount = totalBytesExpectedToSend
        upload.completedUnitCount = totalBytesSent
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        download.totalUnitCount = dataTask.response?.expectedContentLength ?? -1
        download.completedUnitCount += Int64(data.count)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
    ) {
        let status = (task.response as? HTTPURLResponse)?.statusCode ?? 0
        done?.resume(with: error.map { .failure($0) } ?? .success(status))
        done = nil
    }
}
