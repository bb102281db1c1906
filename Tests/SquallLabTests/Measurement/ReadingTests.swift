import SquallHTTP
import SquallKernel
import SquallReport
import Testing

@testable import SquallBackend
@testable import SquallLab

@Suite("Readings of lists")
struct ReadingTests {
    private static let shelf = ListID("shelf")

    private static func page(
        _ items: [Int32], by paging: ListPage.Paging = .offset, isFirst: Bool = false,
        isLast: Bool = false, rows: Int = 0
    ) -> ListPage {
        ListPage(
            of: shelf, by: paging, isFirst: isFirst, isLast: isLast, items: items, itemsEver: 6,
            rowsScanned: rows)
    }

    /// A ledger with one reading, a page a second from the first second on.
    private static func row(
        _ pages: [ListPage], standing: [Int32] = [0, 1, 2, 3, 4, 5]
    ) throws -> ReadingRow? {
        let first = try #require(pages.first)
        let reading = Reading(
            first, Endpoint("searchShop", number: 0), began: 0, firstPage: 1_000_000_000)
        for (index, page) in pages.enumerated().dropFirst() {
            let second = Int64(index) * 1_000_000_000
            reading.add(page, askedAt: second, at: second + 1_000_000_000)
        }
        var ledger = ReadingLedger()
        ledger.close(reading, of: 0) { _, _ in standing }
        return ledger.rows(of: [
            MeasuredPopulation(name: "p", app: "a", design: "d", users: 0..<1, journeys: [])
        ]).first
    }

