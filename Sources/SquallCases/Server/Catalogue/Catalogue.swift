import SquallBackend
import SquallHTTP
import SquallKernel

/// What a catalogue can be searched for.
enum CatalogueKind: String, CaseIterable {
    /// `GET /v1/search/shop.json`.
    case shop
    /// `GET /v1/search/book.json`.
    case book

    /// The orders it offers; books have no order by price.
    func offers(_ sort: CatalogueSort) -> Bool { self == .shop || sort == .sim || sort == .date }
}

/// The external search that apps ask beside their own server: Naver's shop and book search.
///
/// Its pages are offsets: `start` counts items from 1 to 1000, unless the plan raises that, and
/// `display` is 1 to 100. Any query finds everything, in one order; any client identifier and
/// secret are accepted. Shape, limits and errors are those of the public API (developers.naver.com,
/// search); its items are made up.
///
/// `cursor` is an addition that the public API lacks: the same shelf by keyset, to compare with the
/// offset. It begins with `0` and each response's `next_cursor` goes on.
struct Catalogue {
    private static let displayMax = 100
    private static let defaultDisplay = 10

    private let plan: CataloguePlan
    private let epoch: Epoch
    private let randomness: RandomStream
    private var shelves: [CatalogueKind: Shelf] = [:]
    private var searches: UInt64 = 0
    /// Items as they were written lately; emptied when there are too many.
    private var written: [Search: [Int32: [UInt8]]] = [:]
    private var writtenCount = 0
    private static let writtenMax = 5_000

    private struct Search: Hashable {
        let kind: CatalogueKind
        let query: String
    }

    private struct Window {
        var query = ""
        var start = 1
        var display = Catalogue.defaultDisplay
        var sort = CatalogueSort.sim
        var reading = Reading.offset

        /// False for a page that a search reached by an offset or a cursor behind others.
        var isFirst: Bool {
            switch reading {
            case .offset: start == 1
            case .keyset(let cursor): cursor == nil
            }
        }

        var paging: ListPage.Paging {
            if case .offset = reading { .offset } else { .cursor }
        }
    }

    /// How a page is found.
    private enum Reading {
        case offset
        /// After a position, or from the beginning.
        case keyset(CatalogueCursor?)
    }

    init(plan: CataloguePlan, epoch: Epoch = .standard, randomness: RandomStream) {
        self.plan = plan
        self.epoch = epoch
        self.randomness = randomness.stream("catalogue")
    }

    /// Responds to a search: the client's keys first, then the path, then each parameter in its
    /// order.
    mutating func find(
        _ request: URLRequest, on kind: CatalogueKind?, at now: Instant,
        keeper: (any ListKeeper)? = nil
    ) -> Answer {
        do throws(CatalogueRefusal) {
            try authenticate(request)
            guard let kind else { throw .unknownSearch }
            let window = try window(of: Query(request.url.query), kind)
            return find(window, on: kind, at: now, keeper)
        } catch {
            return error.answer
        }
    }

    /// Changes the shelf of a kind between two searches, as other users of the catalogue would.
    mutating func change(_ kind: CatalogueKind, _ body: (inout Shelf) -> Void) {
        // Taken out while it changes, so that its lists are not copied.
        var shelf = shelves.removeValue(forKey: kind) ?? filledShelf(kind)
        body(&shelf)
        shelves[kind] = shelf
    }

    /// The items on a shelf; none before its first search.
    func items(on kind: CatalogueKind) -> [Int32] { shelves[kind]?.items ?? [] }

    private mutating func find(
        _ window: Window, on kind: CatalogueKind, at now: Instant, _ keeper: (any ListKeeper)?
    ) -> Answer {
        searches += 1
        let search = searches
        var page = Shelf.Page()
        var total = 0
        change(kind) { shelf in
            shelf.advance(to: now)
            total = shelf.count
            switch window.reading {
            case .offset:
                page = shelf.page(
                    window.sort, start: window.start, display: window.display, search: search)
            case .keyset(let cursor):
                page = shelf.page(window.sort, after: cursor, display: window.display)
            }
        }
        var answer = Answer.ok(body(of: page, window, kind, total: total, at: now))
        answer.page = ListPage(
            of: ListID(CatalogueList(kind: kind, sort: window.sort), keptBy: keeper),
            by: window.paging, isFirst: window.isFirst,
            isLast: page.isLast, items: page.numbers, itemsEver: page.itemsEver,
            rowsScanned: page.rowsScanned)
        return answer
    }

