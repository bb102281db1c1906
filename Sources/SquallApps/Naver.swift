import SquallClient
import SquallHTTP

/// A page of Naver's search, read by offset: another server, without tokens.
struct NaverSearch: TargetType {
    /// The kind of goods to search for.
    enum Kind: String, Sendable {
        case shop, book
    }

    let kind: Kind
    let words: String
    let display: Int
    /// The position of the first item, counted from 1.
    let start: Int
    /// The cursor of the page, in place of `start`: not Naver's, but our catalogue's own.
    var cursor: String?
    /// The order; the most relevant first when it is `nil`.
    var order: Order?

    /// An order in which items of equal rank are neighbours.
    enum Order: String, Sendable {
        /// Newest first.
        case newest = "date"
        /// Cheapest first.
        case cheapest = "asc"
    }

    var origin: String { "https://openapi.naver.com" }
    var path: String { "/v1/search/\(kind.rawValue).json" }

    var query: [(name: String, value: String?)] {
        let place = cursor.map { ("cursor", $0) } ?? ("start", String(start))
        return [("query", words), ("display", String(display)), place]
            + (order.map { [("sort", $0.rawValue)] } ?? [])
    }

    var headers: HTTPHeaders {
        ["X-Naver-Client-Id": "squall", "X-Naver-Client-Secret": "squall-secret"]
    }
}

/// The part of Naver's answer that the apps read.
struct NaverPage: Decodable, Sendable {
    let total: Int
    let items: [NaverItem]
}

/// Pages by offset, counted from 1, until as many items were read as there are.
struct NaverOrder: PageOrder {
    let start = 1

    func position(after page: NaverPage, at position: Int) -> Int? {
        let next = position + page.items.count
        return page.items.isEmpty || next > page.total ? nil : next
    }
}

/// A page by cursor, as our catalogue answers it.
struct NaverCursorPage: CursorPage {
    let items: [NaverItem]
    let nextCursor: String

    enum CodingKeys: String, CodingKey {
        case items
        case nextCursor = "next_cursor"
    }
}

/// A product or book; each kind has members that the other lacks.
struct NaverItem: Decodable, Sendable {
    /// May hold HTML tags.
    let title: String
    let image: String?
    let lprice: String?
    let mallName: String?
    let productId: String?
    let author: String?
    let isbn: String?
}
