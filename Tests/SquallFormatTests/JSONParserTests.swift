import Testing

@testable import SquallFormat

@Suite("JSON with comments")
struct JSONParserTests {
    @Test(
        "A mistake is named with its line and column",
        arguments: [
            ("", 1, 1, "expected a value, got the end of the file"),
            ("{\n  \"a\": }", 2, 8, "expected a value, got '}'"),
            ("{\"a\": 1 \"b\": 2}", 1, 9, "expected ',' or '}', got '\"'"),
            ("{\"a\" 1}", 1, 6, "expected ':' after \"a\", got '1'"),
            ("{a: 1}", 1, 2, "expected a name in double quotes, got 'a'"),
            ("{\"a\": 1,\n\"a\": 2}", 2, 1, "\"a\" is given twice"),
            ("[1, 2", 1, 6, "expected ',' or ']', got the end of the file"),
            ("[", 1, 2, "expected a value or ']', got the end of the file"),
            ("[,]", 1, 2, "expected a value, got ','"),
            ("[1] x", 1, 5, "expected the end of the file, got 'x'"),
            ("[yes]", 1, 2, "'yes' is not a value; texts need double quotes"),
            ("[10s]", 1, 2, "'10s' is not a number; texts need double quotes"),
            ("[.5]", 1, 2, "'.5' is not a number"), ("[01]", 1, 2, "'01' is not a number"),
            ("[+1]", 1, 2, "'+1' is not a number"),
            (
                "[\"a\nb\"]", 1, 4,
                "expected '\"' before the end of the line, got the end of the line"
            ),
            ("[\"abc", 1, 2, "the text that begins here has no end"),
            ("[\"é\\x\"]", 1, 4, "unknown escape"),
            ("[\"\\u12g4\"]", 1, 3, "four hexadecimal digits"),
            ("[\"\\ud800x\"]", 1, 3, "four hexadecimal digits"),
            ("/* never\nending", 1, 1, "the comment that begins here has no end"),
            ("/ x", 1, 1, "a comment begins with // or /*"),
        ])
    func mistakes(text: String, line: Int, column: Int, problem: String) throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONParser.parse(Array(text.utf8))
        }
        #expect(error.place == TextPlace(line: line, column: column))
        #expect(error.problem.contains(problem), "\(error.problem)")
    }

    @Test("Comments, trailing commas and line ends of any kind are skipped")
    func space() throws {
        let text = "\u{feff}// a\r\n[ /* b\n * c **/ 1,\r\n\t// d\n 2, ] // e"
        let node = try JSONParser.parse(Array(text.utf8))
        guard case .array(let elements) = node.value else {
            Issue.record("not a list")
            return
        }
        #expect(elements.map(\.value) == [.number("1"), .number("2")])
        #expect(elements.map(\.place.line) == [3, 5])
    }

    @Test(
        "Escapes become what they stand for",
        arguments: [
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"), (#""\u00e9\u0041""#, "éA"),
            (#""\ud83d\ude42""#, "🙂"), ("\"// no comment\"", "// no comment"),
        ])
    func escapes(text: String, expected: String) throws {
        #expect(try JSONParser.parse(Array(text.utf8)).value == .string(expected))
    }

    @Test(
        "A number is written as JSON writes it, and nothing else is one",
        arguments: [
            ("0", true), ("-0", true), ("10", true), ("1.5", true), ("1e9", true),
            ("-1.25E-3", true), ("2e+7", true), ("00", false), ("-", false), ("1.", false),
            ("1.e5", false), ("1e", false), ("1e+", false), ("-01", false), ("1-2", false),
            ("1.2.3", false), ("1e5e5", false), ("--1", false), ("1e+-5", false), ("0x1", false),
        ])
    func numbers(text: String, isNumber: Bool) {
        let node = try? JSONParser.parse(Array(text.utf8))
        #expect(node?.value == (isNumber ? .number(text) : nil))
    }

    @Test("Members keep their order and numbers their digits")
    func fidelity() throws {
        let text = #"{"z": 18446744073709551615, "a": -1.50e+3}"#
        guard case .object(let members) = try JSONParser.parse(Array(text.utf8)).value else {
            Issue.record("not an object")
            return
        }
        #expect(members.map(\.name) == ["z", "a"])
        #expect(
            members.map(\.value.value) == [.number("18446744073709551615"), .number("-1.50e+3")])
    }

    @Test("true, false and null are read as themselves")
    func words() throws {
        let node = try JSONParser.parse(Array("[true, false, null]".utf8))
        guard case .array(let elements) = node.value else {
            Issue.record("\(node.value) is no array")
            return
        }
        #expect(elements.map(\.value) == [.bool(true), .bool(false), .null])
    }

    @Test("Sixty-four levels of brackets are read, one more is refused")
    func depth() throws {
        let deep = { (count: Int) in
            Array(
                (String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
        }
        #expect(throws: Never.self) { try JSONParser.parse(deep(64)) }
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse(deep(65)) }
    }

    @Test(
        "UTF-16 is told by its name, with a byte order mark or without",
        arguments: [
            [0xff, 0xfe, 0x7b, 0], [0xfe, 0xff, 0, 0x7b], [0x7b, 0, 0x7d, 0], [0, 0x7b, 0, 0x7d],
        ] as [[UInt8]])
    func utf16(bytes: [UInt8]) throws {
        let error = try #require(throws: JSONSyntaxError.self) { try JSONParser.parse(bytes) }
        #expect(error.problem == "the file is UTF-16 text; save it as UTF-8")
    }

    @Test("Bytes that are not UTF-8 are refused")
    func encoding() {
        #expect(throws: JSONSyntaxError.self) { try JSONParser.parse([0x22, 0xff, 0x22]) }
    }
}
