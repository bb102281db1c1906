import Foundation
import SquallHTTP

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
