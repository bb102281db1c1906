import SquallHTTP
import SquallKernel
import Testing

@testable import SquallBackend

@Suite("The lines of an access log")
struct AccessLogFormTests {
    @Test("Each form writes a reply as real servers do, with its moment of virtual time")
    func lines() {
        // A day, two hours, three minutes and four seconds after the beginning, and a bit.
        let end: Int64 = (86_400 + 2 * 3_600 + 3 * 60 + 4) * 1_000_000_000 + 5_006_007
        let record = ServerRecord(
            cause: RequestCause(user: 66_051), endpoint: Endpoint("posts", number: 1),
            method: .get, url: WebURL(origin: "http://h", path: "/p", query: "a=\"b\""),
            status: 404, meaning: .failure, arrived: Instant(nanoseconds: end - 7_654_321),
            started: Instant(nanoseconds: end), replied: Instant(nanoseconds: end), worker: nil,
            items: 0, rowsScanned: 0, bytes: 12, tokenGeneration: nil, isDuplicate: false)
        #expect(
            AccessLogForm.combined.line(record)
                == "10.1.2.3 - user66051 [02/Sep/2024:02:03:04 +0000] \"GET /p?a=\"b\" HTTP/1.1\""
                + " 404 12 \"-\" \"squall\" 0.008 1725242584.005")
        #expect(
            AccessLogForm.json.line(record)
                == #"{"time":"2024-09-02T02:03:04.005006007Z","remote_addr":"10.1.2.3","#
                + #""user":"user66051","method":"GET","uri":"/p?a=\"b\"","status":404,"#
                + #""bytes":12,"duration_us":7655}"#)
    }

    @Test("A log of real clients hides what may be a secret in a path or a query")
    func secrets() {
        let now = Instant(nanoseconds: 0)
        func target(_ path: String, _ query: String?) -> String {
            let record = ServerRecord(
                cause: RequestCause(), endpoint: Endpoint("reset", number: 1), method: .get,
                url: WebURL(origin: "http://h", path: path, query: query), status: 200,
                meaning: .success, arrived: now, started: now, replied: now, worker: nil,
                items: 0, rowsScanned: 0, bytes: 0, tokenGeneration: nil, isDuplicate: false)
            let line = AccessLogForm.json.line(record, hidesSecrets: true)
            return line.matches(of: /"uri":"([^"]*)"/).map { String($0.1) }.joined()
        }
        #expect(target("/reset/eyJhbGciOiJIUzI1NiJ9", "page=2&key=a1") == "/reset/-?page=2&key=-")
        let book = "/books/6BA7B810-9DAD-11D1-80B4-00C04FD430C8/parts/12"
        #expect(target(book, nil) == book)
        #expect(target("/a", "token&page=12345678901") == "/a?token=-&page=-")
    }

    @Test("A file's name says which form it is", arguments: ["a.json", "a.jsonl", "a.ndjson"])
    func names(name: String) {
        guard case .json = AccessLogForm(fileName: name),
            case .combined = AccessLogForm(fileName: "a")
        else {
            Issue.record("\(name) is another form")
            return
        }
    }
}
