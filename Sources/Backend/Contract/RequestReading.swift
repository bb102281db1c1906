internal import Foundation
internal import HTTP

/// The values of a query string, percent-decoded, the first of each name.
struct Query {
    private let pairs: [(name: Substring, value: Substring)]

    init(_ text: String?) {
        pairs = (text ?? "").split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (parts[0], parts.count > 1 ? parts[1] : "")
        }
    }

    /// A value, or `nil` when it is absent or empty, which mean the same here.
    subscript(_ name: String) -> String? {
        guard let value = pairs.first(where: { $0.name == name })?.value, !value.isEmpty else {
            return nil
        }
        guard value.utf8.contains(UInt8(ascii: "%")) else { return String(value) }
        return value.removingPercentEncoding
    }
}

/// The JSON bodies that requests bring; every member may be missing.
enum RequestBody {
    struct Login: Decodable {
        let email: String?
        let password: String?
    }

    struct Comment: Decodable {
        let content: String?
    }

    struct Like: Decodable {
        let like_status: Bool?
    }

    struct Payment: Decodable {
        let imp_uid: String?
        let post_id: String?
    }

    /// Reads a body; `nil` when it is no JSON object or a member has the wrong type.
    static func read<Value: Decodable>(_ type: Value.Type, from body: Body) -> Value? {
        try? JSONDecoder().decode(type, from: Data(body.bytes))
    }
}
