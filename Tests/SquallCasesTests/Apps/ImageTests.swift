import SquallClient
import SquallHTTP
import SquallKernel
import Synchronization
import Testing

@testable import SquallCases

@Suite("Images")
struct ImageTests {
    private let phone = Phone()
    private let app: ThisBookThatBook

    init() { app = phone.install(ThisBookThatBook.self) }

    @Test("Images asked for together are one request for each address, and later ones none")
    func merging() throws {
        phone.server.goodTokens = ["T0"]
        let (app, images) = (app, app.images)
        let wanted: [StoredFile] = ["a.png", "a.png", "b.png"]
        #expect(try phone.run { await images.load(wanted, as: app.image) } == 0)
        #expect(phone.server.calls.count == 2)
        #expect(try phone.run { await images.load(wanted, as: app.image) } == 0)
        #expect(phone.server.calls.count == 2 && images.keptImages == 2)
    }

    @Test("An image is kept for seven days", arguments: [(6.9, 1), (7.1, 2)])
    func expiry(days: Double, requests: Int) throws {
        phone.server.goodTokens = ["T0"]
        let (app, images, wanted) = (app, app.images, StoredFile("a.png"))
        let simulation = phone.simulation
        try phone.run(seconds: 8 * 86_400) {
            _ = await images.load(wanted, as: app.image)
            try? await simulation.sleep(nanoseconds: Int64(days * 86_400 * 1e9))
            return await images.load(wanted, as: app.image)
        }
        #expect(phone.server.calls.count == requests)
    }

    @Test("An image answered 'expired' refreshes nothing, and nobody tries again")
    func expired() throws {
        let (app, images) = (app, app.images)
        let wanted: [StoredFile] = ["a.png", "a.png", "b.png"]
        #expect(try phone.run { await images.load(wanted, as: app.image) } == 3)
        #expect(phone.server.calls.count == 2 && phone.server.count("/refresh") == 0)
        #expect(images.keptImages == 0)
    }

    @Test("A kept image is shown to whoever is signed in, also to nobody")
    func keyedByAddress() throws {
        phone.server.goodTokens = ["T0"]
        let (app, wanted) = (app, StoredFile("a.png"))
        try phone.run { await app.images.load(wanted, as: app.image) }
        app.storage.wipe()
        #expect(try phone.run { await app.images.load(wanted, as: app.image) } == true)
        #expect(phone.server.calls.count == 1)
    }

    @Test("Images have connections of their own and are given up after fifteen seconds")
    func ownSession() throws {
        phone.server.goodTokens = ["T0"]
        let app = app
        try phone.run {
            app.images.show(["a.png"], as: app.image)
            return await app.openFeed(tab: 0)
        }
        #expect(phone.server.calls == ["GET /v1/posts", "GET /v1/a.png"])
        #expect(phone.server.causes.map(\.pool) == [0, 1])
        #expect(phone.server.requests.map(\.timeoutNanoseconds) == [nil, 15_000_000_000])
    }

    @Test("What all sessions have in common keeps its state from one image to the next")
    func commonInterceptor() throws {
        let made = Made()
        var configuration = SessionConfiguration()
        configuration.commonInterceptor = {
            made.count.withLock { $0 += 1 }
            return RetryPolicy()
        }
        let phone = Phone(configuration: configuration)
        phone.server.goodTokens = ["T0"]
        let app = phone.install(Scrolly.self)
        for image: StoredFile in ["a.png", "b.png", "c.png"] {
            #expect(try phone.run { await app.images.load(image, as: app.cover) } == true)
        }
        #expect(made.count.withLock { $0 } == 2)
    }

    @Test("A request for an image carries the key and the token of the moment")
    func headers() {
        let request = app.image("uploads/a.png").asURLRequest()
        #expect(request.url.path == "/v1/uploads/a.png")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "T0")
        #expect(request.value(forHTTPHeaderField: "SesacKey") == "thisbook-key")
    }
}

private final class Made: Sendable {
    let count = Mutex(0)
}

extension ThisBookThatBook {
    fileprivate func image(_ file: StoredFile) -> AppRequest<ThisBookThatBook> {
        api.request(.file(file))
    }
}
