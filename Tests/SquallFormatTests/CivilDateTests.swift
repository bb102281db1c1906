import Foundation
import SquallFormat
import Testing

@Suite("Days of the calendar")
struct CivilDateTests {
    @Test(
        "A day and its number since 1970 lead to each other",
        arguments: [
            (1970, 1, 1, 0), (1972, 2, 29, 789), (2000, 3, 1, 11_017), (2024, 9, 1, 19_967),
            (2100, 2, 28, 47_540), (2100, 3, 1, 47_541),
        ] as [(Int64, Int64, Int64, Int64)])
    func days(year: Int64, month: Int64, day: Int64, number: Int64) {
        let date = CivilDate(year: year, month: month, day: day)
        #expect(date.daysSince1970 == number)
        #expect(CivilDate(daysSince1970: number) == date)
    }

    @Test("Foundation's calendar agrees on every day of two centuries")
    func foundation() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for number in stride(from: 0, through: 73_000, by: 1) as StrideThrough<Int64> {
            let date = CivilDate(daysSince1970: number)
            guard date.daysSince1970 == number, date.day > 28 || date.day == 1 else {
                #expect(date.daysSince1970 == number)
                continue
            }
            let moment = Date(timeIntervalSince1970: Double(number) * 86_400)
            let parts = calendar.dateComponents([.year, .month, .day], from: moment)
            #expect(
                parts.year == Int(date.year) && parts.month == Int(date.month)
                    && parts.day == Int(date.day))
        }
    }

    @Test("Digits are filled up from the left")
    func digits() {
        #expect([7.padded(2), 12.padded(2), 345.padded(2)] == ["07", "12", "345"])
        #expect([Int64(1_250).thousandths, Int64(7).thousandths] == ["1.250", "0.007"])
    }
}
