import Foundation
import Squall
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("What a URLSession's configuration adds to its requests")
struct SessionFieldsTests {
    /// Says what a field of the request was.
    private static func saying(_ field: String) -> TokenService {
        let route = TokenRoute.get("/said") { call in
            ServiceReply(body: Array((call.header(field) ?? "nothing").utf8))
        }
        return TokenService(.bearer, routes: [route.withoutToken()])
    }

    private static func said(
        _ field: String, configure: @escaping @Sendable (URLSessionConfiguration) -> Void,
        request change: @escaping @Sendable (inout URLRequest) -> Void = { _ in }
    ) throws -> String {
        let answer = Answer()
        try simulate { world in
            let far = world.mount(saying(field))
            let configuration = URLSessionConfiguration.ephemeral
            configure(configuration)
            var request = URLRequest(url: far.url.appending(path: "said"))
            change(&request)
            let session = URLSession(configuration: configuration)
            answer.text = String(decoding: try await session.data(for: request).0, as: UTF8.self)
        }
        return answer.text
    }

    @Test("A field of the session's is sent, in whatever case it is asked for")
    func field() throws {
        let said = try Self.said("X-Key") { $0.httpAdditionalHeaders = ["x-key": "17"] }
        #expect(said == "17")
    }

    @Test("A request's own header field precedes the session's, whatever the case of its name")
    func request() throws {
        let said = try Self.said("Authorization") {
            $0.httpAdditionalHeaders = ["authorization": "Bearer old"]
        } request: {
            $0.setValue("Bearer new", forHTTPHeaderField: "Authorization")
        }
        #expect(said == "Bearer new")
    }

    @Test("Cookies are sent in one order: longer paths first, then by name")
    func cookies() throws {
        let said = try Self.said("Cookie") { configuration in
            for (name, path) in [("b", "/"), ("z", "/said"), ("a", "/"), ("c", "/")] {
                let cookie = HTTPCookie(properties: [
                    .name: name, .value: "1", .path: path, .domain: "api.example.com",
                ])
                if let cookie { configuration.httpCookieStorage?.setCookie(cookie) }
            }
        }
        #expect(said == "z=1; a=1; b=1; c=1")
    }

    @Test("Cookies that the client has written itself stay as they are")
    func ownCookies() throws {
        let said = try Self.said("Cookie") { _ in
        } request: {
            $0.setValue("b=1; a=2", forHTTPHeaderField: "Cookie")
        }
        #expect(said == "b=1; a=2")
    }

    @Test("An ephemeral configuration has cache and cookies of its own; folders are found as ever")
    func ephemeral() throws {
        let folder = try FileManager.default.url(
            for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
        try simulate { _ in
            let one = URLSessionConfiguration.ephemeral
            let other = URLSessionConfiguration.ephemeral
            #expect(one.urlCache != nil && one.urlCache !== other.urlCache)
            #expect(one.httpCookieStorage !== other.httpCookieStorage)
            let found = try FileManager.default.url(
                for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: false)
            #expect(found == folder)
        }
    }
}

private final class Answer: @unchecked Sendable {
    // Safe because a world has one thread.

    var text = ""
}
