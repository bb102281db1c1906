internal import Foundation
internal import HTTP

/// The values of a query string, percent-decoded, the first of each name.
struct Query {
    private let text: String

    init(_ text: String?) { self.text = text ?? "" }

    /// A value, or `nil` when it is absent or empty, which mean the same here.
    subscript(_ name: StaticString) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard let range = Query.value(of: name, in: bytes), !range.isEmpty else { return nil }
            return Query.decoded(UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Where the value of a name stands.
    private static func value(
        of name: StaticString, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            let nameEnd = start + name.utf8CodeUnitCount
            if nameEnd <= end, name.withUTF8Buffer({ $0.elementsEqual(bytes[start..<nameEnd]) }) {
                if nameEnd == end { return end..<end }
                if bytes[nameEnd] == UInt8(ascii: "=") { return nameEnd + 1..<end }
            }
            start = end + 1
        }
        return nil
    }

    /// The text of percent-encoded bytes; a percent sign without two digits stands for itself.
    private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
            {
                decoded.append(high << 4 | low)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func hexValue(_ digit: UInt8) -> UInt8? {
        switch digit {
        case 48...57: digit - 48
        case 65...70: digit - 55
        case 97...102: digit - 87
        default: nil
        }
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
