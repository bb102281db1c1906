import SquallHTTP

/// A `multipart/form-data` as the server reads it (RFC 7578).
///
/// Files that travel as sizes and seeds stay so: their bytes are not made to look for a boundary
/// that cannot be in them.
struct MultipartForm {
    /// One part: a text, or a file with its name.
    struct Part {
        let name: String
        let fileName: String?
        let body: Body
    }

    /// The limits of what the server reads.
    private static let limits = (
        bytes: 64 * 1_048_576, parts: 64, headBytes: 8_192, textBytes: 1_048_576
    )

    private(set) var parts: [Part] = []

    /// Reads a request's form.
    ///
    /// - Throws: `.badRequest` when it is none, is broken, or is beyond the limits.
    init(_ request: URLRequest) throws(Refusal) {
        guard request.body.count <= MultipartForm.limits.bytes,
            let type = request.value(forHTTPHeaderField: "Content-Type"),
            let boundary = MultipartForm.boundary(in: type)
        else { throw .badRequest }
        let tape = Tape(request.body)
        let fence = Array("--\(boundary)".utf8)
        guard let first = tape.find(fence, from: 0), tape.isPlain(0..<first) else {
            throw .badRequest
        }
        var position = first + fence.count
        while !tape.has("--", at: position) {
            guard tape.has("\r\n", at: position), parts.count < MultipartForm.limits.parts,
                let end = tape.find([13, 10] + fence, from: position),
                let part = MultipartForm.part(in: tape, position + 2..<max(end, position + 2))
            else { throw .badRequest }
            parts.append(part)
            position = end + 2 + fence.count
        }
    }

    /// A text part; `nil` when there is none of this name.
    func text(_ name: String) -> String? {
        parts.first { $0.name == name && $0.fileName == nil }?.body.text
    }

    /// Refuses a form with a part of any other name.
    func allowOnly(_ names: [String]) throws(Refusal) {
        guard parts.allSatisfy({ names.contains($0.name) }) else { throw .badRequest }
    }

    private static func boundary(in type: String) -> String? {
        let fields = fields(of: type[...])
        guard fields.first?.asciiLowercased == "multipart/form-data" else { return nil }
        return value(of: "boundary", in: fields.dropFirst()).flatMap { boundary in
            1...200 ~= boundary.utf8.count ? boundary : nil
        }
    }

    private static func part(in tape: Tape, _ range: Range<Int>) -> Part? {
        guard let headEnd = tape.find([13, 10, 13, 10], from: range.lowerBound),
            headEnd + 4 <= range.upperBound, headEnd - range.lowerBound <= limits.headBytes,
            tape.isPlain(range.lowerBound..<headEnd + 4)
        else { return nil }
        var start = range.lowerBound
        while start < headEnd {
            let end = min(tape.find([13, 10], from: start) ?? headEnd, headEnd)
            let line = tape.text(start..<end)
            start = end + 2
            let pair = line.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1)
            guard pair.count == 2, Substring(pair[0]).asciiLowercased == "content-disposition"
            else {
                continue
            }
            let fields = fields(of: Substring(pair[1]))
            return part(described: fields, tape.body(headEnd + 4..<range.upperBound))
        }
        return nil
    }

    /// A part from the fields of its `Content-Disposition`.
    private static func part(described fields: [Substring], _ body: Body) -> Part? {
        let fileName = value(of: "filename", in: fields.dropFirst())
        guard fields.first == "form-data", let name = value(of: "name", in: fields.dropFirst()),
            fileName != nil || body.count <= limits.textBytes
        else { return nil }
        return Part(name: name, fileName: fileName, body: body)
    }

    /// A header's value split at its semicolons, except those between quotation marks; by byte, as
    /// by character it takes ten times as long.
    private static func fields(of value: Substring) -> [Substring] {
        var isQuoted = false
        return value.utf8.split { byte in
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            return byte == UInt8(ascii: ";") && !isQuoted
        }.map { Substring($0).trimmed }
    }

    /// The value of `name=value` or `name="value"`.
    private static func value(of name: String, in fields: ArraySlice<Substring>) -> String? {
        let value = fields.first { $0.asciiLowercased.hasPrefix(name + "=") }?
            .utf8.dropFirst(name.utf8.count + 1)
        guard let value else { return nil }
        let mark = UInt8(ascii: "\"")
        let isQuoted = value.count >= 2 && value.first == mark && value.last == mark
        return String(Substring(isQuoted ? value.dropFirst().dropLast() : value))
    }
}

/// A body with its files cut out: the bytes that were sent as bytes, and where the files stood.
private struct Tape {
    private var bytes: [UInt8] = []
    private var blobs: [(position: Int, blob: Blob)] = []

    init(_ body: Body) { append(body) }

    private mutating func append(_ body: Body) {
        switch body.storage {
        case .chunks(let chunks): for chunk in chunks { bytes += chunk.bytes }
        case .blob(let blob): blobs.append((bytes.count, blob))
        case .parts(let parts): for part in parts { append(part) }
        }
    }

    /// The position of a run of bytes; `nil` when it comes no more.
    func find(_ pattern: [UInt8], from start: Int) -> Int? {
        guard start >= 0, start + pattern.count <= bytes.count else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            (start...bytes.count - pattern.count).first { position in
                bytes[position] == pattern[0]
                    && bytes[position..<position + pattern.count].elementsEqual(pattern)
            }
        }
    }

    func has(_ text: StaticString, at position: Int) -> Bool {
        let end = position + text.utf8CodeUnitCount
        return end <= bytes.count
            && text.withUTF8Buffer { $0.elementsEqual(bytes[position..<end]) }
    }

    /// False for a range in which a file stands: its bytes are not made to be read.
    func isPlain(_ range: Range<Int>) -> Bool {
        !blobs.contains { range.lowerBound <= $0.position && $0.position < range.upperBound }
    }

    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The bytes of a range and the files in it, in order.
    func body(_ range: Range<Int>) -> Body {
        var parts: [Body] = []
        var start = range.lowerBound
        for (position, blob) in blobs
        where range.lowerBound <= position && position <= range.upperBound {
            parts += [Body(Array(bytes[start..<position])), Body(blob)]
            start = position
        }
        return Body(parts: parts + [Body(Array(bytes[start..<range.upperBound]))])
    }
}

extension Substring {
    /// The text without spaces at its ends.
    fileprivate var trimmed: Substring {
        let start = utf8.drop { $0 == UInt8(ascii: " ") }
        let end = start.lastIndex { $0 != UInt8(ascii: " ") }
        return Substring(start[..<(end.map(start.index(after:)) ?? start.startIndex)])
    }
}
