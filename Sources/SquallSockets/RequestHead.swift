import SquallHTTP

/// The head of a request, line by line.
///
/// Strict where two readers of the same bytes could disagree on where a request ends: one length,
/// or chunks and no length, no folded fields, no space before a colon.
struct RequestHead {
    private(set) var method = HTTPMethod.get
    private(set) var path = "/"
    private(set) var query: String?
    private(set) var fields: [HTTPHeader] = []
    /// True for HTTP/1.0: a response cannot come in chunks, and the connection closes unless asked
    /// to stay.
    private(set) var isOld = false
    private(set) var keepsAlive = true
    /// True where the client waits for leave to send the body.
    private(set) var expectsContinue = false
    private(set) var isChunked = false
    private(set) var length: Int?
    private(set) var host: String?

    /// Reads the first line.
    init(_ line: UnsafeRawBufferPointer) throws(RequestProblem) {
        let words = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 3, !words[0].isEmpty, words[0].allSatisfy(\.isTokenByte) else {
            throw .malformed("the first line is not METHOD TARGET HTTP/1.1")
        }
        switch String(decoding: words[2], as: UTF8.self) {
        case "HTTP/1.1": break
        case "HTTP/1.0": (isOld, keepsAlive) = (true, false)
        case let version where version.hasPrefix("HTTP/"):
            throw RequestProblem(505, "only HTTP/1.1 and HTTP/1.0 are spoken here")
        default: throw .malformed("the first line does not end in HTTP/1.1")
        }
        method = HTTPMethod(rawValue: String(decoding: words[0], as: UTF8.self))
        fields.reserveCapacity(12)
        try readTarget(words[1])
    }

    private mutating func readTarget(_ target: Slice<UnsafeRawBufferPointer>) throws(RequestProblem)
    {
        guard target.allSatisfy({ $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "#") }) else {
            throw .malformed("the target has a byte that must be percent-encoded")
        }
        guard method != .connect else {
            throw RequestProblem(501, "tunnels (CONNECT) are not opened here")
        }
        var text = String(decoding: target, as: UTF8.self)
        if text == "*", method == .options { text = "/*" }
        if !text.hasPrefix("/") {
            // A proxy's client names the whole address; only its path matters here.
            guard let url = WebURL(text), text.asciiLowercased.hasPrefix("http") else {
                throw .malformed("the target is neither a path nor an address")
            }
            (path, query) = (url.path, url.query)
            return
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts[0])
        query = parts.count > 1 ? String(parts[1]) : nil
    }

    /// Reads a header field.
    mutating func add(_ line: UnsafeRawBufferPointer) throws(RequestProblem) {
        let field = try HTTPHeader(line: line)
        switch field.name.utf8.count {
        case 4 where field.has(name: "host"):
            guard host == nil else { throw .malformed("there are two Host fields") }
            host = field.value
        case 6 where field.has(name: "expect"):
            guard field.value.asciiLowercased == "100-continue" else {
                throw RequestProblem(417, "the expectation is not 100-continue")
            }
            expectsContinue = !isOld
        case 10 where field.has(name: "connection"): readConnection(field.value)
        case 14 where field.has(name: "content-length"): try readLength(field.value)
        case 17 where field.has(name: "transfer-encoding"): try readCoding(field.value)
        default: break
        }
        fields.append(field)
    }

    private mutating func readConnection(_ value: String) {
        if let wish = HTTPHeader.keepsAlive(value, isOld: isOld) { keepsAlive = wish }
    }

    private mutating func readLength(_ value: String) throws(RequestProblem) {
        guard length == nil else { throw .malformed("there are two lengths") }
        guard !isChunked else { throw .malformed("there are a length and chunks") }
        length = try HTTPHeader.length(value)
    }

    private mutating func readCoding(_ value: String) throws(RequestProblem) {
        guard length == nil else { throw .malformed("there are a length and chunks") }
        guard !isChunked, !isOld else {
            throw .malformed("the transfer coding is given twice, or to HTTP/1.0")
        }
        guard value.asciiLowercased == "chunked" else {
            throw RequestProblem(501, "the transfer coding is not chunked")
        }
        isChunked = true
    }

    /// Where the body ends; `nil` where there is none.
    var framing: BodyReader.Framing? {
        if isChunked { return .chunked }
        guard let length, length > 0 else { return nil }
        return .length(length)
    }

    /// Checks what only the whole head shows.
    func check(_ limits: HTTPLimits) throws(RequestProblem) {
        guard isOld || host != nil else { throw .malformed("there is no Host field") }
        guard length ?? 0 <= limits.bodyBytes else { throw .tooLong(limits.bodyBytes) }
    }
}

extension HTTPHeader {
    /// Reads a line.
    init(line: UnsafeRawBufferPointer) throws(RequestProblem) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0,
            UnsafeRawBufferPointer(rebasing: line[..<colon]).allSatisfy(\.isTokenByte)
        else { throw .malformed("a header field has no name, or a space in it") }
        var (first, last) = (colon + 1, line.count)
        while first < last, line[first].isBlank { first += 1 }
        while last > first, line[last - 1].isBlank { last -= 1 }
        let value = UnsafeRawBufferPointer(rebasing: line[first..<last])
        guard value.allSatisfy(\.isOfValue) else {
            throw .malformed("a header field has a control character")
        }
        self.init(
            name: String(decoding: UnsafeRawBufferPointer(rebasing: line[..<colon]), as: UTF8.self),
            value: String(decoding: value, as: UTF8.self))
    }

    /// A length as it is written: digits alone.
    static func length(_ value: String) throws(RequestProblem) -> Int {
        guard (1...18).contains(value.utf8.count), value.utf8.allSatisfy(\.isDigit),
            let number = Int(value)
        else { throw .malformed("the length is no number") }
        return number
    }

    /// The wish of a `Connection` field for the connection's end; `nil` for none.
    static func keepsAlive(_ value: String, isOld: Bool) -> Bool? {
        var value = value
        return value.withUTF8 { bytes in
            let words = bytes.split(separator: UInt8(ascii: ",")).map { word in
                word.drop(while: \.isBlank).prefix { !$0.isBlank }
            }
            if words.contains(where: { $0.matches("close") }) { return false }
            return isOld && words.contains { $0.matches("keep-alive") } ? true : nil
        }
    }

    /// Equality of its name with one that is given in lower case.
    func has(name: StaticString) -> Bool {
        var own = self.name
        return own.withUTF8 { $0.matches(name) }
    }
}

extension Collection<UInt8> {
    /// Equality with a word that is given in lower case, whatever the case of these bytes.
    func matches(_ word: StaticString) -> Bool {
        guard count == word.utf8CodeUnitCount else { return false }
        return zip(self, 0...).allSatisfy { byte, place in
            let wanted = word.utf8Start[place]
            return byte == wanted || byte | 32 == wanted
        }
    }
}

extension UInt8 {
    /// A space or a tab.
    var isBlank: Bool { self == 32 || self == 9 }

    var isDigit: Bool { self &- 48 < 10 }

    /// False for a control character other than a tab.
    var isOfValue: Bool { self >= 32 && self != 127 || self == 9 }

    /// True for a byte of a name: a letter, a digit or one of fifteen marks.
    fileprivate var isTokenByte: Bool {
        if isDigit || (self | 32) &- 97 < 26 { return true }
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
            UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
            UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            return true
        default: return false
        }
    }
}
