extension String {
    /// The string with every byte of its UTF-8 percent-encoded that `isAllowed` refuses.
    public func percentEncoded(allowing isAllowed: (UInt8) -> Bool) -> String {
        guard !utf8.allSatisfy(isAllowed) else { return self }
        var encoded: [UInt8] = []
        encoded.reserveCapacity(utf8.count * 3)
        for byte in utf8 {
            if isAllowed(byte) {
                encoded.append(byte)
            } else {
                encoded.append(UInt8(ascii: "%"))
                encoded.append(hexDigit(byte >> 4))
                encoded.append(hexDigit(byte & 15))
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

private func hexDigit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }

extension UInt8 {
    /// Whether the byte is a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    public var isUnreservedInURL: Bool {
        switch self {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
        default: false
        }
    }
}
