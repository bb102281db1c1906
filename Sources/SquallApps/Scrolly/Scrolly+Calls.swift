import SquallHTTP

/// What Scrolly alone sends: its headers, and queries with their names in alphabetical order, as
/// Alamofire writes them.
extension Scrolly: LSLPApp {
    static func headers(of call: AppCall<Scrolly>, from storage: AppStorage) -> HTTPHeaders {
        if call.isOpen {
            return ["SesacKey": Scrolly.key, "Content-Type": "application/json"]
        }
        var headers = storage.headers(key: Scrolly.key)
        if call.name == .refresh {
            headers.add(name: "Refresh", value: storage.refresh)
        } else if call.method == .post {
            headers.add(.contentType("application/json"))
        }
        return headers
    }
}

extension AppCall<Scrolly> {
    static func posts(limit: Int, productID: String) -> AppCall {
        AppCall(
            .posts, .get, "/v1/posts", query: ["limit": String(limit), "product_id": productID])
    }

    static func hashtags(
        next: String?, limit: Int, productID: String, hashTag: String
    ) -> AppCall {
        AppCall(
            .hashtags, .get, "/v1/posts/hashtags",
            query: [
                "hashTag": hashTag, "limit": String(limit), "next": next, "product_id": productID,
            ])
    }

    static func bookmarks(next: String?, limit: Int) -> AppCall {
        AppCall(
            .likedPosts, .get, "/v1/posts/likes-2/me",
            query: ["limit": String(limit), "next": next])
    }
}

/// The app's constants; their real values were never published, so these are ours.
extension Scrolly {
    static let key = LSLP.Key.scrolly
    static let novels = "novelInfo"
    static let episodes = "novelEpisode"
    static let waitingFree = "waitingFree"
    static let tabs = ["male", "female", "fantasy", "romance"]
    static let merchantPrefix = "scrolly_"
}
