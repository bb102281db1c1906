import Foundation
import SquallHTTP

/// The JSON bodies that requests bring; every member may be missing.
///
/// Foundation judges what is JSON and what a member holds. Most bodies are small flat objects,
/// which ``FlatObject`` reads at a tenth of the cost and with the same result; anything else goes
/// to Foundation.
enum RequestBody {
    /// No body this large is read: the biggest honest one has some kilobytes.
    static let countMax = 1_048_576

    /// A body that can also be read from a flat object.
    protocol Readable: Decodable {
        init(_ object: FlatObject) throws(FlatObject.Mismatch)
    }

    struct Join: Readable {
        let email, password, nick, phoneNum, birthDay: String?

        init(_ object: FlatObject) throws(FlatObject.Mismatch) {
            email = try object.text("email")
            password = try object.text("password")
            nick = try object.text("nick")
            phoneNum = try object.text("phoneNum")
            birthDay = try object.text("birthDay")
        }
    }

    struct Email: Readable {
        let email: String?

        init(_ object: FlatObject) throws(FlatObject.Mismatch) {
            email = try object.text("email")
        }
    }

    struct Login: Readable {
        let email, password: String?

        init(_ object: FlatObject) throws(FlatObject.Mismatch) {
            email = try object.text("email")
            password = try object.text("password")
        }
    }

    struct Comment: Readable {
        let content: String?

        init(_ object: FlatObject) throws(FlatObject.Mismatch) {
            content = try object.text("content")
        }
    }

    struct Like: Readable {
        let like_status: Bool?

        init(_ object: FlatObject) throws(FlatObject.Mismatch) {
            like_status = try object.flag("like_status")
        }
    }

    struct Payment: Readable {
        let imp_uid, post_id: String?

        init(_ object: FlatObject) throws(FlatObject.Mismatch) {
            imp_uid = try object.text("imp_uid")
            post_id = try object.text("post_id")
        }
    }

    /// Reads a body; `nil` when it is no JSON object or a member has the wrong type.
    static func read<Value: Readable>(_ type: Value.Type, from body: Body) -> Value? {
        guard body.count <= countMax else { return nil }
        if let chunks = body.chunks, chunks.count == 1 {
            switch chunks[0].bytes.withUnsafeBufferPointer({ flat(type, $0) }) {
            case .value(let value): return value
            case .mismatch: return nil
            case .notFlat: break
            }
        }
        return judged(type, body)
    }

    /// Reads a body as Foundation does; an empty body counts as an empty object.
    static func judged<Value: Decodable>(_ type: Value.Type, _ body: Body) -> Value? {
        guard body.count <= countMax else { return nil }
        let bytes = body.isEmpty ? Array("{}".utf8) : body.bytes
        return try? JSONDecoder().decode(type, from: Data(bytes))
    }

    private enum Reading<Value> {
        case value(Value)
        case mismatch
        case notFlat
    }

    private static func flat<Value: Readable>(
        _ type: Value.Type, _ bytes: UnsafeBufferPointer<UInt8>
    ) -> Reading<Value> {
        guard let object = FlatObject(bytes) else { return .notFlat }
        do {
            return .value(try Value(object))
        } catch {
            return .mismatch
        }
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
