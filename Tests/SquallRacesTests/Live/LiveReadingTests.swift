import SquallBackend
import Testing

@testable import SquallRaces

@Suite("Pages as a live judge reads them")
struct LiveReadingTests {
    private func page(_ items: [Int32], isFirst: Bool = false, isLast: Bool = false) -> ListPage {
        ListPage(
            of: ListID(1), by: .cursor, isFirst: isFirst, isLast: isLast, items: items,
            itemsEver: 9, rowsScanned: 0)
    }

    /// Reads pages at moments in seconds; whether each is one too many.
    private func read(_ pages: [(items: [Int32], at: Int64)], firsts: Int = 1) -> [Bool] {
        var reading = LiveReading()
        let second: Int64 = 1_000_000_000
        func arrival(_ page: ListPage, _ at: Int64, _ number: Int) -> LiveReading.Arrival {
            LiveReading.Arrival(
                page: page, request: UInt32(number), sentAt: at * second,
                endedAt: at * second + second / 10)
        }
        for number in 0..<firsts {
            let first = arrival(page([9, 8], isFirst: true), -9, number)
            #expect(reading.read(first, pause: second / 10) == nil)
        }
        return pages.enumerated().map { number, one in
            reading.read(arrival(page(one.items), one.at, number + firsts), pause: second / 10)
                != nil
        }
    }

    @Test("A page that is asked for while it is open, or at once again, is one too many")
    func twice() {
        #expect(read([([7, 6], 1), ([7, 6], 1)]) == [false, true])
        #expect(read([([7, 6], 1), ([7, 6], 1)], firsts: 2) == [false, false])
    }

    @Test("A reader may load again around the place where it is")
    func reloaded() {
        #expect(
            read([([7, 6], 1), ([5, 4], 2), ([7, 6], 7), ([5, 4], 9)]) == [
                false, false, false, false,
            ])
    }

    @Test("Two pages in turn without end are one too many, and around a place they are not")
    func inTurn() {
        let turns: [Int64] = Array(1...10)
        #expect(
            read(turns.map { ($0 % 2 == 0 ? [7, 6] : [5, 4], $0) }).firstIndex(of: true) == 8)
        #expect(!read(turns.map { ($0 % 3 == 0 ? [7, 6] : [5, 4], $0) }).contains(true))
    }

    @Test("A page that is asked for again and again, and no other, is one too many")
    func inRow() {
        #expect(read((1...5).map { ([7, 6], $0) }) == [false, false, false, true, false])
    }
}
