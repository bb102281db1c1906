import SquallHTTP

/// The parts that Share.D alone sends: a JSON content type on every call, even without a body, and
/// lists of which only the questions have a second page.
///
/// UserDefaults are read when the request is built, later than the line of code that starts it: a
/// wipe on the next line comes first.
extension ShareD: LSLPApp {
    static let product = "선물용"

    static func headers(of call: AppCall<ShareD>, from storage: AppStorage) -> HTTPHeaders {
        var headers: HTTPHeaders = [
            "SesacKey": LSLP.Key.shareD, "Content-Type": "application/json",
        ]
        if !call.isOpen { headers.add(name: "Authorization", value: storage.access) }
        if call.name == .refresh { headers.add(name: "Refresh", value: storage.refresh) }
        return headers
    }
}

extension AppCall<ShareD> {
    /// The first page of the user's liked posts, with an empty limit.
    static var likedPosts: AppCall {
        AppCall(.likedPosts, .get, "/v1/posts/likes/me", query: ["next": "", "limit": ""])
    }

    static func posts(next: String) -> AppCall {
        AppCall(
            .posts, .get, "/v1/posts",
            query: ["next": next, "limit": "5", "product_id": ShareD.product])
    }

    static func ownPosts(userID: String) -> AppCall {
        AppCall(
            .ownPosts, .get, "/v1/posts/users/" + userID,
            query: ["next": "", "limit": "6", "product_id": ""])
    }

    static func createPost(_ question: ShareDQuestion) -> AppCall {
        AppCall(.createPost, .post, "/v1/posts", body: .json(question))
    }
}

/// A question about a product of the shop, as it is sent; the picture stays on its server.
struct ShareDQuestion: Encodable, Sendable {
    let title: String
    let price: Int
    let content: String
    /// The name of the mall.
    let content1: String
    /// Naver's number of the product.
    let content2: String
    let productID = ShareD.product
    /// The address of the product's picture, on another server.
    let files: [String]

    enum CodingKeys: String, CodingKey {
        case title, price, content, content1, content2, files
        case productID = "product_id"
    }
}
