import Testing

@testable import SquallFormat

@Suite("YAML, read into the tree of JSON")
struct YAMLParserTests {
    @Test(
        "What JSON can say is read alike",
        arguments: [
            (
                "a: 1\nb:\n  - x\n  - y: [1, {z: 2}]\nc:\n- d",
                #"{"a":1,"b":["x",{"y":[1,{"z":2}]}],"c":["d"]}"#
            ),
            ("- - a\n  - b\n- c: 1\n  d: 2", #"[["a","b"],{"c":1,"d":2}]"#),
            ("[1, yes]", #"[1,"yes"]"#), ("['a', b]", #"["a","b"]"#), ("{'a': b}", #"{"a":"b"}"#),
            ("? a\n: 1\n? b", #"{"a":1,"b":null}"#),
            ("%YAML 1.2\n# why\n--- # here\na: b # there\n...\n", #"{"a":"b"}"#),
            (
                "a: one\n  two\n\n  three\nb: 'it''s'\nc: \"\\x41\\u00e9 \\\n  d\"",
                #"{"a":"one two\nthree","b":"it's","c":"Aé d"}"#
            ),
            (
                "a: |\n  x\n   y\n\nb: >-\n  x\n  y\n\n  z\nc: |+\n  x\n\nd: |2\n   x\n",
                #"{"a":"x\n y\n","b":"x y\nz","c":"x\n\n","d":" x\n"}"#
            ),
            (
                "[~, null, yes, true, 0x1F, 0o17, +1, .5, 1., 007, 1:30, 2001-01-01, 3.0.0, '1',\n"
                    + " .inf]",
                #"[null,null,"yes",true,31,15,1,0.5,1.0,7,"1:30","2001-01-01","3.0.0","1",".inf"]"#
            ),
            (
                "200: ok\ntrue: x\n\"q\": {a, b: , \"c\":1}\n",
                #"{"200":"ok","true":"x","q":{"a":null,"b":null,"c":1}}"#
            ),
            (
                "a: &x {k: 1, l: 2}\nb: *x\nc:\n  <<: *x\n  l: 3\nd: {<<: [{m: 1}, {m: 2}]}",
                #"{"a":{"k":1,"l":2},"b":{"k":1,"l":2},"c":{"k":1,"l":3},"d":{"m":1}}"#
            ),
            (
                "&a b: &c\n  d\ne: *c\nf: !!str 1\ng: !!int \"3\"",
                #"{"b":"d","e":"d","f":"1","g":3}"#
            ),
            ("a:\r\n  - b\r\n  - c\r\n", #"{"a":["b","c"]}"#),
            (
                "{openapi: 3.1.0, paths: {\n  /a: {get: {}}\n}}",
                #"{"openapi":"3.1.0","paths":{"/a":{"get":{}}}}"#
            ),
            (
                "a: https://x.example/#b\nc: d#e\nf: -1\ng: a:b\nh: ?x",
                #"{"a":"https://x.example/#b","c":"d#e","f":-1,"g":"a:b","h":"?x"}"#
            ),
        ])
    func values(yaml: String, json: String) throws {
        let read = try JSONNode.reading(Array(yaml.utf8))
        let expected = try JSONParser.parse(Array(json.utf8))
        #expect(JSON(read) == JSON(expected), "\(read.document)")
    }

    @Test(
        "A mistake is named with its line and column",
        arguments: [
            ("a: 1\na: 2", 2, 1, "\"a\" is given twice"),
            ("a: b: c", 1, 5, "a key cannot stand here"),
            ("a: - b", 1, 4, "a collection must begin on a line of its own"),
            ("a:\n  b: 1\n c: 2", 3, 2, "indented as none above it"),
            ("a:\n\tb: 1", 2, 1, "a tab cannot indent"),
            ("a: 1\n\tb: 2", 2, 1, "a tab cannot indent"),
            ("é: [1, 2", 1, 9, "expected ',' or ']', got the end of the file"),
            ("a: 'x", 1, 4, "the text that begins here has no end"),
            ("a: \"\\q\"", 1, 5, "unknown escape"),
            ("a: 1\n---\nb: 2", 2, 1, "a second document begins"),
            ("a: *b", 1, 4, "there is no anchor &b before this"),
            ("a: &b [*b]", 1, 8, "*b stands in what it refers to"),
            (
                "a: !python/object:os.system {}", 1, 4,
                "the tag !python/object:os.system is not read"
            ),
            ("? [a]\n: b", 1, 3, "a key must be a text, got a list"),
            ("a: @b", 1, 4, "a text that begins so needs quotes"),
            ("a: x\n b: y", 2, 3, "a text over several lines cannot be a key"),
            ("<<: 1", 1, 5, "<< takes an object, got 1"),
            ("a: &x 1\nb: &y *x", 2, 7, "an alias has neither an anchor nor a tag"),
            ("a: &x 1\nb: [!!str *x]", 2, 11, "an alias has neither an anchor nor a tag"),
            ("a: &x 1\nb: &y\n  *x", 3, 5, "an alias has neither an anchor nor a tag"),
        ])
    func mistakes(text: String, line: Int, column: Int, problem: String) throws {
        let error = try #require(throws: JSONSyntaxError.self) {
            try JSONNode.reading(Array(text.utf8))
        }
        #expect(error.place == TextPlace(line: line, column: column), "\(error)")
        #expect(error.problem.contains(problem), "\(error.problem)")
    }

    @Test("Aliases of aliases and deep nesting end in a sentence, not in memory")
    func bounds() {
        let bomb = (1...12).reduce("a0: &a0 [x, x]\n") { text, level in
            let list = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
            return text + "a\(level): &a\(level) [\(list)]\n"
        }
        let deep = [
            String(repeating: "- ", count: 5_000) + "x",
            "{a: " + String(repeating: "[", count: 5_000),
            (0..<200).map { String(repeating: " ", count: $0) + "a:" }.joined(separator: "\n"),
        ]
        for text in deep {
            #expect(problem(of: text)?.contains("nested deeper than 64") == true)
        }
        #expect(problem(of: bomb)?.contains("more than 2 000 000 values") == true)
    }

    private func problem(of text: String) -> String? {
        do throws(JSONSyntaxError) {
            _ = try JSONNode.reading(Array(text.utf8))
            return nil
        } catch { return error.problem }
    }

    @Test("A value's place is where it begins, and JSON is read as JSON")
    func places() throws {
        let node = try JSONNode.reading(Array("# x\na:\n  é: &n b\n  c: 2\n".utf8))
        #expect(node["a"]?.place == TextPlace(line: 3, column: 3))
        #expect(node["a"]?["é"]?.place == TextPlace(line: 3, column: 6))
        #expect(problem(of: #"{ "a": b }"#)?.contains("texts need double quotes") == true)
    }
}
