import Foundation
import Squall
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A way to make a session without a word of this package.
struct OwnSession: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var isMadeBefore = false
    let make: @Sendable () -> URLSession

    static let all = [
        OwnSession(testDescription: ".default") { URLSession(configuration: .default) },
        OwnSession(testDescription: ".ephemeral") { URLSession(configuration: .ephemeral) },
        OwnSession(testDescription: ".shared") { .shared },
        OwnSession(testDescription: "with a delegate") {
            URLSession(configuration: .default, delegate: Delegate(), delegateQueue: nil)
        },
        OwnSession(testDescription: "without classes") {
            let configuration = URLSessionConfiguration.default
            configuration.protocolClasses = nil
            return URLSession(configuration: configuration)
        },
        OwnSession(testDescription: "made before the world", isMadeBefore: true) {
            URLSession(configuration: .default)
        },
    ]

    private final class Delegate: NSObject, URLSessionDelegate {}
}

/// Answers nothing.
private final class Mock: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { false }
}

@Suite("URLSession in a world")
struct URLSessionTests {
    @Test("A request takes its round trip", arguments: UInt64(1)...3)
    func roundTrip(seed: UInt64) throws {
        let run = try simulate(seed: seed) { world in
            let far = world.mount(TokenService(.bearer, routes: [hello]))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let (data, response) = try await session.data(from: far.url.appending(path: "hello"))
            #expect(String(decoding: data, as: UTF8.self) == "hello")
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
        #expect(run.elapsed == .milliseconds(80))
        #expect(run.log.map(\.path) == ["/hello"])
    }

    @Test("The shared session is the world's too")
    func shared() throws {
        let run = try simulate { world in
            let far = world.mount(TokenService(.bearer, routes: [hello]))
            _ = try await URLSession.shared.data(from: far.url.appending(path: "hello"))
        }
        #expect(run.calls == 1)
    }

    @Test("Every session that client code makes is the world's", arguments: OwnSession.all)
    func ownSessions(_ own: OwnSession) throws {
        let session = own.isMadeBefore ? own.make() : nil
        let run = try simulate { world in
            let far = world.mount(TokenService(.bearer, routes: [hello]))
            let session = session ?? own.make()
            let (data, _) = try await session.data(from: far.url.appending(path: "hello"))
            #expect(String(decoding: data, as: UTF8.self) == "hello")
        }
        #expect(run.calls == 1)
        #expect(run.elapsed == .milliseconds(80))
    }

    @Test("A configuration is left as it was, and its own classes are asked first")
    func configuration() {
        let configuration = URLSessionConfiguration.default
        let before = configuration.protocolClasses?.count
        _ = URLSession(configuration: configuration)
        #expect(configuration.protocolClasses?.count == before)
        configuration.protocolClasses = [Mock.self]
        let classes = URLSession(configuration: configuration).configuration.protocolClasses
        #expect(classes?.first == Mock.self)
    }

    @Test("A task that is resumed again while it runs is sent once")
    func resumed() throws {
        let run = try simulate { world in
            let far = world.mount(TokenService(.bearer, routes: [hello]))
            let session = URLSession(configuration: .default)
            await withCheckedContinuation { done in
                let task = session.dataTask(with: far.url.appending(path: "hello")) { _, _, _ in
                    done.resume()
                }
                for _ in 0..<3 { task.resume() }
            }
        }
        #expect(run.calls == 1)
    }

    @Test("A body is uploaded, from memory or by an upload task")
    func upload() throws {
        let run = try simulate { world in
            let far = world.mount(TokenService(.bearer, routes: [echo]))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            var request = URLRequest(url: far.url.appending(path: "echo"))
            request.httpMethod = "POST"
            let bytes = Data(repeating: 7, count: 200_000)
            let (first, _) = try await session.upload(for: request, from: bytes)
            #expect(first.count == bytes.count && first.allSatisfy { $0 == 7 })
            request.httpBody = bytes
            let (second, _) = try await session.data(for: request)
            #expect(second.count == bytes.count && second.allSatisfy { $0 == 7 })
        }
        #expect(run.calls == 2)
    }

    @Test("A redirect is followed")
    func redirect() throws {
        let run = try simulate { world in
            let there = TokenRoute.get("/there") { _ in .redirect(to: "/hello") }.withoutToken()
            let far = world.mount(TokenService(.bearer, routes: [hello, there]))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let (data, response) = try await session.data(from: far.url.appending(path: "there"))
            #expect(String(decoding: data, as: UTF8.self) == "hello")
            #expect(response.url?.path == "/hello")
        }
        #expect(run.log.map(\.status) == [302, 200])
        #expect(run.elapsed == .milliseconds(160))
    }

    @Test("A redirect without end is an error")
    func endless() throws {
        let run = try simulate { world in
            let loop = TokenRoute.get("/a") { _ in .redirect(to: "/a") }.withoutToken()
            let far = world.mount(TokenService(.bearer, routes: [loop]))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let error = await #expect(throws: URLError.self) {
                try await session.data(from: far.url.appending(path: "a"))
            }
            #expect(error?.code == .httpTooManyRedirects)
        }
        #expect(run.calls == 17)
    }

