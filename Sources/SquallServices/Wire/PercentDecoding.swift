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
    /// Whether there is a percent sign in it.
    var hasPercentSign: Bool {
        utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "%")) }
            ?? utf8.contains(UInt8(ascii: "%"))
    }
}
