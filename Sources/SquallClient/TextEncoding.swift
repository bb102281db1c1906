import SquallHTTP

/// How bytes stand for text: the encodings that answers come in.
public enum TextEncoding: String, Sendable, CaseIterable {
    /// UTF-8.
    case utf8 = "utf-8"
    /// US-ASCII.
    case ascii = "us-ascii"
    /// ISO 8859-1: every byte is a character.
    case isoLatin1 = "iso-8859-1"
    /// UTF-16 with a byte order mark; big endian without one.
    case utf16 = "utf-16"
    /// UTF-16, big endian.
    case utf16BigEndian = "utf-16be"
    /// UTF-16, little endian.
    case utf16LittleEndian = "utf-16le"

    /// The encoding of a registered name, whatever its case.
    public init?(name: String) { self.init(rawValue: name.lowercased()) }

    /// The text that bytes stand for; `nil` when they stand for none.
    public func text(of bytes: [UInt8]) -> String? {
        switch self {
        case .utf8: String(validating: bytes, as: UTF8.self)
        case .ascii: bytes.allSatisfy { $0 < 128 } ? String(decoding: bytes, as: UTF8.self) : nil
        case .isoLatin1: String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
        case .utf16:
            if bytes.starts(with: [0xFF, 0xFE]) {
                TextEncoding.utf16LittleEndian.text(of: Array(bytes.dropFirst(2)))
            } else {
                TextEncoding.utf16BigEndian.text(
                    of: bytes.starts(with: [0xFE, 0xFF]) ? Array(bytes.dropFirst(2)) : bytes)
            }
        case .utf16BigEndian: TextEncoding.utf16Text(of: bytes) { $0 << 8 | $1 }
        case .utf16LittleEndian: TextEncoding.utf16Text(of: bytes) { $1 << 8 | $0 }
        }
    }

    private static func utf16Text(
        of bytes: [UInt8], unit: (UInt16, UInt16) -> UInt16
    ) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { index in
            unit(UInt16(bytes[index]), UInt16(bytes[index + 1]))
        }
        return String(validating: units, as: UTF16.self)
    }
}

extension HTTPURLResponse {
    /// The `charset` of the content type; `nil` when the server named none.
    var textEncodingName: String? {
        guard let parameters = headers.value(for: "Content-Type")?.split(separator: ";").dropFirst()
        else { return nil }
        for parameter in parameters {
            let words = parameter.split(separator: "=", maxSplits: 1)
            guard words.count == 2, words[0].filter({ $0 != " " }).lowercased() == "charset" else {
                continue
            }
            return words[1].filter { $0 != " " && $0 != "\"" }
        }
        return nil
    }
}
