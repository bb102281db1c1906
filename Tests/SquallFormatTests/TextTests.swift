import Testing

@testable import SquallFormat

@Suite("Texts for people, pages and shells")
struct TextTests {
    @Test("Markup escapes what would end a text or a quote, and what XML cannot write")
    func markup() {
        #expect(
            Markup.text("a&b<c>\"d\"\t\n\u{1}\u{ffff}é").source
                == "a&amp;b&lt;c&gt;&quot;d&quot;\t\n\u{fffd}\u{fffd}é")
        #expect(Markup.text("only words").source == "only words")
        let page = Markup(
            "p", ["class": "<x>"],
            [.text("5 < 7 "), Markup("b", "now"), Markup("br"), .verbatim("a<b"), Markup("col")])
        #expect(
            page.source
                == "<p class=\"&lt;x&gt;\">5 &lt; 7 <b>now</b><br/>a<b<col/>\n</p>\n")
    }

    @Test(
        "FNV-1a has the values that its authors published",
        arguments: [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
        ] as [(String, UInt64)])
    func fnv(text: String, hash: UInt64) {
        #expect(StableHash(of: text.utf8).value == hash)
    }

    @Test("Words that are mixed in are told apart by value and by order")
    func mixed() {
        func hash(_ words: UInt64...) -> UInt64 {
            var hash = StableHash()
            for word in words { hash.mix(word) }
            return hash.value
        }
        #expect(Set([hash(), hash(1), hash(2), hash(1, 2), hash(2, 1), hash(0)]).count == 6)
        #expect(UInt64(0x2a).hexadecimal == "000000000000002a")
    }

    @Test("Sentences break between words, up to the width, and a number stays on its line")
    func prose() {
        #expect(WordWrap.lines("one two three", width: 7) == ["one two", "three"])
        #expect(WordWrap.lines("one two three", width: 6) == ["one", "two", "three"])
        #expect(
            WordWrap.lines("ab cd ef", width: 5, first: "- ", rest: "  ") == [
                "- ab", "  cd", "  ef",
            ])
        #expect(WordWrap.lines("of 10 000 people", width: 9) == ["of 10 000", "people"])
        #expect(WordWrap.lines("of 10 000 people", width: 6) == ["of", "10 000", "people"])
        #expect(WordWrap.lines("in 10 00 people", width: 6) == ["in 10", "00", "people"])
        #expect(WordWrap.lines("of 8.4 %, 90 ms", width: 4) == ["of", "8.4 %,", "90 ms"])
        #expect(WordWrap.lines("in 10 seconds", width: 5) == ["in 10", "seconds"])
    }

    @Test(
        "A word for a shell is quoted unless it is plain",
        arguments: [
            ("a-b_c./d:e=f+g@h%9", "a-b_c./d:e=f+g@h%9"), ("", "''"), ("two words", "'two words'"),
            ("$HOME", "'$HOME'"),
            ("it's", #"'it'\''s'"#), ("é", "'é'"), ("a\u{1b}'\n", #"$'a\033\047\012'"#),
            ("\u{7}", #"$'\007'"#), ("\u{8}x", #"$'\010x'"#),
        ])
    func shell(word: String, quoted: String) {
        #expect(word.quotedForShell == quoted)
    }

    @Test("A table too wide for its place is cut between columns, each part with the first one")
    func blocks() {
        var table = TextTable()
        table.append(["name", "aaaa", "bbbb", "cccc"])
        table.append(["x", "1", "2", "3"])
        let parts = [["name  aaaa  bbbb", "x        1     2"], ["name  cccc", "x        3"]]
        #expect(table.blocks(width: 16) == parts)
        #expect(
            table.blocks(width: 16, joined: [2]) == [
                ["name  aaaa  bbbb", "x        1     2"], ["name  cccc", "x        3"],
            ])
        #expect(
            table.blocks(width: 16, joined: [3]) == [
                ["name  aaaa", "x        1"], ["name  bbbb  cccc", "x        2     3"],
            ])
        #expect(table.blocks(width: 22).count == 1 && table.blocks(width: 21).count == 2)
        #expect(
            table.lines(width: 22, indentation: 1) == [
                " na…  aaaa  bbbb  cccc", " x       1     2     3",
            ])
    }

    @Test("A text that does not fit ends with an ellipsis")
    func fitted() {
        #expect("abcd".fitted(to: 4) == "abcd" && "abcd".fitted(to: 3) == "ab…")
        #expect("abcdef".fittedInside(to: 6) == "abcdef" && "abcdef".fittedInside(to: 5) == "ab…ef")
        #expect("abcdef".fittedInside(to: 4) == "ab…f")
    }
}
