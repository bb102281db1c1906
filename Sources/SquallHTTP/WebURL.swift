/// Where a request goes: an origin, a path and a query, kept apart and already percent-encoded.
///
/// Not Foundation's `URL`: parsing and taking that one apart costs about as much as a whole request
/// here, and routers build addresses from parts anyway.
public struct WebURL: Hashable, Sendable {
    /// Scheme, host and port without a trailing slash: `https://api.example.com:8443`.
    public var origin: String
    /// The path with its leading slash, percent-encoded; `/` at the least.
    public var path: String
    /// What follows the question mark, percent-encoded; `nil` when there is no question mark.
    public var query: String?

    /// An address from its parts, which must already be percent-encoded.
    public init(origin: String, path: String, query: String? = nil) {
        self.origin = origin
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/" + path
        self.query = query
    }

    /// Reads an absolute address; `nil` without a scheme or a host, or with a space in it.
    ///
    /// A fragment is dropped: it never travels.
    public init?(_ string: String) {
        var string = string
        guard let url = string.withUTF8(WebURL.read) else { return nil }
        self = url
    }

    /// Reads the bytes where they lie: through a string's indices it takes ten times as long.
    private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> WebURL? {
        let bytes = ByteText(bytes)
        let slash = UInt8(ascii: "/")
        let end = bytes.position(of: UInt8(ascii: "#"), from: 0, to: bytes.count)
        var colon = bytes.position(of: UInt8(ascii: ":"), from: 0, to: end)
        while colon + 2 < end, bytes[colon + 1] != slash || bytes[colon + 2] != slash {
            colon = bytes.position(of: UInt8(ascii: ":"), from: colon + 1, to: end)
        }
        guard colon > 0, colon + 2 < end, !bytes.hasBlank else { return nil }
        let query = bytes.position(of: UInt8(ascii: "?"), from: colon + 3, to: end)
        let path = bytes.position(of: slash, from: colon + 3, to: query)
        guard path > colon + 3 else { return nil }
        return WebURL(
            origin: bytes.text(0, path), path: bytes.text(path, query),
            query: query < end ? bytes.text(query + 1, end) : nil)
    }

    /// The address as one string.
    public var absoluteString: String {
        guard let query else { return origin + path }
        return origin + path + "?" + query
    }
}

extension WebURL: CustomStringConvertible {
    /// The address as one string.
    public var description: String { absoluteString }
}

/// Bytes that are searched by loops: generic closures take a debug build ten times as long.
private struct ByteText {
    private let bytes: UnsafeBufferPointer<UInt8>
    let count: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        count = bytes.count
    }

    subscript(position: Int) -> UInt8 { bytes[position] }

    /// The first position of a byte between two, or the second.
    func position(of byte: UInt8, from start: Int, to end: Int) -> Int {
        var position = start
        while position < end, bytes[position] != byte { position += 1 }
        return position
    }

    var hasBlank: Bool {
        var position = 0
        while position < count, bytes[position] > 32 { position += 1 }
        return position < count
    }

    /// What lies between two positions.
    func text(_ start: Int, _ end: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }
}

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
    /// True for a letter, a digit or one of `-._~` (RFC 3986, section 2.3).
    public var isUnreservedInURL: Bool {
        switch self {
        case 48...57, 65...90, 97...122, 45, 46, 95, 126: true
        default: false
        }
    }
}
