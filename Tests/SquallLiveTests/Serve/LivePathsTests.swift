import Testing

@testable import SquallLive

@Suite("Names of paths in live reports")
struct LivePathsTests {
    private func paths(_ calls: [(String, UInt64)]) -> LivePaths {
        var paths = LivePaths()
        for (name, user) in calls { paths.note(name, by: user) }
        return paths
    }

    @Test("A word that three users asked for is shown, one of fewer is not")
    func three() {
        let calls = [1, 2, 3].map { ("GET /invoices/open", UInt64($0)) }
        let some = paths(calls + [("GET /invoices/anna-smith", 1), ("GET /users/anna/posts", 2)])
        #expect(some.shown("GET /invoices/open") == "GET /invoices/open")
        #expect(some.shown("GET /invoices/anna-smith") == "GET /invoices/*")
        #expect(some.shown("GET /users/anna/posts") == "GET /users/*/posts")
    }

    @Test("Of fewer than three users words keep a number, and what looks like a value is none")
    func alone() {
        let some = paths([
            ("GET /v1/invoices", 1), ("GET /v1/a@b.example", 1), ("PUT /v1/482913", 1),
        ])
        #expect(some.shown("GET /v1/invoices") == "GET /v1/word1")
        #expect(some.shown("GET /v1/a@b.example") == "GET /v1/*")
        #expect(some.shown("PUT /v1/482913") == "PUT /v1/*")
        #expect(some.shown("POST /auth/signout") == "POST /auth/signout")
        let many = paths((0..<40).map { ("GET /to/name\(String(repeating: "x", count: $0))", 1) })
        #expect(many.shown("GET /to/namexx") == "GET /word1/*")
    }

    @Test("A text has every name as it is shown, also one that begins another")
    func texts() {
        let some = paths([("GET /anna", 1), ("GET /anna/posts", 1), ("GET /posts", 1)])
        let text = some.rewriting("GET /anna/posts went out after GET /anna; GET /posts did not")
        #expect(text == "GET /word1/posts went out after GET /word1; GET /posts did not")
        var all = some
        all.keepsWords = true
        #expect(all.shown("GET /anna") == "GET /anna")
    }

    @Test("A name of a service that is known is no path")
    func names() {
        #expect(paths([("other requests", 1)]).shown("other requests") == "other requests")
        #expect(paths([]).shown("signIn") == "signIn")
    }
}
