import SquallClient
import SquallHTTP

/// `GET posts/likes-2/me`; the answer is an empty page, since the user likes nothing.
struct SmallRequest: URLRequestConvertible {
    let token: String

    func asURLRequest() -> URLRequest {
        URLRequest(
            url: WebURL(origin: "http://localhost", path: "/v1/posts/likes-2/me", query: "limit=5"),
            headers: ["SesacKey": "scrolly-key", "Authorization": token])
    }
}
