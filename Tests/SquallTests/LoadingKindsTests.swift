import Foundation
import Squall
import Synchronization
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A test for each row of the table in the article "What is virtual, and what is not".
@Suite("Kinds of loads that URLSession has")
struct LoadingKindsTests {
    @Test("A download is named, and ends with an error")
    func download() throws {
        let code = Mutex<URLError.Code?>(nil)
        let run = observe(TestWorld()) { world in
            let far = world.mount(TokenService(.bearer, routes: []))
            await withCheckedContinuation { done in
                let task = URLSession.shared.downloadTask(with: far.url) { _, _, error in
                    code.withLock { $0 = (error as? URLError)?.code }
                    done.resume()
                }
                task.resume()
            }
        }
        #expect(run.escapes.map(\.what) == ["a download of"])
        #expect(code.withLock { $0 } == .unsupportedURL)
    }

    @Test("An upload's delegate is told that the body was sent")
    func uploadProgress() throws {
        try simulate { world in
            let echo = TokenRoute.post("/echo").withoutToken()
            let far = world.mount(TokenService(.bearer, routes: [echo]))
            let heard = Heard()
            let session = URLSession(configuration: .default, delegate: heard, delegateQueue: nil)
            var request = URLRequest(url: far.url.appending(path: "echo"))
            request.httpMethod = "POST"
            session.uploadTask(with: request, from: Data(count: 1_000)).resume()
            try await Task.sleep(for: .seconds(1))
            #expect(heard.sent == [1_000])
        }
    }

    @Test("The limit for a resource counts its redirects")
    func resourceTimeout() throws {
        try simulate { world in
            let there = TokenRoute.get("/a") { _ in .redirect(to: "/b") }.withoutToken()
            let far = world.mount(
                TokenService(.bearer, routes: [there]),
                over: NetworkConditions(roundTrip: .seconds(6)))
            let configuration = URLSessionConfiguration.default
            configuration.timeoutIntervalForResource = 10
            let session = URLSession(configuration: configuration)
            let error = await #expect(throws: URLError.self) {
                try await session.data(from: far.url.appending(path: "a"))
            }
            #expect(error?.code == .timedOut)
            #expect(world.now == .seconds(10))
        }
    }

    @Test("A redirect shows a token to its own origin only")
    func otherOrigin() throws {
        try simulate { world in
            let far = world.mount(TokenService(.bearer, routes: [.get("/b")]))
            let token = far.tokens().access
            let address = "\(far.url)/b"
            let there = TokenRoute.get("/a") { _ in .redirect(to: address) }.withoutToken()
            var elsewhere = TokenService(.bearer, routes: [there])
            elsewhere.origin = "https://other.example"
            let other = world.mount(elsewhere)
            for (start, status) in [(other.url.appending(path: "a"), 401), (far.url, 404)] {
                var request = URLRequest(url: start)
                request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
                let (_, response) = try await URLSession.shared.data(for: request)
                #expect((response as? HTTPURLResponse)?.statusCode == status)
            }
        }
    }

    @Test("A web socket is named before anything happens")
    func webSocket() throws {
        let run = observe(TestWorld()) { _ in
            let address = try #require(URL(string: "wss://chat.example/feed"))
            let task = URLSession.shared.dataTask(with: address) { _, _, _ in }
            task.resume()
            try await Task.sleep(for: .seconds(1))
        }
        #expect(run.escapes.map(\.what) == ["a web socket to"])
    }

    @Test("So is the task of a web socket, before Foundation says that it has none")
    func webSocketTask() throws {
        let address = try #require(URL(string: "wss://chat.example/feed"))
        let error = try #require(throws: WorldError.self) {
            try explore(schedules: 1) { _ in
                let task = URLSession.shared.webSocketTask(with: address)
                task.resume()
                _ = try await task.receive()
            }
        }
        #expect("\(error)".contains("Give the code its stream of messages"))
    }

    private final class Heard: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
        // Safe because everything happens on the world's thread.
        var sent: [Int64] = []

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64,
            totalBytesSent: Int64, totalBytesExpectedToSend: Int64
        ) { sent.append(totalBytesSent) }
    }
}
