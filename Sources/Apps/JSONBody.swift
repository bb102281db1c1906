internal import Foundation
internal import HTTP

/// Encodes query values as JSON bodies, as the apps' routers do.
///
/// Keys are sorted: Foundation's order otherwise differs from process to process.
enum JSONBody {
    private static let encoder: JSONEncoder = {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }()

    static func encode(_ value: some Encodable) throws -> Body {
        Body([UInt8](try encoder.encode(value)))
    }
}

extension String {
    /// The string with everything but unreserved characters percent-encoded as UTF-8.
    var percentEncodedForQuery: String {
        guard !utf8.allSatisfy(\.isUnreserved) else { return self }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count * 3)
        for byte in utf8 {
            if byte.isUnreserved {
                encoded.append(byte)
            } else {
                encoded += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

extension UInt8 {
    /// A letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
        default: false
        }
    }
}
