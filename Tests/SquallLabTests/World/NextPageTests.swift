import SquallHTTP
import Testing

@testable import SquallApps

@Suite("The next page of a list, as a header or a body names it")
struct NextPageTests {
    @Test(
        "It is the link of that relation, whatever its address and other links have in them",
        arguments: [
            (#"</a?ids=1,2&page=2>; rel="next""#, "/a?ids=1,2&page=2"),
            (#"</a?page=1>; rel="prev", </a?page=3>; title="x, </b>"; rel=next"#, "/a?page=3"),
            (#"</a>; rel="first", </b> ; rel="next last""#, "/b"),
            (#"</a>; rel="nextish", </b>; title="rel=next""#, nil),
            (#"</a>; rel=prev"#, nil), ("", nil), ("</a", nil),
        ] as [(String, String?)])
    func links(header: String, next: String?) {
        #expect(DeclaredTree.next(in: header) == next)
    }

    @Test(
        "An address may be relative to the page that names it",
        arguments: [
            ("?page=2", "/v1/posts?page=2"), ("more?page=2", "/v1/more?page=2"),
            ("/x?page=2#top", "/x?page=2"), ("https://other.example.com/y?z", "/y?z"),
        ])
    func relative(address: String, expected: String) {
        let page = DeclaredApp.ListPlace.Address(address, from: "/v1/posts")
        #expect(page.at("http://a").absoluteString == "http://a" + expected)
    }
}
