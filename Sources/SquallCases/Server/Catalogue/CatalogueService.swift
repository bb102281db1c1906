public import SquallBackend
import SquallFormat
public import SquallHTTP
import SquallKernel

/// The external catalogue that apps ask beside their own server, on its own host and workers.
public final class CatalogueService: Service {
    /// `catalogue`, also in the names of its random streams.
    public let name = "catalogue"
    /// The real search's address.
    public let origins = CatalogueService.addresses
    /// Where it answers.
    static let addresses = ["https://openapi.naver.com"]
    /// A search for each kind of thing.
    public let endpoints = CatalogueService.calls
    private let shelves: CatalogueShelves
    private let plan: CataloguePlan
    private let serviceTime: RandomStream

    /// A catalogue as a plan wants it.
    init(_ plan: CataloguePlan, epoch: Epoch, randomness: RandomStream) {
        self.plan = plan
        shelves = CatalogueShelves(Catalogue(plan: plan, epoch: epoch, randomness: randomness))
        serviceTime = randomness.stream("catalogue.service")
    }

    static let calls = CatalogueKind.allCases.map { kind in
        EndpointDescription(
            kind == .shop ? "searchShop" : "searchBooks", .get, "/v1/search/\(kind.rawValue).json")
    }

    /// Its own workers: rows are read at once, and the response is sent when the time that they
    /// cost is over.
    public var workplace: Workplace {
        .own { [plan, serviceTime] scene, answer in
            let stream = serviceTime.stream(number: scene.streamKey)
            return plan.serviceTime.sample(stream, at: scene.ordinal)
                + Int64(answer.rowsScanned).clampedProduct(plan.nanosecondsPerRow)
        }
    }

    /// A page, or the reason why there is none.
    public func answer(
        _ request: URLRequest, to route: Route?, in scene: ServiceScene
    ) -> Answer {
        let kind = route.map { CatalogueKind.allCases[$0.row] }
        return shelves.catalogue.find(request, on: kind, at: scene.now, keeper: shelves)
    }

    /// The status and nothing else.
    public func answer(to error: ServiceError) -> Answer { Answer(status: error.usualStatus) }
}

/// Tells audits which items the catalogue holds.
private final class CatalogueShelves: ListKeeper, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    var catalogue: Catalogue

    init(_ catalogue: Catalogue) { self.catalogue = catalogue }

    func items(of list: ListID) -> [Int32] {
        guard let list = list.key as? CatalogueList else { return [] }
        return catalogue.items(on: list.kind)
    }
}

/// A shelf in one of its orders.
struct CatalogueList: Hashable, Sendable {
    let kind: CatalogueKind
    let sort: CatalogueSort
}

/// A catalogue's items, computed from their number and never kept.
struct CatalogueItems: Sendable {
    let kind: CatalogueKind
    private let stream: RandomStream

    init(_ kind: CatalogueKind, randomness: RandomStream) {
        self.kind = kind
        stream = randomness.stream(named: kind.rawValue)
    }

    /// How well an item fits any query; no two fit equally well.
    func relevance(_ number: Int32) -> UInt64 { item(number).bits(at: 0) }

    /// The price in won, a multiple of 500, so that many items cost the same.
    func price(_ number: Int32) -> Int { 500 * (2 + Int(item(number).integer(below: 200, at: 1))) }

    /// The day it appeared, counted from 1970; ten items a day.
    func day(_ number: Int32) -> Int { 19_600 + Int(number) / 10 }

    /// An item's members in a search's answer, with the searched words marked.
    func members(_ number: Int32, query: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.member("title", "\(title(number)) <b>\(query)</b> \(number)")
        writer.member("link", "https://example.test/\(kind.rawValue)/\(number)")
        writer.member("image", "https://example.test/\(kind.rawValue)/\(number).jpg")
        switch kind {
        case .shop: writeProduct(number, &writer)
        case .book: writeBook(number, &writer)
        }
        return writer.written
    }

    private func writeProduct(_ number: Int32, _ writer: inout JSONWriter) {
        writer.member("lprice", "\(price(number))")
        writer.member("hprice", "")
        writer.member("mallName", "상점\(item(number).integer(below: 40, at: 2))")
        writer.member("productId", identifier(number))
        writer.member("productType", "2")
        writer.member("brand", "")
        writer.member("maker", "")
        writer.member("category1", "생활/건강")
        writer.member("category2", "주방용품")
        writer.member("category3", "")
        writer.member("category4", "")
    }

    private func writeBook(_ number: Int32, _ writer: inout JSONWriter) {
        writer.member("author", "작가\(item(number).integer(below: 90, at: 2))")
        writer.member("discount", "\(price(number))")
        writer.member("publisher", "출판사\(item(number).integer(below: 30, at: 3))")
        writer.member("pubdate", CatalogueDate.compact(daysSince1970: day(number)))
        writer.member("isbn", "979\(identifier(number).dropFirst(1))")
        writer.member("description", "\(title(number))에 관한 책")
    }

    private func title(_ number: Int32) -> String {
        let words = ["따뜻한", "작은", "오래된", "새로운", "조용한", "빛나는", "푸른", "단단한"]
        return words[Int(item(number).integer(below: UInt64(words.count), at: 4))]
    }

    /// Eleven digits, as in the real catalogue.
    private func identifier(_ number: Int32) -> String { "\(80_000_000_000 + Int64(number))" }

    private func item(_ number: Int32) -> RandomStream { stream.stream(number: UInt64(number)) }
}

/// Dates as the catalogue spells them, in Korean time.
enum CatalogueDate {
    /// `Sun, 01 Sep 2024 09:00:00 +0900`.
    static func text(secondsSince1970: Int64) -> String {
        let seconds = secondsSince1970 + 9 * 3_600
        let spelled = Timestamp.text(milliseconds: seconds * 1_000)
        let day = CivilDate(daysSince1970: seconds / 86_400).spelled
        return "\(day) \(spelled.dropFirst(11).prefix(8)) +0900"
    }

    /// `20240901`.
    static func compact(daysSince1970 days: Int) -> String {
        let (year, month, day) = parts(Timestamp.text(milliseconds: Int64(days) * 86_400_000))
        return "\(year)\(month)\(day)"
    }

    private static func parts(_ text: String) -> (Substring, Substring, Substring) {
        (text.prefix(4), text.dropFirst(5).prefix(2), text.dropFirst(8).prefix(2))
    }
}
