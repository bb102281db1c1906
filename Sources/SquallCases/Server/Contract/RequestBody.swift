import Foundation
import SquallHTTP

/// The JSON bodies that requests bring; every member may be missing.
///
/// Foundation judges what is JSON and what a member holds.
enum RequestBody {
    /// No body this large is read: the biggest honest one has some kilobytes.
    static let countMax = 1_048_576

    struct Join: Decodable {
        let email, password, nick, phoneNum, birthDay: String?
    }

    struct Email: Decodable {
        let email: String?
    }

    struct Login: Decodable {
        let email, password: String?
    }

    struct Comment: Decodable {
        let content: String?
    }

    struct Like: Decodable {
        let like_status: Bool?
    }

    struct Payment: Decodable {
        let imp_uid, post_id: String?
    }

    /// Reads a body; `nil` when it is no JSON object or a member has the wrong type.
    ///
    /// An empty one counts as an empty object.
    static func read<Value: Decodable>(_ type: Value.Type, from body: Body) -> Value? {
        guard body.count <= countMax else { return nil }
        let bytes = body.isEmpty ? Array("{}".utf8) : body.bytes
        return try? JSONDecoder().decode(type, from: Data(bytes))
    }
}

extension RequestBody {
    /// The members of a post; always read by Foundation, since most of them bring a list.
    struct Draft: Decodable {
        let product_id, title, content: String?
        let content1, content2, content3, content4, content5: String?
        let price: Int?
        let files: [String]?

        /// The members as a draft of a post.
        var draft: Post.Draft {
            Post.Draft(
                productID: product_id, title: title, price: price, content: content,
                extra: [content1, content2, content3, content4, content5], files: files)
        }
    }
}
