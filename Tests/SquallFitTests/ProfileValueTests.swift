import SquallKernel
import Testing

@testable import SquallFit

@Suite("Values in the text of a profile")
struct ProfileValueTests {
    @Test("Members keep their order, one without a value is left out, and texts are escaped")
    func objects() {
        let name = #"a "b" \c"#
        let value: ProfileValue = [
            "z": 1, "a": "\(name)", "none": nil, "list": [true, 0.5, ["x": 2]], "empty": [],
        ]
        let (texts, lists) = (#""z": 1, "a": "a \"b\" \\c""#, #""list": [true, 0.5, { "x": 2 }]"#)
        #expect(value.json == "{ \(texts), \(lists), \"empty\": [] }")
    }

    @Test("Durations and numbers have four significant digits")
    func digits() {
        let values: ProfileValue = [.time(1_234_567), .time(-1), .number(0.123_456), .time(9e99)]
        #expect(values.json == #"["1.235ms", "0s", 0.1235, "365d23h20m"]"#)
        #expect(ProfileValue.exactTime(1_234_567).json == "\"1.234567ms\"")
        #expect(ProfileValue.law(.exponential(mean: 12_345_678.9)).json.contains("12.35ms"))
    }

    @Test("Comments stand above their part, blocks are indented, and the last part has no comma")
    func text() {
        let text = ProfilePart.profile(
            "Head",
            [
                ProfilePart("seed", 1, comment: "Why"),
                .object("a", isApart: true, [.list("b", [ProfilePart(nil, ["c": 2])])]),
            ], assuming: ["seed", "missing"])
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.prefix(11) == [
                "// Head", "{", "  // Why", "  \"seed\": 1,", "", "  \"a\": {", "    \"b\": [",
                "      { \"c\": 2 }", "    ]", "  },", "",
            ])
        #expect(lines.suffix(4) == ["    \"seed\": 1", "  }", "}", ""])
    }
}
