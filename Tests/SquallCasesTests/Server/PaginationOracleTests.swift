import SquallHTTP
import SquallKernel
import TestSupport
import Testing

import SquallBackend
@testable import SquallCases

/// A reader of fifty pages of twenty, newest first, while others write.
@Suite("Pagination under concurrent writes")
struct PaginationOracleTests {
    private static let pages = 50
    private static let pageSize = 20

    @Test(
        "Paging misses and repeats no item without concurrent writes",
        arguments: 1...5 as ClosedRange<UInt64>
    )
    func quiet(seed: UInt64) throws {
        for way in Feed.Way.allCases {
            let seen = try Feed(items: 1_000, seed: seed).read(by: way)
            #expect(seen.count == 1_000 && Set(seen).count == 1_000)
        }
    }

    @Test(
        "By offset, w insertions between fetches show w(P − 1) items twice",
        arguments: [(1, 49), (3, 147), (10, 490)], [1, 2, 3] as [UInt64])
    func insertions(inserts: (between: Int, duplicates: Int), seed: UInt64) throws {
        let seen = try Feed(items: 1_000, seed: seed).read(by: .offset) { shelf, _ in
            for _ in 0..<inserts.between { shelf.insert() }
        }
        #expect(seen.count - Set(seen).count == inserts.duplicates)
    }

    @Test(
        "By offset, d deletions of what was read hide d(P − 1) items that exist throughout",
        arguments: [1, 2, 3], [1, 2, 3] as [UInt64])
    func deletions(between: Int, seed: UInt64) throws {
        var deleted = 0
        let seen = try Feed(items: 2_000, seed: seed).read(by: .offset) { shelf, seen in
            for _ in 0..<between {
                shelf.remove(seen[deleted])
                deleted += 1
            }
        }
        let hidden = Set(try #require(seen.min())...1_999).subtracting(seen)
        #expect(hidden.count == between * (PaginationOracleTests.pages - 1))
        #expect(Set(seen).count == seen.count)
    }

    @Test(
        "By cursor, random insertions and deletions repeat nothing and hide nothing that stays",
        arguments: 1...20 as ClosedRange<UInt64>)
    func cursor(seed: UInt64) throws {
        let stream = RandomStream(seed: seed).stream("writes")
        var (removed, draws): (Set<Int32>, UInt64) = ([], 0)
        let seen = try Feed(items: 1_000, seed: seed).read(by: .cursor) { shelf, _ in
            for _ in 0..<5 {
                shelf.insert()
                let number = Int32(stream.integer(below: 1_000, at: draws))
                draws += 1
                shelf.remove(number)
                removed.insert(number)
            }
        }
        let stayed = Set(0..<Int32(1_000)).subtracting(removed)
        #expect(Set(seen).count == seen.count)
        #expect(stayed.subtracting(seen).isEmpty && stayed.count < 1_000)
    }

    @Test(
        "A keyset without a tie-breaker skips the rest of each tie", arguments: [1, 2] as [UInt64])
    func keysetTies(seed: UInt64) throws {
        // Ten items a day and pages of fifteen: each page ends within a day, whose rest is skipped.
        let seen = try Feed(items: 1_000, seed: seed, breaksTies: false)
            .read(by: .cursor, pageSize: 15)
        #expect(seen.count == 750 && Set(seen).count == 750)
        #expect(try Feed(items: 1_000, seed: seed).read(by: .cursor, pageSize: 15).count == 1_000)
    }

    @Test(
        "The server's own pages repeat nothing and hide nothing that stays, whoever writes",
        arguments: 1...10 as ClosedRange<UInt64>)
    func serverFeed(seed: UInt64) throws {
        let server = TestServer()
        let before = try server.feed(limit: 50)
        let stream = RandomStream(seed: seed).stream("writes")
        var (removed, draws): (Set<String>, UInt64) = ([], 0)
        let seen = try server.feed(limit: 10) {
            let id = before[Int(stream.integer(below: UInt64(before.count), at: draws))]
            draws += 1
            if server.send(.delete, "/v1/posts/\(id)").status == 200 { removed.insert(id) }
            let post = #"{"content":"new","product_id":"novelEpisode"}"#
            #expect(server.send(.post, "/v1/posts", body: post).status == 200)
        }
        #expect(Set(seen).count == seen.count && removed.count > 10)
        #expect(Set(before).subtracting(removed).subtracting(seen).isEmpty)
    }

    @Test(
        "By offset, equal prices without a tie-breaker change places between pages",
        arguments: [1, 2, 3] as [UInt64])
    func offsetTies(seed: UInt64) throws {
        let whole = try Feed(items: 1_000, seed: seed).read(by: .offset, sort: "asc")
        let torn = try Feed(items: 1_000, seed: seed, breaksTies: false)
            .read(by: .offset, sort: "asc")
        #expect(Set(whole).count == 1_000)
        #expect(torn.count == 1_000 && Set(torn).count < 1_000)
    }

    @Test("A cursor's page costs its items at any depth, an offset's page all rows before it")
    func cost() throws {
        let feed = Feed(items: 1_000, seed: 1)
        _ = try feed.read(by: .offset)
        #expect(feed.rowsScanned == 20 * 50 * 51 / 2)
        _ = try feed.read(by: .cursor)
        #expect(feed.rowsScanned == 1_000)
    }
}

/// The catalogue as a feed that can be read in two ways.
private final class Feed {
    enum Way: CaseIterable {
        case offset, cursor
    }

    private(set) var rowsScanned = 0
    private let reader: CatalogueReader

    init(items: Int, seed: UInt64, breaksTies: Bool = true) {
        var plan = CataloguePlan()
        plan.items = items
        plan.breaksTies = breaksTies
        reader = CatalogueReader(plan: plan, seed: seed)
    }

    /// The numbers of all items of up to fifty pages, as their identifiers tell them; somebody
    /// writes between two fetches.
    func read(
        by way: Way, sort: String = "date", pageSize: Int = 20,
        between: (inout Shelf, [Int32]) -> Void = { _, _ in }
    ) throws -> [Int32] {
        var (seen, cursor): ([Int32], String) = ([], "0")
        rowsScanned = 0
        for page in 0..<(way == .offset ? 50 : 100) {
            if page > 0 { reader.catalogue.change(.shop) { between(&$0, seen) } }
            let place = way == .offset ? "start=\(page * pageSize + 1)" : "cursor=\(cursor)"
            let answer = try reader.search(
                "shop", "query=a&sort=\(sort)&display=\(pageSize)&\(place)"
            ).object()
            rowsScanned += reader.rowsScanned
            let items = answer["items"] as? [[String: String]] ?? []
            seen += items.compactMap { Int64($0["productId"] ?? "") }.map {
                Int32($0 - 80_000_000_000)
            }
            cursor = answer["next_cursor"] as? String ?? "0"
            if way == .cursor && cursor == "0" { break }
        }
        return seen
    }
}

extension TestServer {
    /// The identifiers of all episodes, page by page; somebody writes between two fetches.
    fileprivate func feed(limit: Int, between: () throws -> Void = {}) throws -> [String] {
        var (seen, cursor): ([String], String) = ([], "")
        for page in 0..<200 where cursor != "0" {
            if page > 0 { try between() }
            let answer = try send(
                .get, "/v1/posts?product_id=novelEpisode&limit=\(limit)&next=\(cursor)"
            ).object()
            let posts = answer["data"] as? [[String: Any]] ?? []
            seen += posts.compactMap { $0["post_id"] as? String }
            cursor = answer["next_cursor"] as? String ?? "0"
        }
        return seen
    }
}
