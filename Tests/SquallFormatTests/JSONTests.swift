import Foundation
import SquallFormat
import Testing

@Suite("JSON")
struct JSONTests {
    @Test("A number beyond all that can be written is the largest one")
    func beyondNumbers() throws {
        let node = try JSONParser.parse(Array("[1e999,-1e999,1e-999]".utf8))
        let most = Double.greatestFiniteMagnitude
        #expect(JSON(node) == .array([.number(most), .number(-most), .number(0)]))
    }

    @Test(
        "Eight bytes are passed at once unless one of them means something in a string",
        arguments: [0x20, 0x21, 0x5D, 0x61, 0x80, 0xFF] as [UInt8])
    func plainBytes(others: UInt8) {
        for byte in UInt8.min...UInt8.max {
            let isPlain = byte >= 32 && byte != 34 && byte != 92
            for place in 0..<16 {
                var text = [UInt8](repeating: others, count: 20)
                text[place] = byte
                let end = text.withUnsafeBytes { $0.endOfPlainJSON(from: 0) }
                #expect(end == (isPlain ? 16 : place / 8 * 8))
            }
        }
    }

    @Test("Names are sorted, indentation is two spaces, a line feed ends it")
    func layout() {
        let json = JSON.object([
            "b": .array([1, .null]), "a": .object([:]), "c": .array([]), "B": .bool(true),
        ])
        #expect(
            json.document == """
                {
                  "B" : true,
                  "a" : {

                  },
                  "b" : [
                    1,
                    null
                  ],
                  "c" : [

                  ]
                }

                """)
    }

    @Test(
        "Numbers keep every digit and no more",
        arguments: [
            (.integer(.max), "9223372036854775807"), (.integer(.min), "-9223372036854775808"),
            (.unsigned(.max), "18446744073709551615"), (.number(0.1), "0.1"),
            (.number(1e-7), "1e-07"), (.number(-0.0), "-0"), (.number(100), "100"),
            (.number(1 / 3), "0.3333333333333333"),
        ] as [(JSON, String)])
    func numbers(json: JSON, text: String) {
        #expect(json.document == text + "\n")
    }

    @Test(
        "Foundation reads back any string that was written",
        arguments: [
            "", "plain", "\"\\/", "\u{0}\u{1}\u{1f}\u{7f}", "\n\r\t", "ü–✓🙂", "\u{2028}\u{2029}",
            "e\u{301}",
        ])
    func strings(text: String) throws {
        let data = Data(JSON.array([.string(text)]).document.utf8)
        let read = try JSONDecoder().decode([String].self, from: data)
        #expect(read.map { Array($0.unicodeScalars) } == [Array(text.unicodeScalars)])
    }

    @Test("A number that JSON cannot write stops the program")
    func notFinite() async {
        await #expect(processExitsWith: .failure) {
            _ = JSON.number(.nan).document
        }
    }
}
