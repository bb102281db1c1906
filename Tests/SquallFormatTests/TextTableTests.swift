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
}
