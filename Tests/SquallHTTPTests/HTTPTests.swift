import Testing

@testable import SquallHTTP

@Suite("Texts")
struct TextTests {
    @Test("Joined texts are what their sum is, whatever their length and alphabet")
    func joining() {
        #expect(String(joining: "limit=", "10", "", "&tag=", "웹툰") == "limit=10&tag=웹툰")
        #expect(String(joining: "", "") == "")
    }
}

@Suite("Places of tokens")
struct TokenPlaceTests {
    @Test(
        "A token stands behind the name of its scheme, in any case, and behind no other",
        arguments: [
            ("Bearer abc", "abc"), ("bearer  abc", "abc"), ("Token abc", nil),
            ("Digest abc", nil), ("abc", nil), ("Bearer", nil), ("Bearerabc", nil),
        ] as [(String, String?)])
    func behindScheme(value: String, token: String?) {
        let place = TokenDelivery.Place.header("Authorization", scheme: "Bearer")
        let none: (String) -> String? = { _ in nil }
        #expect(
            place.token(inBody: nil, member: none, cookie: none, field: { _ in value }) == token)
        #expect(TokenPlace.token(in: value, behind: nil) == value)
    }
}

@Suite("Dates")
struct DateTests {
    @Test(
        "A date of RFC 3339 is read with its zone, which may have no colon",
        arguments: [
            ("1994-11-06T08:49:37Z", 784_111_777), ("1994-11-06 08:49:37.25z", 784_111_777),
            ("1994-11-06T17:49:37+09:00", 784_111_777), ("1994-11-06T17:49:37+0900", 784_111_777),
            ("1994-11-06T05:19:37-0330", 784_111_777), ("1994-11-06T24:49:37Z", nil),
            ("1994-11-06T08:60:37Z", nil), ("1994-11-06T08:49:37+0960", nil),
            ("1994-11-06T08:49:37+2400", nil), ("1994-11-06T08:49:37+09", nil),
        ] as [(String, Int64?)])
    func internet(text: String, seconds: Int64?) {
        #expect(HTTPDate.secondsSince1970(rfc3339: text) == seconds)
    }
}

@Suite("Headers")
struct HTTPHeadersTests {
    @Test(
        "Names are unique whatever their case; the last spelling and value win, at the first place")
    func uniqueness() {
        var headers: HTTPHeaders = ["Accept": "a", "X-Key": "1"]
        headers.add(name: "ACCEPT", value: "b")
        #expect(headers.description == "ACCEPT: b\nX-Key: 1")
        #expect(headers["accept"] == "b" && headers["x-key"] == "1" && headers["none"] == nil)
    }

    @Test("An appended field stays beside others of its name, until one replaces or removes all")
    func repeating() {
        var headers: HTTPHeaders = ["Set-Cookie": "a=1", "Date": "now"]
        headers.append(name: "set-cookie", value: "b=2")
        #expect(headers.description == "Set-Cookie: a=1\nDate: now\nset-cookie: b=2")
        #expect(headers.values(for: "SET-COOKIE") == ["a=1", "b=2"])
        #expect(headers["set-cookie"] == "a=1, b=2" && headers["date"] == "now")
        #expect(headers.dictionary == ["Set-Cookie": "a=1, b=2", "Date": "now"])
        var removed = headers
        removed["set-cookie"] = nil
        #expect(removed == ["Date": "now"] && removed.values(for: "set-cookie") == [])
        headers.update(name: "Set-Cookie", value: "c=3")
        #expect(headers == ["Set-Cookie": "c=3", "Date": "now"])
    }

    @Test("Assigning nil removes a field, and removing an absent one changes nothing")
    func removal() {
        var headers: HTTPHeaders = ["A": "1", "B": "2"]
        headers["a"] = nil
        headers.remove(name: "C")
        #expect(headers.map(\.name) == ["B"])
    }

    @Test("Order is that of adding")
    func order() {
        let headers: HTTPHeaders = ["b": "1", "C": "2", "A": "3", "a-b": "4"]
        #expect(headers.map(\.name) == ["b", "C", "A", "a-b"])
    }

    @Test("Of equal names in a list the last value and spelling win, at the first one's place")
    func repeated() {
        let headers = HTTPHeaders([
            HTTPHeader(name: "Accept", value: "1"), HTTPHeader(name: "User-Agent", value: "2"),
            HTTPHeader(name: "ACCEPT", value: "3"),
        ])
        #expect(headers.description == "ACCEPT: 3\nUser-Agent: 2")
    }

