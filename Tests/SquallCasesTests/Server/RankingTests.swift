import Testing

@testable import SquallCases

/// A ranking of many thousands against a list that is sorted anew.
@Suite("A catalogue's ranking")
struct RankingTests {
    /// Many equal keys, in no order.
    private static let key: @Sendable (Int32) -> UInt64 = { UInt64($0) &* 7_919 % 613 }

    /// A ranking after so many changes, and the same numbers sorted.
    private static func changed(_ begun: Int32, changes: Int32) -> (Ranking, [Int32]) {
        var ranking = Ranking(Array(0..<begun), by: key)
        var present = Set(0..<begun)
        for change in 0..<changes {
            let number = begun + change
            ranking.insert(number)
            present.insert(number)
            guard change % 3 == 0 else { continue }
            ranking.remove(number / 2)
            present.remove(number / 2)
        }
        return (ranking, present.sorted { (key($0), $0) < (key($1), $1) })
    }

    @Test(
        "Inserts and removals leave the order of a list sorted anew",
        arguments: [(0, 1), (0, 9_000), (5_000, 9_000), (2_048, 1), (1, 0)] as [(Int32, Int32)])
    func order(begun: Int32, changes: Int32) {
        let (ranking, sorted) = Self.changed(begun, changes: changes)
        #expect(ranking.numbers == sorted)
        #expect(ranking.count == sorted.count)
    }

    @Test("Any positions are those of a list sorted anew")
    func positions() {
        let (ranking, sorted) = Self.changed(5_000, changes: 9_000)
        for first in stride(from: 0, to: sorted.count, by: 997) {
            let range = first..<min(first + 2_500, sorted.count)
            #expect(ranking[range] == Array(sorted[range]))
            #expect(ranking[first] == sorted[first])
        }
        #expect(ranking[sorted.count..<sorted.count].isEmpty)
    }

    @Test("A ranking is read in order by keyset, rising and falling", arguments: [true, false])
    func keyset(isRising: Bool) {
        let (ranking, sorted) = Self.changed(5_000, changes: 9_000)
        var read: [Int32] = []
        var (cursor, isLast): (CatalogueCursor?, Bool) = (nil, false)
        while !isLast && read.count <= sorted.count {
            let page = ranking.page(
                after: cursor, isRising: isRising, limit: 100, breaksTies: true)
            read += page.0
            isLast = page.isLast
            cursor = read.last.map { ranking.cursor(of: $0) }
        }
        #expect(read == (isRising ? sorted : sorted.reversed()))
    }

    @Test("A ranking that lost all its items takes new ones")
    func emptied() {
        var ranking = Ranking([3], by: Self.key)
        ranking.remove(3)
        ranking.remove(3)
        #expect(ranking.count == 0 && ranking.numbers.isEmpty)
        ranking.insert(4)
        #expect(ranking.numbers == [4])
    }
}
