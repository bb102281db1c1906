import SquallClient
import SquallHTTP

/// A search of Naver, read page by page: another server, without tokens.
enum NaverSearch {
    /// The kind of goods to search for.
    enum Kind: String, Sendable {
        case shop, book
    }

    /// An order in which items of equal rank are neighbours.
    enum Order: String, Sendable {
        /// Newest first.
        case newest = "date"
        /// Cheapest first.
        case cheapest = "asc"
    }

    /// A page that begins at `start`, counted from 1, or at a cursor, which is not Naver's but our
    /// catalogue's own; the most relevant items first when there is no order.
    static func page(
        _ kind: Kind, words: String, display: Int, start: Int, cursor: String? = nil,
        order: Order? = nil
    ) -> URLRequest {
        let query = String(query: [
            "query": words, "display": String(display), "cursor": cursor,
            "start": cursor == nil ? String(start) : nil, "sort": order?.rawValue,
        ])
        return URLRequest(
            url: WebURL(
                origin: "https://openapi.naver.com", path: "/v1/search/\(kind.rawValue).json",
                query: query),
            headers: ["X-Naver-Client-Id": "squall", "X-Naver-Client-Secret": "squall-secret"])
    }
}

/// The part of Naver's response that the apps read.
struct NaverPage: Decodable, Sendable {
    let total: Int
    let items: [NaverItem]
}

/// A page by cursor, as our catalogue sends it.
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
