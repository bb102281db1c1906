import Testing

import SquallFormat
@testable import SquallReport

@Suite("Numbers beside their changes")
struct ShownChangesTests {
    @Test(
        "Numbers have the digits that their change takes, and three where these do",
        arguments: [
            (NumberUnit.count, 256.6, 256.4, "256.6", "256.4", "-0.2"),
            (.count, 257, 251, "257", "251", "-6"), (.count, 1_234, 1_235, "1 234", "1 235", "1"),
            (.count, 1_234.6, 1_234.4, "1234.6", "1234.4", "-0.2"),
            (.nanoseconds, 1.2311e9, 1.2342e9, "1.231 s", "1.234 s", "3 ms"),
            (.nanoseconds, 0.95e9, 1.05e9, "950 ms", "1.05 s", "100 ms"),
            (.nanoseconds, 125.31e9, 126.59e9, "125.3 s", "126.6 s", "1.3 s"),
            (.nanoseconds, 125e9, 185e9, "2m05s", "3m05s", "1m00s"),
            (.share, 0.8464, 0.8449, "84.64 %", "84.49 %", "-0.15 pp"),
            (.share, 0.2, 0.3, "20 %", "30 %", "10 pp"),
            (.number, 1.0003, 1.0001, "1.0003", "1.0001", "-0.0002"),
            (.perSecond, 0, 31.42, "0/s", "31.4/s", "31.4/s"),
            (.nanoseconds, 0, 0, "0 s", "0 s", "0 s"),
            (.nanoseconds, 1e9, 1e9 + 1e3, "1 s", "1 s", "1 µs"),
        ])
    func digits(
        unit: NumberUnit, one: Double, other: Double, first: String, second: String,
        change: String
    ) {
        let shown = ShownChanges(unit, between: [one, other])
        #expect(shown.text(one) == first && shown.text(other) == second)
        #expect(shown.change(from: one, to: other) == change)
    }

    @Test("No difference that rounds to nothing has a sign")
    func nothing() {
        #expect(NumberUnit.nanoseconds.difference(-0.3) == "0 s")
        #expect(NumberUnit.nanoseconds.difference(-1.3) == "-1 ns")
    }
}
