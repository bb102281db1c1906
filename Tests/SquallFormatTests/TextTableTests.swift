import SquallFormat
import Testing

@Suite("A table in a terminal")
struct TextTableTests {
    @Test("Lines begin with two spaces, the first column on the left and numbers on the right")
    func layout() {
        var table = TextTable(leftAligned: [2])
        table.append(["a", "10", "x"])
        table.append(["bcd", "9", "yz"])
        #expect(table.lines(width: 60) == ["  a    10  x", "  bcd   9  yz"])
        #expect(table.lines(width: 60, indentation: 0) == ["a    10  x", "bcd   9  yz"])
    }

    @Test("Different names stay different however narrow the table is", arguments: 10...40)
    func names(width: Int) {
        var table = TextTable()
        for name in ["step_duration p(95)", "step_duration p(99)", "step_duration p(99.9)"] {
            table.append([name, "1"])
        }
        let lines = table.lines(width: width)
        #expect(Set(lines).count == 3, "\(lines)")
    }

    @Test("Where the columns need several blocks, names are cut only if they would need more")
    func room() {
        var table = TextTable()
        table.append(["revokeRefreshTokens"] + Array(repeating: "1234567890", count: 4))
        let blocks = table.blocks(width: 50, margin: 8)
        #expect(blocks.count == 2)
        #expect(blocks.allSatisfy { $0[0].hasPrefix("revokeRefreshTokens ") }, "\(blocks)")
        #expect(table.blocks(width: 57, margin: 8).count == 1)
    }
}
