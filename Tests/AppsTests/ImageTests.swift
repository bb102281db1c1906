import Client
import HTTP
import Kernel
import Testing

@testable import Apps

@Suite("Images")
struct ImageTests {
    private let phone = Phone()
    private let app: ThisBookThatBook

    init() { app = phone.install(ThisBookThatBook.self) }

    private func image(_ name: String) -> ThisBookRequest {
        app.api.request(.image(path: "uploads/\(name).png"))
    }

    @Test("Images asked for together are one request for each address, and later ones none")
    func merging() throws {
        phone.server.goodTokens = ["T0"]
        let (images, wanted) = (app.images, [image("a"), image("a"), image("b")])
        #expect(try phone.run { await images.load(wanted) } == 0)
        #expect(phone.server.calls.count == 2)
        #expect(try phone.run { await images.load(wanted) } == 0)
        #expect(phone.server.calls.count == 2 && images.keptImages == 2)
    }

    @Test("An image is kept for seven days", arguments: [(6.9, 1), (7.1, 2)])
    func expiry(days: Double, requests: Int) throws {
        phone.server.goodTokens = ["T0"]
        let (images, wanted) = (app.images, image("a"))
        let simulation = phone.simulation
        try phone.run(seconds: 8 * 86_400) {
            _ = await images.load(wanted)
            try? await simulation.sleep(nanoseconds: Int64(days * 86_400 * 1e9))
            return await images.load(wanted)
        }
        #expect(phone.server.calls.count == requests)
    }

    @Test("An image answered 'expired' refreshes nothing, and nobody tries again")
    func expired() throws {
        let (images, wanted) = (app.images, [image("a"), image("a"), image("b")])
        #expect(try phone.run { await images.load(wanted) } == 3)
        #expect(phone.server.calls.count == 2 && phone.server.count("/refresh") == 0)
        #expect(images.keptImages == 0)
    }

    @Test("A kept image is shown to whoever is signed in, also to nobody")
    func keyedByAddress() throws {
        phone.server.goodTokens = ["T0"]
        let (app, wanted) = (app, image("a"))
        try phone.run { await app.images.load(wanted) }
        app.storage.wipe()
        #expect(try phone.run { await app.images.load(wanted) } == true)
        #expect(phone.server.calls.count == 1)
    }

    @Test("A request for an image carries the key and the token of the moment")
    func headers() throws {
        let request = try image("a").asURLRequest()
        #expect(request.url.path == "/v1/uploads/a.png")
        #expect(request.value(forHTTPHeaderField: "Authorization") == "T0")
        #expect(request.value(forHTTPHeaderField: "SesacKey") == "thisbook-key")
    }
}
