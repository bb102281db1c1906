import Testing

@testable import HTTP

@Suite("Header fields")
struct HTTPHeadersTests {
    @Test("Fields keep the order in which they were first added")
    func order() {
        let headers: HTTPHeaders = ["b": "1", "a": "2", "c": "3"]
        #expect(headers.map(\.name) == ["b", "a", "c"])
    }

    @Test(
        "A name is there once whatever its case; the last spelling and value win at its place",
        arguments: ["key", "Key", "KEY", "kEy"])
    func uniqueness(spelling: String) {
        var headers: HTTPHeaders = ["KEY": "old", "other": "x"]
        headers.add(name: spelling, value: "new")
        #expect(headers.map(\.description) == ["\(spelling): new", "other: x"])
    }

    @Test("Of equal names in a literal the last wins at the first one's place")
    func literal() {
        let headers: HTTPHeaders = ["a": "1", "b": "2", "A": "3"]
        #expect(headers.description == "A: 3\nb: 2")
    }

    @Test("The subscript reads in any case, writes, and removes with nil")
    func subscripting() {
        var headers: HTTPHeaders = ["Content-Type": "text/plain"]
        #expect(headers["content-type"] == "text/plain")
        headers["X"] = "1"
        headers["CONTENT-TYPE"] = nil
        #expect(headers.map(\.name) == ["X"])
        headers.remove(name: "absent")
        #expect(headers.count == 1)
    }

    @Test("Letters beyond ASCII are compared as they are")
    func nonASCII() {
        var headers: HTTPHeaders = ["é": "1"]
        headers.add(name: "É", value: "2")
        #expect(headers.count == 2)
    }
}
