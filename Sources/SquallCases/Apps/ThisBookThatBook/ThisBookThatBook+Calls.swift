import SquallHTTP

/// The parts that 이책저책 alone sends: its headers, lists of ten, and posts of five books.
///
/// The interceptor sets `Authorization` on calls that pass it.
extension ThisBookThatBook: LSLPApp {
    static func headers(
        of call: AppCall<ThisBookThatBook>, from storage: AppStorage
    ) -> HTTPHeaders {
        guard call.name != .plainFile else { return [:] }
        var headers: HTTPHeaders = [
            "SesacKey": LSLP.Key.thisBookThatBook, "Authorization": storage.access,
        ]
        if call.name == .refresh {
            headers.add(name: "Refresh", value: storage.refresh)
        } else if call.method == .post {
            headers.add(name: "Content-Type", value: "application/json")
        }
        return headers
    }
}

extension AppCall<ThisBookThatBook> {
    /// The first page has an empty cursor, not an absent one.
    static func posts(next: String, productID: String) -> AppCall {
        AppCall(
            .posts, .get, "/v1/posts",
            query: ["limit": "10", "next": next, "product_id": productID])
    }

    static func hashtags(next: String, hashTag: String) -> AppCall {
        AppCall(
            .hashtags, .get, "/v1/posts/hashtags",
            query: ["limit": "10", "next": next, "hashTag": hashTag])
    }

    static func createPost(_ draft: ThisBookDraft) -> AppCall {
        AppCall(.createPost, .post, "/v1/posts", body: .json(draft))
    }

    static func deletePost(id: String) -> AppCall {
        AppCall(.deletePost, .delete, "/v1/posts/" + id)
    }

    static func follow(userID: String) -> AppCall {
        AppCall(.follow, .post, "/v1/follow/" + userID)
    }

    static func unfollow(userID: String) -> AppCall {
        AppCall(.unfollow, .delete, "/v1/follow/" + userID)
    }

    /// A picture that is asked for without key and token.
    static func plainFile(_ file: StoredFile) -> AppCall { AppCall(.plainFile, .get, file.path) }
}

/// A post as it is sent: text, price, and five books; missing books are empty texts.
struct ThisBookDraft: Encodable, Sendable {
    let title = "tbtb_post"
    let productID: String
    let price: Int
    let content: String
    let books: [String]
    var files: [String] = []

    enum CodingKeys: String, CodingKey {
        case title, price, content, content1, content2, content3, content4, content5, files
        case productID = "product_id"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(title, forKey: .title)
        try container.encode(productID, forKey: .productID)
        try container.encode(price, forKey: .price)
        try container.encode(content, forKey: .content)
        try container.encode(files, forKey: .files)
        let keys: [CodingKeys] = [.content1, .content2, .content3, .content4, .content5]
        for (index, key) in keys.enumerated() {
            try container.encode(index < books.count ? books[index] : "", forKey: key)
        }
    }
}