    @Test("Letters outside ASCII are not folded")
    func foldingIsASCII() {
        let headers: HTTPHeaders = ["[x": "1", "É": "2"]
        #expect(headers["{x"] == nil && headers["é"] == nil)
    }
}

@Suite("Addresses")
struct WebURLTests {
    @Test(
        "An absolute address is taken apart and put together again",
        arguments: [
            ("http://host:80/a/b?x=1&y=%20", "http://host:80", "/a/b", "x=1&y=%20"),
            ("https://host", "https://host", "/", nil), ("http://h?q", "http://h", "/", "q"),
            ("http://h/a?", "http://h", "/a", ""), ("http://h/a#f", "http://h", "/a", nil),
        ] as [(String, String, String, String?)])
    func parts(text: String, origin: String, path: String, query: String?) throws {
        let url = try #require(WebURL(text))
        #expect(url.origin == origin && url.path == path && url.query == query)
        #expect(WebURL(url.absoluteString) == url)
    }

    @Test(
        "A text that is no absolute address is refused",
        arguments: ["", "host/a", "://host", "http://", "http:///a", "http://h/a b"])
    func refused(text: String) { #expect(WebURL(text) == nil) }
}

@Suite("Bodies")
struct BodyTests {
    @Test("Equal bytes are equal bodies, however they are cut")
    func equality() {
        let whole = Body("hello")
        let cut = Body(chunks: [BodyChunk("he"), BodyChunk("llo")])
        #expect(whole == cut && whole.hashValue == cut.hashValue)
        #expect(cut.bytes == Array("hello".utf8) && cut.text == "hello" && cut.count == 5)
        #expect(whole != Body("hellO") && Body("").isEmpty && Body("") == .empty)
        #expect(Body(parts: []) == .empty && Body.empty.chunks == [] && Body.empty.bytes == [])
    }

    @Test("One flipped bit anywhere changes the fingerprint", arguments: 0..<24)
    func fingerprints(position: Int) {
        let bytes = [UInt8](0..<24)
        var flipped = bytes
        flipped[position] ^= 1
        #expect(BodyChunk(bytes).fingerprint == BodyChunk(bytes).fingerprint)
        #expect(BodyChunk(bytes).fingerprint != BodyChunk(flipped).fingerprint)
    }

    @Test("Bytes are UTF-8 or not, however often they are asked")
    func encodings() {
        let (right, wrong) = (BodyChunk("é한글 a"), BodyChunk([0x61, 0xFF]))
        for _ in 0..<2 {
            #expect(right.isUTF8 && !wrong.isUTF8)
            #expect(BodyChunk(parts: [right, right]).isUTF8)
            #expect(!BodyChunk(parts: [right, wrong]).isUTF8)
        }
    }

    @Test("A longer run of zeros has another fingerprint", arguments: 0..<20)
    func lengths(count: Int) {
        let zeros = [UInt8](repeating: 0, count: count)
        #expect(BodyChunk(zeros).fingerprint != BodyChunk(zeros + [0]).fingerprint)
    }

    @Test("A file begins with its magic, has its size, and is the same every time")
    func blobs() {
        let blob = Blob(magic: Array("%PDF".utf8), seed: 7, count: 1_000)
        #expect(blob.bytes.count == 1_000 && blob.bytes.starts(with: Array("%PDF".utf8)))
        #expect(blob.bytes == blob.bytes && Body(blob) == Body(blob.bytes))
        #expect(Blob(magic: [], seed: 8, count: 1_000).bytes != blob.bytes)
        #expect(Set(blob.bytes).count > 200)
    }

    @Test("A file smaller than its own magic is a mistake")
    func blobTooSmall() async {
        await #expect(processExitsWith: .failure) { _ = Blob(magic: [1, 2], seed: 0, count: 1) }
    }
}

@Suite("Requests and answers")
struct RequestTests {
    @Test("A media type comes without its parameters")
    func mimeType() throws {
        let url = try #require(WebURL("http://h/"))
        let head = HTTPURLResponse(
            url: url, statusCode: 200, headers: ["content-type": "text/html; charset=utf-8"])
        #expect(head.mimeType == "text/html")
        #expect(HTTPURLResponse(url: url, statusCode: 200).mimeType == nil)
    }

    @Test("A cause tells who asked, in which step, which try, and for whom")
    func cause() {
        let cause = RequestCause(user: 1, step: 2, request: 3, attempt: 4, refreshFor: 5)
        #expect("\(cause)" == "user 1 step 2 request 3 attempt 4 for request 5")
        #expect(TransportError(.timedOut).label == "transport.timedOut")
    }
}
