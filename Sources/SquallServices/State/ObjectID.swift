import SquallBackend
import SquallKernel

/// A MongoDB ObjectId: creation second, a worker, and a number, as 24 hexadecimal digits.
///
/// The number is the object's position in its store, so an identifier leads to its object without a
/// table.
struct ObjectID: Hashable {
    /// The kinds of object, told apart by the worker's digits.
    enum Kind: UInt64 {
        case user = 0x07_8fb6_7016
        case post = 0x50_5651_7017
        case comment = 0x50_5651_7018
    }

    /// The greatest number that six digits can spell.
    static let numberMax = 0xFF_FFFF

    let kind: Kind
    let second: UInt32
    let number: Int

    /// The identifier of an object created at a second since 1970.
    init(_ kind: Kind, number: Int, second: Int64) {
        self.kind = kind
        self.second = UInt32(truncatingIfNeeded: second)
        self.number = number
    }

    /// Reads an identifier; `nil` when it is malformed or of another kind.
    ///
    /// The second is kept as it stands in the text, so a made-up one matches no object.
    init?(_ kind: Kind, text: some StringProtocol) {
        let fields = text.readingHex { reader -> (second: UInt64, number: UInt64)? in
            guard let second = reader.number(8), let worker = reader.number(10),
                let number = reader.number(6), worker == kind.rawValue
            else { return nil }
            return (second, number)
        }
        guard text.utf8.count == 24, let fields else { return nil }
        self.init(kind, number: Int(fields.number), second: Int64(fields.second))
    }

    /// Whether a text could be an identifier of any kind.
    static func isWellFormed(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 24
            && text.readingHex { $0.number(12) == nil ? nil : $0.number(12) } != nil
    }

    /// The 24 digits.
    var text: String {
        String(unsafeUninitializedCapacity: 24) { buffer in
            var writer = HexWriter(buffer: buffer)
            writer.number(UInt64(second), digits: 8)
            writer.number(kind.rawValue, digits: 10)
            writer.number(UInt64(number), digits: 6)
            return writer.count
        }
    }
}
