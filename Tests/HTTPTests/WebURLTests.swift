import Testing

@testable import HTTP

@Suite("Addresses")
struct WebURLTests {
    @Test(
        "An absolute address is taken apart and put together again",
        arguments: [
            ("http://a.kr:31222/v1/posts?x=1&y=2", "http://a.kr:31222", "/v1/posts", "x=1&y=2"),
            ("https://a.kr", "https://a.kr", "/", nil),
            ("https://a.kr?q", "https://a.kr", "/", "q"),
            ("https://a.kr/p?", "https://a.kr", "/p", ""),
            ("https://a.kr/p?a=/x?y", "https://a.kr", "/p", "a=/x?y"),
        ])
    func parsing(text: String, origin: String, path: String, query: String?) throws {
        let url = try #require(WebURL(text))
        #expect(url.origin == origin && url.path == path && url.query == query)
        #expect(WebURL(url.absoluteString) == url)
    }

    @Test("A fragment never travels")
    func fragment() {
        #expect(WebURL("http://a.kr/p?q#f")?.absoluteString == "http://a.kr/p?q")
        #expect(WebURL("http://a.kr#f")?.absoluteString == "http://a.kr/")
    }

    @Test(
        "What is no absolute address is refused",
        arguments: ["", "/path", "a.kr/path", "http://", "http:///p", "://a.kr", "http://a b.kr/"])
    func refusals(text: String) { #expect(WebURL(text) == nil) }
}
