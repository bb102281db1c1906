import SquallHTTP

/// A file on the server, with what each call for it needs.
///
/// Made once, when a response is read: thousands of phones show the same covers.
final class StoredFile: Decodable, Sendable {
    private static let version = "/v1/"

    /// The call for it, on the server of 2024.
    let call: CallContent
    /// A number that stands for it.
    let key: UInt64

    init(_ name: String) {
        call = CallContent(.file, .get, String(joining: Self.version, name))
        key = name.fingerprint
    }

    convenience init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    var path: String { call.path }

    /// Its path as responses have it; not kept beside the other, as it would take as much again.
    var name: String { String(path.dropFirst(Self.version.count)) }
}

extension StoredFile: ExpressibleByStringLiteral {
    convenience init(stringLiteral name: String) { self.init(name) }
}
