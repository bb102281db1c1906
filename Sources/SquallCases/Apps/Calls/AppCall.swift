import Foundation
import SquallHTTP

/// One call of an app: a row of the table of calls.
///
/// Here are the rows that several apps have in common; those of one app stand beside its headers,
/// in its file of calls.
struct AppCall<App>: Sendable {
    let content: CallContent

    init(_ content: CallContent) { self.content = content }

    init(
        _ name: CallName, _ method: HTTPMethod, _ path: String,
        query: KeyValuePairs<String, String?>? = nil, body: Body = .empty
    ) {
        self.init(CallContent(name, method, path, query: query.map(String.init(query:)), body))
    }

    var name: CallName { content.name }
    var method: HTTPMethod { content.method }
    var path: String { content.path }
    var query: String? { content.query }
    var body: Body { content.body }

    /// True for the calls that are made before a sign-in, without a token.
    var isOpen: Bool { name == .login || name == .join || name == .validateEmail }
}

/// What a call consists of, whichever app makes it: screens make the same calls again and again,
/// and a file brings its own.
final class CallContent: Sendable {
    let name: CallName
    let method: HTTPMethod
    /// The path, percent-encoded.
    let path: String
    let query: String?
    let body: Body

    init(
        _ name: CallName, _ method: HTTPMethod, _ path: String, query: String? = nil,
        _ body: Body = .empty
    ) {
        (self.name, self.method, self.path) = (name, method, path)
        (self.query, self.body) = (query, body)
    }
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

    static func file(_ file: StoredFile) -> AppCall { AppCall(file.call) }

    static func like(postID: String, _ status: Bool) -> AppCall {
        AppCall(
            .like, .post, String(joining: "/v1/posts/", postID, "/like"),
            body: status ? .liked : .notLiked)
    }

    /// The second kind of like.
    static func bookmark(postID: String, _ status: Bool) -> AppCall {
        AppCall(
            .bookmark, .post, String(joining: "/v1/posts/", postID, "/like-2"),
            body: status ? .liked : .notLiked)
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

    // Encoded once: people like more often than they write.
    fileprivate static let liked = json(["like_status": true])
    fileprivate static let notLiked = json(["like_status": false])

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
        var count = 0
        for case (let name, let value?) in pairs {
            count += name.utf8.count + 3 * value.utf8.count + 2
        }
        self.init(unsafeUninitializedCapacity: count) { buffer in
            var writer = QueryWriter(buffer: buffer)
            for case (let name, let value?) in pairs {
                if writer.count > 0 { writer.write("&") }
                writer.write(name)
                writer.write("=")
                writer.write(encoding: value)
            }
            return writer.count
        }
    }
}

/// Writes a query into a buffer with room for it.
private struct QueryWriter {
    let buffer: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

    mutating func write(_ text: String) {
        var text = text
        count += text.withUTF8 { bytes in
            let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
            return rest.initialize(fromContentsOf: bytes)
        }
    }

    /// Writes a value, of which nearly always nothing needs percent-encoding.
    mutating func write(encoding value: String) {
        var text = value
        let isPlain = text.withUTF8 { $0.allSatisfy(\.isUnreservedInURL) }
        write(isPlain ? text : value.percentEncoded(allowing: \.isUnreservedInURL))
    }
}
