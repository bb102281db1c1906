/// Reads JSON with comments (`//`, `/* */`) and trailing commas.
///
/// Foundation's decoder is not used because it drops what a good message needs: positions in the
/// text, the order of members, repeated names, and the digits of large numbers.
public struct JSONParser: ByteReader {
    private static let depthLimit = 64

    let bytes: [UInt8]
    var position = 0
    var line = 1
    var lineStart = 0
    var counted = (position: 0, characters: 0)
    private var depth = 0

    /// Parses a text that is one value.
    public static func parse(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        // JSON begins with an ASCII character, so a zero beside its byte means UTF-16.
        let first = Array(bytes.prefix(2))
        let isHalfZero = Set(first.map { $0 == 0 }).count == 2
        if isHalfZero || [[0xff, 0xfe], [0xfe, 0xff]].contains(first) {
            throw JSONSyntaxError(
                place: TextPlace(), problem: "the file is UTF-16 text; save it as UTF-8")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw JSONSyntaxError(place: TextPlace(), problem: "the file is not UTF-8 text")
        }
        var parser = JSONParser(bytes: bytes)
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { parser.position = 3 }
        let node = try parser.value()
        try parser.skipSpace()
        guard parser.next == nil else { throw parser.unexpected("the end of the file") }
        return node
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }
}

/// A text that is not JSON, or not YAML, with the place of its fault.
public struct JSONSyntaxError: Error, Hashable {
    /// The place of the fault.
    public let place: TextPlace
    /// The thing that was expected there.
    public let problem: String
}

extension JSONParser {
    private mutating func value() throws(JSONSyntaxError) -> JSONNode {
        try skipSpace()
        let place = place
        switch next {
        case UInt8(ascii: "{"): return JSONNode(value: .object(try members()), place: place)
        case UInt8(ascii: "["): return JSONNode(value: .array(try elements()), place: place)
        case UInt8(ascii: "\""): return JSONNode(value: .string(try string()), place: place)
        case let byte? where "+-.0123456789".utf8.contains(byte):
            return JSONNode(value: .number(try number()), place: place)
        default: return JSONNode(value: try word(), place: place)
        }
    }

    private mutating func members() throws(JSONSyntaxError) -> [JSONNode.Member] {
        var members: [JSONNode.Member] = []
        var names: Set<String> = []
        try list(endingWith: "}", of: "a member such as \"users\": 100") {
            parser throws(JSONSyntaxError) in
            let place = parser.place
            guard parser.next == UInt8(ascii: "\"") else {
                throw parser.unexpected("a name in double quotes")
            }
            let name = try parser.string()
            guard names.insert(name).inserted else {
                throw JSONSyntaxError(
                    place: place, problem: "\"\(name.excerpt())\" is given twice")
            }
            try parser.skipSpace()
            guard parser.take(":") else {
                throw parser.unexpected("':' after \"\(name.excerpt())\"")
            }
            members.append(.init(name: name, place: place, value: try parser.value()))
        }
        return members
    }

    private mutating func elements() throws(JSONSyntaxError) -> [JSONNode] {
        var elements: [JSONNode] = []
        try list(endingWith: "]", of: "a value") { parser throws(JSONSyntaxError) in
            elements.append(try parser.value())
        }
        return elements
    }

    /// Reads the items between an opening and a closing bracket.
    private mutating func list(
        endingWith end: Unicode.Scalar, of item: String,
        _ readItem: (inout JSONParser) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        depth += 1
        guard depth <= JSONParser.depthLimit else {
            throw JSONSyntaxError(
                place: place, problem: "brackets are nested deeper than \(JSONParser.depthLimit)")
        }
        position += 1
        try skipSpace()
        while !take(end) {
            guard next != nil else { throw unexpected("\(item) or '\(end)'") }
            try readItem(&self)
            try skipSpace()
            if take(",") {
                try skipSpace()
            } else if next != UInt8(ascii: end) {
                throw unexpected("',' or '\(end)'")
            }
        }
        depth -= 1
    }

    private mutating func number() throws(JSONSyntaxError) -> String {
        let start = position
        let place = place
        while let byte = next, isWordByte(byte) || "+-.".utf8.contains(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        guard JSONNumber.isOne(bytes[start..<position]) else {
            throw JSONSyntaxError(
                place: place,
                problem: "'\(text.excerpt())' is not a number; texts need double quotes")
        }
        return text
    }

    private mutating func word() throws(JSONSyntaxError) -> JSONNode.Value {
        let start = position
        let place = place
        while let byte = next, isWordByte(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        switch text {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        case "": throw unexpected("a value")
        default:
            throw JSONSyntaxError(
                place: place,
                problem: "'\(text.excerpt())' is not a value; texts need double quotes")
        }
    }

    private func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
            true
        default: false
        }
    }
}

extension JSONParser {
    private mutating func string() throws(JSONSyntaxError) -> String {
        let start = place
        position += 1
        var text: [UInt8] = []
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: text, as: UTF8.self)
            case UInt8(ascii: "\\"):
                text += String(try escape()).utf8
            case ..<0x20:
                throw unexpected("'\"' before the end of the line")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw JSONSyntaxError(place: start, problem: "the text that begins here has no end")
    }

    private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
        let start = place
        let letter = byte(after: 1) ?? 0
        position += 2
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
            return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            if let scalar = scalar(of: 4) { return scalar }
            throw JSONSyntaxError(place: start, problem: "\\u needs four hexadecimal digits")
        default:
            throw JSONSyntaxError(
                place: start, problem: "unknown escape in a text; use \\\\ for \\")
        }
    }
}

extension JSONParser {
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    private mutating func skipSpace() throws(JSONSyntaxError) {
        while let byte = next {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): position += 1
            case UInt8(ascii: "\n"): takeLineFeed()
            case UInt8(ascii: "/"): try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws(JSONSyntaxError) {
        let start = place
        position += 1
        if take("/") {
            while let byte = next, byte != UInt8(ascii: "\n") { position += 1 }
            return
        }
        guard take("*") else {
            throw JSONSyntaxError(place: start, problem: "a comment begins with // or /*")
        }
        while let byte = next {
            if byte == UInt8(ascii: "\n") {
                takeLineFeed()
            } else {
                position += 1
                if byte == UInt8(ascii: "*"), take("/") { return }
            }
        }
        throw JSONSyntaxError(place: start, problem: "the comment that begins here has no end")
    }

    private mutating func unexpected(_ wanted: String) -> JSONSyntaxError {
        JSONSyntaxError(place: place, problem: "expected \(wanted), got \(found)")
    }
}