    @Test("A request that is cancelled ends at once, as cancelled")
    func cancel() throws {
        let run = try simulate { world in
            let far = world.mount(TokenService(.bearer, routes: [hello]))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let task = Task { try await session.data(from: far.url.appending(path: "hello")) }
            try await Task.sleep(for: .milliseconds(10))
            task.cancel()
            let error = await #expect(throws: URLError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        #expect(run.elapsed == .milliseconds(10))
    }

    @Test("An answer that is too late is a timeout, by the request's or the session's patience")
    func timeout() throws {
        let run = try simulate { world in
            let slow = hello.costing(.seconds(100))
            let far = world.mount(TokenService(.bearer, routes: [slow]))
            let configuration = far.urlSessionConfiguration
            configuration.timeoutIntervalForRequest = 30
            let session = URLSession(configuration: configuration)
            var request = URLRequest(url: far.url.appending(path: "hello"))
            let first = await #expect(throws: URLError.self) {
                try await session.data(for: request)
            }
            #expect(first?.code == .timedOut)
            #expect(world.now == .seconds(30))
            request.timeoutInterval = 5
            let second = await #expect(throws: URLError.self) {
                try await session.data(for: request)
            }
            #expect(second?.code == .timedOut)
        }
        #expect(run.elapsed == .seconds(35))
    }

    @Test("A lost connection is an error of the URL system")
    func lost() throws {
        try simulate { world in
            var conditions = NetworkConditions()
            conditions.network.answerLossProbability = 1
            conditions.network.lossNotice = .connectionLost
            let far = world.mount(TokenService(.bearer, routes: [hello]), over: conditions)
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let error = await #expect(throws: URLError.self) {
                try await session.data(from: far.url.appending(path: "hello"))
            }
            #expect(error?.code == .networkConnectionLost)
        }
    }

    @Test("An answer that is written piece by piece arrives so")
    func stream() throws {
        let run = try simulate { world in
            let events = TokenRoute.get("/events") { _ in
                .stream(["one", "two", "three"], every: .seconds(1))
            }
            let far = world.mount(TokenService(.bearer, routes: [events.withoutToken()]))
            let pieces = Pieces(world)
            let session = URLSession(
                configuration: far.urlSessionConfiguration, delegate: pieces, delegateQueue: nil)
            await withCheckedContinuation { continuation in
                pieces.end = continuation
                session.dataTask(with: far.url.appending(path: "events")).resume()
            }
            #expect(
                pieces.all == ["one 1.08 seconds", "two 2.08 seconds", "three 3.08 seconds"])
        }
        #expect(run.elapsed == .milliseconds(3080))
    }

    @Test("A request to nobody is named")
    func nobody() throws {
        let run = observe(TestWorld()) { world in
            let url = try #require(URL(string: "https://else.test/a"))
            _ = try await URLSession.shared.data(from: url)
        }
        #expect((run.failure as? URLError)?.code == .cannotFindHost)
        #expect(run.escapes.map(\.detail) == ["https://else.test"])
    }

    @Test("A body that never ends fails a test that reads no result", .timeLimit(.minutes(1)))
    func hang() throws {
        let failure = try #require(throws: WorldFailure.self) {
            try simulate { _ in
                await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
            }
        }
        #expect(failure.run.hangs.map(\.what) == ["the body of the world"])
        #expect("\(failure.cause)".hasPrefix("the body did not end: the body of the world: "))
    }

    @Test("A body that has not ended within the limit fails its test", .timeLimit(.minutes(1)))
    func limit() throws {
        let failure = try #require(throws: WorldFailure.self) {
            try simulate(for: .seconds(1)) { _ in try await Task.sleep(for: .seconds(2)) }
        }
        #expect("\(failure.cause)".contains("the time limit has come"))
        #expect(throws: Never.self) {
            try simulate(for: .seconds(3)) { _ in try await Task.sleep(for: .seconds(2)) }
        }
    }
}

private let hello = TokenRoute.get("/hello") { _ in
    ServiceReply(body: Array("hello".utf8))
}.withoutToken()

private let echo = TokenRoute.post("/echo") { ServiceReply(body: $0.body) }.withoutToken()

private final class Pieces: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    // Safe because a world has one thread.

    let world: TestWorld
    var all: [String] = []
    var end: CheckedContinuation<Void, Never>?

    init(_ world: TestWorld) { self.world = world }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        all.append("\(String(decoding: data, as: UTF8.self)) \(world.now)")
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError: (any Error)?) {
        end?.resume()
    }
}
