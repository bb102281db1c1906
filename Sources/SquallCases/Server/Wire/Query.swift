/// The values of a query string, percent-decoded, the first of each name.
struct Query {
    private let text: String

    init(_ text: String?) { self.text = text ?? "" }

    /// A value, or `nil` when it is absent or empty: the contract treats both alike.
    subscript(_ name: StaticString) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard let range = Query.value(of: name, in: bytes), !range.isEmpty else { return nil }
            return PercentDecoding.lenient(UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    /// True for a name that is there, even with an empty value.
    func names(_ name: StaticString) -> Bool {
        var text = text
        return text.withUTF8 { Query.value(of: name, in: $0) != nil }
    }

    /// Where the value of a name stands.
    private static func value(
        of name: StaticString, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        let length = name.utf8CodeUnitCount
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            // Looks first at the character behind a name: few names are equally long.
            let nameEnd = start + length
            if nameEnd <= end, nameEnd == end || bytes[nameEnd] == UInt8(ascii: "="),
                name.withUTF8Buffer({ $0.elementsEqual(bytes[start..<nameEnd]) })
            {
                return min(nameEnd + 1, end)..<end
            }
            start = end + 1
        }
        return nil
    }
}

/// Undoes the percent-encoding of addresses.
enum PercentDecoding {
    /// The text; `nil` when a percent sign lacks its two digits or the bytes are no UTF-8.
    static func strict(_ text: some StringProtocol) -> String? {
        guard text.hasPercentSign else { return String(text) }
        var isWhole = true
        let bytes = decode(Array(text.utf8)) { isWhole = false }
        return isWhole ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// The text; a percent sign without two digits stands for itself.
    static func lenient(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(UInt8(ascii: "%")) else {
            return String(decoding: bytes, as: UTF8.self)
        }
        return String(decoding: decode(bytes) {}, as: UTF8.self)
    }

    private static func decode<Bytes: RandomAccessCollection<UInt8>>(
        _ bytes: Bytes, malformed: () -> Void
    ) -> [UInt8] where Bytes.Index == Int {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            if bytes[index] == UInt8(ascii: "%") {
                if index + 2 < bytes.endIndex, let high = hexValue(bytes[index + 1]),
                    let low = hexValue(bytes[index + 2])
                {
                    decoded.append(high << 4 | low)
                    index += 3
                    continue
                }
                malformed()
            }
            decoded.append(bytes[index])
            index += 1
        }
        return decoded
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

extension StringProtocol {
    /// Text without a percent sign needs no decoding.
    var hasPercentSign: Bool {
        utf8.withContiguousStorageIfAvailable(\.hasPercentSign)
            ?? utf8.contains(UInt8(ascii: "%"))
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// True if there is a percent sign in it; looks at eight bytes at a time.
    var hasPercentSign: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let words = UnsafeRawBufferPointer(self)
        var offset = 0
        while offset + 8 <= count {
            // Zero where the sign is, and only a zero borrows into its highest bit.
            let eight = words.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let word = eight ^ (ones &* 0x25)
            if (word &- ones) & ~word & (ones << 7) != 0 { return true }
            offset += 8
        }
        return self[offset...].contains(UInt8(ascii: "%"))
    }
}
