import Foundation
import SquallClient
import SquallHTTP

/// One call of an app: a row of the table of calls.
///
/// Here are the rows that several apps have in common; those of one app stand beside its headers,
/// in its file of calls.
struct AppCall<App>: Sendable {
    let name: CallName
    let method: HTTPMethod
    /// The path, percent-encoded.
    let path: String
    let query: String?
    let body: Body

    init(
        _ name: CallName, _ method: HTTPMethod, _ path: String,
        query: KeyValuePairs<String, String?>? = nil, body: Body = .empty
    ) {
        (self.name, self.method, self.path) = (name, method, path)
        (self.query, self.body) = (query.map(String.init(query:)), body)
    }

    /// True for the calls that are made before a sign-in, without a token.
    var isOpen: Bool { name == .login || name == .join || name == .validateEmail }
}

/// The purpose of a call, by which apps choose its headers and name its errors.
enum CallName: Sendable {
    case join, validateEmail, login, refresh, withdraw, myProfile, editProfile
    case posts, hashtags, ownPosts, likedPosts, post, createPost, deletePost
    case uploadFiles, file, plainFile, like, bookmark, comment, deleteComment
    case follow, unfollow, payment
}

/// The calls that several apps make of the server of 2024.
extension AppCall where App: LSLPApp {
    static var refresh: AppCall { AppCall(.refresh, .get, "/v1/auth/refresh") }
    static var withdraw: AppCall { AppCall(.withdraw, .get, "/v1/users/withdraw") }
    static var myProfile: AppCall { AppCall(.myProfile, .get, "/v1/users/me/profile") }
    static var editProfile: AppCall { AppCall(.editProfile, .put, "/v1/users/me/profile") }
    static var uploadFiles: AppCall { AppCall(.uploadFiles, .post, "/v1/posts/files") }

    static func login(email: String, password: String) -> AppCall {
        AppCall(
            .login, .post, "/v1/users/login", body: .json(["email": email, "password": password]))
    }

    static func join(_ account: [String: String]) -> AppCall {
        AppCall(.join, .post, "/v1/users/join", body: .json(account))
    }

    static func validateEmail(_ email: String) -> AppCall {
        AppCall(.validateEmail, .post, "/v1/validation/email", body: .json(["email": email]))
    }

    static func post(id: String) -> AppCall {
        AppCall(.post, .get, String(joining: "/v1/posts/", id))
    }

    static func file(path: String) -> AppCall {
        AppCall(.file, .get, String(joining: "/v1/", path))
    }

    static func like(postID: String, _ status: Bool) -> AppCall {
        AppCall(
            .like, .post, String(joining: "/v1/posts/", postID, "/like"),
            body: .json(["like_status": status]))
    }

    /// The second kind of like.
    static func bookmark(postID: String, _ status: Bool) -> AppCall {
        AppCall(
            .bookmark, .post, String(joining: "/v1/posts/", postID, "/like-2"),
            body: .json(["like_status": status]))
    }

    static func comment(postID: String, content: String) -> AppCall {
        AppCall(
            .comment, .post, String(joining: "/v1/posts/", postID, "/comments"),
            body: .json(["content": content]))
    }

    static func deleteComment(postID: String, commentID: String) -> AppCall {
        AppCall(
            .deleteComment, .delete, String(joining: "/v1/posts/", postID, "/comments/", commentID))
    }

    static func payment(impUID: String, postID: String) -> AppCall {
        let body = Body.json(["imp_uid": impUID, "post_id": postID])
        return AppCall(.payment, .post, "/v1/payments/validation", body: body)
    }
}

extension Body {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        // Foundation's order of keys differs from process to process.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    /// A value of texts, numbers and lists as JSON with sorted keys.
    static func json(_ value: some Encodable) -> Body {
        guard let data = try? encoder.encode(value) else {
            preconditionFailure("the body of a call must be JSON, got \(value)")
        }
        return Body([UInt8](data))
    }
}

extension String {
    /// A query with its pairs in this order and percent-encoded values; absent ones are left out.
    ///
    /// Written into one buffer: joining piece by piece took 3 % of a request's instructions.
    init(query pairs: KeyValuePairs<String, String?>) {
        let capacity = pairs.reduce(0) {
            $0 + $1.key.utf8.count + 3 * ($1.value?.utf8.count ?? 0) + 2
        }
        self.init(unsafeUninitializedCapacity: capacity) { buffer in
            var end = 0
            func write(_ text: String) {
                var text = text
                text.withUTF8 { bytes in
                    _ = UnsafeMutableBufferPointer(rebasing: buffer[end...])
                        .initialize(fromContentsOf: bytes)
                    end += bytes.count
                }
            }
            for case (let name, let value?) in pairs {
                if end > 0 { write("&") }
                write(name)
                write("=")
                write(
                    value.isUnreserved ? value : value.percentEncoded(allowing: \.isUnreservedInURL)
                )
            }
            return end
        }
    }

    /// True if nothing in it needs percent-encoding, as of nearly every value.
    private var isUnreserved: Bool {
        var text = self
        return text.withUTF8 { $0.allSatisfy { $0.isUnreservedInURL } }
    }
}