    @Test("An item added before the second page is met twice, and nothing is missed")
    func inserted() throws {
        let row = try #require(
            try Self.row([
                Self.page([5, 4, 3], isFirst: true, rows: 3),
                Self.page([3, 2, 1], rows: 6), Self.page([0], isLast: true, rows: 7),
            ]))
        #expect(row.counts.pages == 3 && row.counts.items == 7)
        #expect(row.counts.repeated == 1 && row.counts.missed == 0)
        #expect(
            row.paging == "offset" && row.pagesPerSecond == 1 && row.depths[0].rowsScanned == 16)
        #expect(
            row.firstPageNanoseconds.maximum == 1_000_000_000
                && row.endNanoseconds.maximum == 3_000_000_000)
        #expect(row.depths[0].meanPageNanoseconds == 1_000_000_000)
        #expect(row.depths.map(\.pages) == [3, 0, 0, 0, 0])
    }

    @Test("An item removed before the second page hides another; it was there and is missed")
    func removed() throws {
        // 5 goes away, so that the second page begins with 1 and 2 is never shown.
        let pages = [
            Self.page([5, 4, 3], isFirst: true), Self.page([1, 0], isLast: true),
        ]
        let row = try #require(try Self.row(pages, standing: [0, 1, 2, 3, 4]))
        #expect(row.counts.repeated == 0 && row.counts.missed == 1)
    }

    @Test("A reading that is given up has no end, and misses nothing")
    func givenUp() throws {
        let row = try #require(
            try Self.row([Self.page([5, 4], isFirst: true), Self.page([3, 2])]))
        #expect(row.counts.readings == 1 && row.endNanoseconds.count == 0 && row.counts.missed == 0)
    }

    @Test("A reading goes on with later pages of its own list in its own paging, and no others")
    func next() {
        let reading = Reading(
            Self.page([5], isFirst: true), Endpoint("searchShop", number: 0), began: 0,
            firstPage: 1)
        #expect(reading.goesOn(with: Self.page([4])))
        #expect(!reading.goesOn(with: Self.page([4], isFirst: true)))
        #expect(!reading.goesOn(with: Self.page([4], by: .cursor)))
        let other = ListPage(
            of: ListID("other"), by: .offset, isFirst: false, isLast: false, items: [4],
            itemsEver: 6, rowsScanned: 0)
        #expect(!reading.goesOn(with: other))
    }

    @Test("A list of a single page is no reading")
    func single() throws {
        #expect(try Self.row([Self.page([5, 4], isFirst: true, isLast: true)]) == nil)
    }

    @Test(
        "Pages belong to the depth that their reader has got to",
        arguments: [(0, 0), (99, 0), (100, 1), (9_999, 2), (10_000, 3), (100_000, 4)])
    func depths(items: Int, position: Int) {
        #expect(DepthRow.position(ofDepth: items) == position)
    }

    /// What somebody finds who reads a shop in an order, by offset; ten items have a day each, so
    /// that a page does not begin where a day does, and about two have a price.
    private static func shop(
        _ journey: String, _ catalogue: String, items: Int = 105
    ) throws -> ReadingRow {
        let test = try TestWorld(
            app: "shareD", journeys: #"{"\#(journey)": 1}"#,
            backend: #"{"catalogue": {"items": \#(items), \#(catalogue)}}"#, users: 4)
        let all = test.world.recorder.readings.rows(of: test.world.recorder.run.populations)
        return try #require(all.first)
    }

    @Test(
        "Where nothing breaks ties, sorted pages of a list that stands still repeat and skip",
        arguments: [("shopByPrice", 205), ("shopNewest", 105)])
    func ties(journey: String, items: Int) throws {
        let mixed = try Self.shop(journey, #""breaksTies": false"#, items: items)
        #expect(mixed.counts.repeated > 0 && mixed.counts.missed == mixed.counts.repeated)
        let kept = try Self.shop(journey, #""breaksTies": true"#, items: items)
        #expect(
            kept.counts.repeated == 0 && kept.counts.missed == 0
                && kept.counts.readings == mixed.counts.readings)
    }

    @Test("An item added while a list is read newest first moves each page by one")
    func newest() throws {
        let added = try Self.shop("shopNewest", #""insertGap": "2s""#)
        // Each item that is added between two pages shows the reader one that he had seen.
        #expect(added.counts.repeated > 0 && added.counts.missed == 0)
        let cheapest = try Self.shop("shopByPrice", #""insertGap": "2s""#)
        #expect(cheapest.counts.repeated < added.counts.repeated)
    }

    @Test(
        "A list of a hundred is read to its end; an offset's page costs all rows before it",
        arguments: [
            ("communityToEnd", "cursor", 20, 100), ("shopByCursor", "cursor", 10, 100),
            ("shopToEnd", "offset", 10, 550), ("shopNewest", "offset", 10, 550),
            ("shopByPrice", "offset", 10, 550),
        ] as [(String, String, Int64, Int64)])
    func world(journey: String, paging: String, pages: Int64, rows: Int64) throws {
        let test = try TestWorld(
            app: "shareD", journeys: #"{"\#(journey)": 1}"#,
            backend: #"{"content": {"giftQuestions": 100}, "catalogue": {"items": 100}}"#, users: 3)
        let all = test.world.recorder.readings.rows(of: test.world.recorder.run.populations)
        let row = try #require(all.first)
        let whole = row.counts.readings
        #expect(
            all.count == 1 && row.paging == paging && whole > 3
                && row.endNanoseconds.count == whole)
        #expect(row.counts.pages == whole * pages && row.counts.items == whole * 100)
        #expect(row.depths[0].rowsScanned == whole * rows)
        #expect(row.counts.repeated == 0 && row.counts.missed == 0)
    }

    @Test("Two lists that a step reads side by side are two readings, however each is paged")
    func sideBySide() {
        func page(_ list: ListID, _ paging: ListPage.Paging, _ item: Int32, of count: Int32)
            -> ListPage
        {
            ListPage(
                of: list, by: paging, isFirst: item == 0, isLast: item == count - 1, items: [item],
                itemsEver: 6, rowsScanned: 1)
        }
        let run = MeasuredRun(
            simulation: Simulation(),
            populations: [
                MeasuredPopulation(
                    name: "p", app: "a", design: "d", users: 0..<1,
                    journeys: [.init("read", steps: ["open"])])
            ],
            intervals: Intervals(timelineNanoseconds: 1_000_000_000, durationNanoseconds: 1))
        let recorder = Recorder(run)
        recorder.stepBegan(user: 0, ordinal: 0, step: .step(0, ofJourney: 0))
        let other = ListID("other")
        let pages = [
            page(Self.shelf, .offset, 0, of: 3), page(other, .offset, 0, of: 2),
            page(Self.shelf, .cursor, 0, of: 2), page(Self.shelf, .offset, 1, of: 3),
            page(other, .offset, 1, of: 2), page(Self.shelf, .cursor, 1, of: 2),
            page(Self.shelf, .offset, 2, of: 3),
        ]
        for (number, page) in pages.enumerated() {
            let cause = RequestCause(user: 0, request: UInt32(number))
            let endpoint = Endpoint("shelf", number: 1)
            recorder.attemptTaken(cause, endpoint)
            recorder.exchangeEnded(
                ExchangeRecord(
                    cause: cause, endpoint: endpoint, outcome: .status(200), meaning: .success,
                    handedOver: .start, sent: .start, ended: .start, bytes: 0, page: page,
                    tokenGeneration: nil))
        }
        let rows = recorder.readings.rows(of: recorder.run.populations)
        #expect(rows.reduce(0) { $0 + $1.counts.readings } == 3)
        #expect(rows.reduce(0) { $0 + $1.counts.pages } == 7)
        func timed(_ paging: String) -> Int64? {
            let key = MetricKey(.pageDuration, [.paging: paging, .depth: "0"])
            guard case .trend(let times) = recorder.metrics.value(of: key) else { return nil }
            return times.count
        }
        #expect(timed("offset") == 5 && timed("cursor") == 2)
        for metric in [Metric.itemsMissed, .itemsRepeated] {
            let value = recorder.metrics.value(of: MetricKey(metric, [.paging: "offset"]))
            #expect(
                value?.count?.all
                    == rows.filter { $0.paging == "offset" }.reduce(0) {
                        $0 + (metric == .itemsMissed ? $1.counts.missed : $1.counts.repeated)
                    })
        }
    }
}