    /// The members of a page's items, each written once for each search.
    private mutating func members(
        of page: Shelf.Page, query: String, _ kind: CatalogueKind
    ) -> [[UInt8]] {
        let items = CatalogueItems(kind, randomness: randomness)
        if writtenCount >= Catalogue.writtenMax { (written, writtenCount) = ([:], 0) }
        let search = Search(kind: kind, query: query)
        // Taken out while it changes, so that it is not copied.
        var known = written.removeValue(forKey: search) ?? [:]
        defer { written[search] = known }
        return page.numbers.map { number in
            if let members = known[number] { return members }
            let members = items.members(number, query: query)
            known[number] = members
            writtenCount += 1
            return members
        }
    }

    private mutating func body(
        of page: Shelf.Page, _ window: Window, _ kind: CatalogueKind, total: Int, at now: Instant
    ) -> Body {
        let items = members(of: page, query: window.query, kind)
        var writer = JSONWriter()
        writer.object { writer in
            writer.member(
                "lastBuildDate", CatalogueDate.text(secondsSince1970: epoch.seconds(at: now)))
            writer.member("total", total)
            writer.member("start", window.start)
            writer.member("display", page.numbers.count)
            writer.member(
                "items",
                array: { list in for item in items { list.object { $0.members(item) } } })
            if case .keyset = window.reading {
                writer.member("next_cursor", page.next?.text ?? "0")
            }
        }
        return writer.body
    }

    /// Fills a shelf at its first use.
    private func filledShelf(_ kind: CatalogueKind) -> Shelf {
        Shelf(
            CatalogueItems(kind, randomness: randomness), plan: plan,
            randomness: randomness.stream(named: "shelf." + kind.rawValue))
    }

    private func authenticate(_ request: URLRequest) throws(CatalogueRefusal) {
        for name in ["X-Naver-Client-Id", "X-Naver-Client-Secret"] {
            guard request.value(forHTTPHeaderField: name)?.isEmpty == false else {
                throw .authenticationFailed
            }
        }
    }

    private func window(
        of query: Query, _ kind: CatalogueKind
    ) throws(CatalogueRefusal) -> Window {
        guard let words = query["query"] else { throw .missingQuery }
        var window = Window(query: words)
        if let display = query["display"] {
            guard let number = Int(display), (1...Catalogue.displayMax).contains(number) else {
                throw .invalidDisplay
            }
            window.display = number
        }
        if let start = query["start"] {
            guard let number = Int(start), (1...plan.startMax).contains(number) else {
                throw .invalidStart
            }
            window.start = number
        }
        if let sort = query["sort"] {
            guard let known = CatalogueSort(rawValue: sort), kind.offers(known) else {
                throw .invalidSort
            }
            window.sort = known
        }
        if let text = query["cursor"] {
            let cursor = CatalogueCursor(text: text)
            guard cursor != nil || text == "0" else { throw .invalidStart }
            window.reading = .keyset(cursor)
        }
        return window
    }
}

/// The reasons for which a search is refused, each a status and a code of the public API.
enum CatalogueRefusal: Error, CaseIterable {
    case authenticationFailed, unknownSearch, missingQuery, invalidDisplay, invalidStart
    case invalidSort

    private var facts: (status: Int, code: String, message: String) {
        switch self {
        case .authenticationFailed:
            (
                401, "024",
                "NID AUTH Result Invalid (1000) : Authentication failed. (인증에 실패했습니다.)"
            )
        case .unknownSearch: (404, "SE05", "Invalid search api (존재하지 않는 검색 api 입니다.)")
        case .missingQuery: (400, "SE01", "Incorrect query request (잘못된 쿼리요청입니다.)")
        case .invalidDisplay: (400, "SE02", "Invalid display value (부적절한 display 값입니다.)")
        case .invalidStart: (400, "SE03", "Invalid start value (부적절한 start 값입니다.)")
        case .invalidSort: (400, "SE04", "Invalid sort value (부적절한 sort 값입니다.)")
        }
    }

    var answer: Answer {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("errorMessage", facts.message)
            writer.member("errorCode", facts.code)
        }
        return Answer(status: facts.status, body: writer.body)
    }
}
