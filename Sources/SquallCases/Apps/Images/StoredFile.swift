import SquallClient
import SquallHTTP

/// A file on the server, with what each call for it needs.
///
/// Made once for each path: thousands of phones show the same covers, in posts that change with
/// every like.
struct StoredFile: Decodable, Sendable {
    private static let version = "/v1/"

    private final class Known: Sendable {
        let call: CallContent
        let key: UInt64

        init(_ name: String) {
            call = CallContent(.file, .get, String(joining: StoredFile.version, name))
            key = name.fingerprint
        }
    }

    private let known: Known

    init(_ name: String) { known = Known(name) }

    init(from decoder: any Decoder) throws {
        if let decoder = decoder as? any StretchDecoder {
            known = try decoder.shared(by: Known.init)
        } else {
            known = Known(try decoder.singleValueContainer().decode(String.self))
        }
    }

    /// The call for it, on the server of 2024.
    var call: CallContent { known.call }
    /// A number that stands for it.
    var key: UInt64 { known.key }
    var path: String { call.path }

    /// Its path as responses have it; not kept beside the other, as it would take as much again.
    var name: String { String(path.dropFirst(Self.version.count)) }
}

extension StoredFile: ExpressibleByStringLiteral {
    init(stringLiteral name: String) { self.init(name) }
}
