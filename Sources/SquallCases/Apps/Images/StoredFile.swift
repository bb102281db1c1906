import SquallHTTP

/// A file on the server, with what each call for it needs.
///
/// Made once, when a response is read: thousands of phones show the same covers.
final class StoredFile: Decodable, Sendable {
    /// Its path as responses have it, without a leading slash.
    let name: String
    /// The path of the call for it, on the server of 2024.
    let path: String
    /// A number that stands for the name.
    let key: UInt64

    init(_ name: String) {
        self.name = name
        path = String(joining: "/v1/", name)
        key = name.fingerprint
    }

    convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }
}

extension StoredFile: ExpressibleByStringLiteral {
    convenience init(stringLiteral name: String) { self.init(name) }
}
