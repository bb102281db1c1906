import Foundation
import SquallHTTP
import SquallKernel
import TestSupport
import Testing

import SquallBackend
@testable import SquallCases

@Suite("The external catalogue")
struct CatalogueTests {
    @Test("A search answers with Naver's members, ten items unless said otherwise")
    func shape() throws {
        let reader = CatalogueReader()
        let page = try reader.search("shop", "query=%EC%84%A0%EB%AC%BC").object()
        #expect(page["total"] as? Int == 1_000 && page["start"] as? Int == 1)
        #expect(page["display"] as? Int == 10)
        #expect(page["lastBuildDate"] as? String == "Sun, 01 Sep 2024 09:00:05 +0900")
        let items = try #require(page["items"] as? [[String: String]])
        #expect(items.count == 10 && items[0]["title"]?.contains("<b>선물</b>") == true)
        #expect(
            items[0].keys.sorted() == [
                "brand", "category1", "category2", "category3", "category4", "hprice", "image",
                "link", "lprice", "maker", "mallName", "productId", "productType", "title",
            ])
    }

    @Test("A book has the members that the book search gives it")
    func book() throws {
        let page = try CatalogueReader().search("book", "query=a&sort=date&display=1").object()
        let items = try #require(page["items"] as? [[String: String]])
        // Item 999 is the newest: ten a day from day 19 600, so of day 19 699. The year 2024 began
        // with day 19 723.
        #expect(items[0]["pubdate"] == "20231208")
        #expect(
            items[0].keys.sorted() == [
                "author", "description", "discount", "image", "isbn", "link", "pubdate",
                "publisher", "title",
            ])
    }

    @Test(
        "A wrong search is refused with its code, keys before path before parameters",
        arguments: [
            ("shop", "query=a&display=0", 400, "SE02"),
            ("shop", "query=a&display=101", 400, "SE02"),
            ("shop", "query=a&start=0", 400, "SE03"), ("shop", "query=a&start=1001", 400, "SE03"),
            ("shop", "query=a&sort=cheap", 400, "SE04"), ("book", "query=a&sort=asc", 400, "SE04"),
            ("shop", "query=", 400, "SE01"), ("shop", "display=0", 400, "SE01"),
            ("shop", "query=a&display=x&start=x", 400, "SE02"), ("films", "", 404, "SE05"),
        ])
    func refusals(kind: String, query: String, status: Int, code: String) throws {
        let answer = CatalogueReader().search(kind, query)
        #expect(answer.status == status)
        #expect(try answer.object()["errorCode"] as? String == code)
        let stranger = CatalogueReader(keys: [:]).search(kind, query)
        #expect(try stranger.object()["errorCode"] as? String == "024" && stranger.status == 401)
    }

    @Test(
        "An offset is scanned row by row, to the end of the shelf at most",
        arguments: [(1, 10, 10), (11, 10, 20), (901, 100, 1_000), (1_000, 100, 1_000)])
    func offsetCost(start: Int, display: Int, rows: Int) {
        let reader = CatalogueReader()
        _ = reader.search("shop", "query=a&start=\(start)&display=\(display)")
        #expect(reader.rowsScanned == rows)
    }

    @Test("Prices rise, fall, and days fall, in the orders that say so")
    func orders() throws {
        let reader = CatalogueReader()
        let prices = try ["asc", "dsc"].map { sort in
            try reader.items("shop", "query=a&display=100&sort=\(sort)")
                .compactMap { Int($0["lprice"] ?? "") }
        }
        #expect(prices[0] == prices[0].sorted() && prices[1] == prices[1].sorted().reversed())
        let days = try reader.items("book", "query=a&display=100&sort=date")
            .compactMap { $0["pubdate"] }
        #expect(days == days.sorted().reversed() && days.count == 100)
    }

    @Test("Items are added and taken away as virtual time passes")
    func changes() throws {
        var plan = CataloguePlan()
        plan.insertGap = .constant(nanoseconds: 1_000_000_000)
        plan.removalGap = .constant(nanoseconds: 4_000_000_000)
        let reader = CatalogueReader(plan: plan)
        reader.now = Instant(nanoseconds: 20_000_000_000)
        // Twenty came and five went.
        #expect(try reader.search("shop", "query=a").object()["total"] as? Int == 1_015)
    }
}

/// Somebody with keys who searches a catalogue.
final class CatalogueReader {
    var catalogue: Catalogue
    private let router = Router(CatalogueService.calls)
    var now = Instant(nanoseconds: 5_000_000_000)
    private(set) var rowsScanned = 0
    private let keys: [String: String]

    init(
        plan: CataloguePlan = CataloguePlan(), seed: UInt64 = 1,
        keys: [String: String] = ["X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"]
    ) {
        catalogue = Catalogue(plan: plan, randomness: RandomStream(seed: seed))
        self.keys = keys
    }

    func search(_ kind: String, _ query: String) -> Answer {
        var request = URLRequest(
            url: WebURL(
                origin: "https://openapi.naver.com", path: "/v1/search/\(kind).json", query: query))
        for (name, value) in keys { request.setValue(value, forHTTPHeaderField: name) }
        let answer = catalogue.find(
            request, on: router.route(request).map { CatalogueKind.allCases[$0.row] }, at: now)
        rowsScanned = answer.rowsScanned
        return answer
    }

    func items(_ kind: String, _ query: String) throws -> [[String: String]] {
        try search(kind, query).object()["items"] as? [[String: String]] ?? []
    }
}
