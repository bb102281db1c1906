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

    @Test("A 401 that asks for a password is delivered, to a handler and to a delegate")
    func passwordAsked() throws {
        let refusal = ServiceReply(
            status: 401, headers: [("WWW-Authenticate", #"Basic realm="a""#)], body: [1])
        try simulate { world in
            let asking = TokenRoute.get("/a") { _ in refusal }.withoutToken()
            let far = world.mount(TokenService(.bearer, routes: [asking]))
            let url = far.url.appending(path: "a")
            let (data, response) = try await URLSession.shared.data(from: url)
            let head = try #require(response as? HTTPURLResponse)
            #expect(data.count == 1 && head.statusCode == 401 && head.url == url)
            #expect(head.value(forHTTPHeaderField: "WWW-Authenticate") == #"Basic realm="a""#)
            let heard = Heard()
            let session = URLSession(configuration: .default, delegate: heard, delegateQueue: nil)
            session.dataTask(with: url).resume()
            try await Task.sleep(for: .seconds(1))
            #expect(heard.ends == 1)
        }
    }

    @Test("A task that is suspended is told nothing until it is resumed; it can be cancelled")
    func suspended() throws {
        try simulate { world in
            let far = world.mount(TokenService(.bearer, routes: [.get("/a")]))
            for isCancelled in [false, true] {
                let heard = Heard()
                let session = URLSession(
                    configuration: .default, delegate: heard, delegateQueue: nil)
                let task = session.dataTask(with: far.url.appending(path: "a"))
                task.resume()
                try await Task.sleep(for: .milliseconds(20))
                task.suspend()
                try await Task.sleep(for: .seconds(5))
                #expect(heard.ends == 0)
                if isCancelled { task.cancel() } else { task.resume() }
                try await Task.sleep(for: .milliseconds(1))
                #expect(heard.ends == 1)
                #expect(heard.error == (isCancelled ? .cancelled : nil))
            }
            #expect(far.log.count == 2)
        }
    }

    @Test("A delegate's first decision on a redirect counts, of one call's delegate too")
    func redirectDecisions() throws {
        try simulate { world in
            let there = TokenRoute.get("/a") { _ in .redirect(to: "/b") }.withoutToken()
            let far = world.mount(
                TokenService(.bearer, routes: [there, TokenRoute.get("/b").withoutToken()]))
            let url = far.url.appending(path: "a")
            for (decisions, status) in [([true, false], 200), ([false, true], 302)] {
                let decider = Decider(decisions)
                let session = URLSession(
                    configuration: .default, delegate: decider, delegateQueue: nil)
                for (session, own) in [(session, nil), (URLSession.shared, decider)] {
                    let (_, response) = try await session.data(
                        for: URLRequest(url: url), delegate: own)
                    #expect((response as? HTTPURLResponse)?.statusCode == status)
                }
            }
            let session = URLSession(
                configuration: .default, delegate: Decider([]), delegateQueue: nil)
            let silent = Task { try await session.data(from: url) }
            try await Task.sleep(for: .seconds(1))
            silent.cancel()
            await #expect(throws: URLError.self) { try await silent.value }
        }
    }

    @Test("A web socket is refused by name before it connects")
    func webSocket() throws {
        let run = observe(TestWorld()) { _ in
            let address = try #require(URL(string: "wss://chat.example/feed"))
            let task = URLSession.shared.dataTask(with: address) { _, _, _ in }
            task.resume()
            try await Task.sleep(for: .seconds(1))
        }
        #expect(run.escapes.map(\.what) == ["a web socket to"])
    }

    @Test("The task of a web socket is refused by name, before Foundation's own error")
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
        var ends = 0
        var error: URLError.Code?

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
        ) {
            ends += 1
            self.error = (error as? URLError)?.code
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didSendBodyData count: Int64,
            totalBytesSent: Int64, totalBytesExpectedToSend: Int64
        ) { sent.append(totalBytesSent) }
    }

    /// Decides about a redirect as often as it has decisions.
    private final class Decider: NSObject, URLSessionTaskDelegate, Sendable {
        private let decisions: [Bool]

        init(_ decisions: [Bool]) { self.decisions = decisions }

        func urlSession(
            _ session: URLSession, task: URLSessionTask,
            willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
            completionHandler: @escaping (URLRequest?) -> Void
        ) {
            for decision in decisions { completionHandler(decision ? request : nil) }
        }
    }
}
