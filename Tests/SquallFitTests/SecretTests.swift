import SquallFormat
import Testing

@testable import SquallFit

@Suite("Secrets in logs")
struct SecretTests {
    /// What people have in paths, queries and headers, and what must never be shown.
    static let secrets = [
        "sk_live_abcdEFGHijkl", "ghp_AbCdEfGhIjKlMnOp", "eyJhbGciOiJIUzI1NiJ9", "npm_abcdefghij",
        "zelda.fitz@secretmail.example", "zelda.fitz%40secretmail.example", "+4917155501990",
        "4111111111111111", "198.51.100.23", "deadbee", "cafebabe", "hunterzwei", "Bundeskanzlerin",
        "correcthorsebatterystaple", "zeldafitz", "letter-to-my-divorce-lawyer.pdf",
        "QWxhZGRpbjpvcGVuIHNlc2FtZQ", "AKIAIOSFODNNAEXAMPLE", "xoxb-abcdefghij", "tumour-board",
        "550e8400-e29b-41d4-a716-446655440000", "DE89370400440532013000", "078-05-1120",
        "fe80::1ff:fe23", "glpat-abcdefghij", "aGVsbGV3b3JsZHRoaXM", "1985-04-12",
    ]

    enum Users: CaseIterable {
        case one, two, many
    }

    /// Each line with a secret in its path, query and program; each secret is one user's.
    private func planted(_ form: FormatTests.Form, _ users: Users) -> String {
        let lines = (0..<90).map { number -> String in
            let request = FormatTests.Request(number: number)
            let secret = Self.secrets[number % 9 + 9 * (number / 9 % 3)]
            let line = form.line(request)
                .replacing(request.path, with: "/v1/\(secret)/open?q=\(secret)")
                .replacing("app/1", with: secret)
            switch users {
            case .one: return line.replacing(request.address, with: "203.0.113.9")
            case .two: return line.replacing(request.address, with: "203.0.113.\(number % 2)")
            case .many: return line
            }
        }
        return form.header + lines.joined(separator: "\n") + "\n"
    }

    /// All texts that are made of a log.
    private func texts(_ log: String) -> [String] {
        do {
            let fit = TrafficFit(try reading(log, isStrict: true))
            let document = FitDocument(fit, subject: "x", replay: "", comparison: nil)
            return [
                FittedProfile(fit, file: "x").text, document.json.document, document.answer.html,
            ]
        } catch { return ["\(error)"] }
    }

    private func expectNone(in texts: [String], _ what: String) {
        for secret in Self.secrets {
            // A template has no signs but a few, so a secret might be shown without its own.
            let bare = secret.filter { $0.isLetter || $0.isNumber }
            let forms = bare == secret ? [secret] : [secret, bare]
            for text in texts where forms.contains(where: text.contains) {
                Issue.record("\(what) shows \(secret)")
            }
        }
    }

    @Test(
        "No secret of one, two or many users is shown in any form",
        arguments: FormatTests.texts + FormatTests.objects, Users.allCases)
    func forms(form: FormatTests.Form, users: Users) {
        expectNone(in: texts(planted(form, users)), "\(form.testDescription), \(users)")
    }

    @Test("Routes and spans are checked like paths", arguments: Users.allCases)
    func routes(users: Users) {
        let log = planted(FormatTests.objects[1], users)
        expectNone(in: texts(log.replacing("\"path\":", with: "\"route\":")), "route")
        let spans = Self.secrets.flatMap { secret in
            let span = """
                {"kind":2,"startTimeUnixNano":"1696938936000000000",\
                "endTimeUnixNano":"1696938936250000000",\
                "attributes":[{"key":"http.request.method","value":{"stringValue":"GET"}},\
                {"key":"http.route","value":{"stringValue":"/share/\(secret)"}}]}
                """
            return Array(repeating: span, count: 4)
        }
        let list = spans.joined(separator: ",")
        expectNone(
            in: texts("{\"resourceSpans\":[{\"scopeSpans\":[{\"spans\":[\(list)]}]}]}"), "spans")
    }

    @Test("Messages about broken files quote nothing of them")
    func messages() {
        for secret in Self.secrets {
            let files = [
                "{\"url\":\(secret) }\n", "{\"log\":{\"entries\":[{\"url\" \"\(secret)\"}]}}",
                "{\"resourceSpans\":[{\"\(secret)\" 1}]}", "\(secret)\n\(secret) GET\n",
                "{\"log\":{\"creator\":1,\"\(secret)\":1,\"\(secret)\":2,\"entries\":3}}",
            ]
            for file in files { expectNone(in: texts(file), file) }
        }
    }

    @Test("With --keep-words all words stay, and a word of three users does without")
    func words() throws {
        let form = FormatTests.texts[0]
        let log = (0..<90).map { number in
            let request = FormatTests.Request(number: number)
            let word = number % 3 == 0 ? "basket" : "only-\(request.address.suffix(1))x"
            return form.line(request).replacing(request.path, with: "/v1/\(word)")
        }.joined(separator: "\n")
        let paths = try reading(log, isStrict: true).calls.map(\.path)
        #expect(Set(paths) == ["/v1/basket", "/v1/{id}"])
        #expect(try reading(log).reading.hiddenWords == 0)
    }
}
