import CrowdedApp
import Foundation
import Squall
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("The names of Squall beside those of an app and of Foundation")
struct CrowdedNamesTests {
    @Test("An app's Endpoint, Router, Route, Answer, Fault, Service and Session are its own")
    func names() throws {
        let route: Route = Route(to: Endpoint(path: "/posts"))
        let parts: [any Sendable] = [
            Router(), Answer(), Fault(), Request(), Caller(), Body(), Page(), Finding(),
            Accounts(), HTTPMethod.get,
        ]
        let service: any Service = Session()
        #expect(parts.count == 10 && service is Session)
        try simulate { world in
            let far = world.mount(
                TokenService(
                    .bearer,
                    routes: [TokenRoute(.get, route.endpoint.path, json: "[]").withoutToken()]))
            let request = URLRequest(url: far.url.appendingPathComponent("posts"))
            let session = URLSession(configuration: far.urlSessionConfiguration)
            let (data, response) = try await session.data(for: request)
            #expect(String(decoding: data, as: UTF8.self) == "[]")
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }
    }
}
