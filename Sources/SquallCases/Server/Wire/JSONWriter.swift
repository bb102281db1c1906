import SquallFormat
import SquallHTTP

/// Writes the contract's JSON: members in order, absent values left out.
///
/// The server's responses are on the hot path of every simulated request; a general encoder takes
/// longer for one than a whole exchange may.
struct JSONWriter {
    private var bytes: [UInt8] = []
    private var needsComma = false
    /// What was written before `bytes`, as far as it is shared.
    private var parts: [BodyChunk] = []

    private static let comma = BodyChunk(",")
    private static let brace = BodyChunk("{")

    var body: Body {
        if bytes.isEmpty { return .empty }
        return Body(chunks: [parts.isEmpty ? BodyChunk(bytes) : chunk])
    }

    /// The body as one chunk, for a part that many bodies share.
    var chunk: BodyChunk {
        let rest = BodyChunk(bytes.withoutSpare)
        return parts.isEmpty ? rest : BodyChunk(parts: parts + [rest])
    }

    /// The body as some elements of a list, with commas between them.
    var run: BodyChunk { BodyChunk(bytes.withoutSpare, isRun: true) }

    /// The body as bytes, of which none may be shared.
    var written: [UInt8] { bytes }

    mutating func object(_ members: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "{"))
        members(&self)
        end(UInt8(ascii: "}"))
    }

    mutating func array(_ elements: (inout JSONWriter) -> Void) {
        begin(UInt8(ascii: "["))
        elements(&self)
        end(UInt8(ascii: "]"))
    }

    mutating func member(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        write(value)
    }

    mutating func member(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        key(name)
        bytes += String(value).utf8
    }

    mutating func member(_ name: StaticString, _ value: Bool) {
        key(name)
        bytes += (value ? "true" : "false").utf8
    }

    mutating func member(_ name: StaticString, _ values: [String]) {
        key(name)
        needsComma = false
        array { writer in for value in values { writer.element(value) } }
    }

    mutating func member(_ name: StaticString, object members: (inout JSONWriter) -> Void) {
        key(name)
        needsComma = false
        object(members)
    }

    mutating func member(_ name: StaticString, array elements: (inout JSONWriter) -> Void) {
        key(name)
        needsComma = false
        array(elements)
    }

    /// A list whose elements are already JSON, in runs that are shared rather than copied.
    mutating func member(_ name: StaticString, runs: [BodyChunk]) {
        key(name)
        bytes.append(UInt8(ascii: "["))
        parts.append(BodyChunk(bytes.withoutSpare))
        for (position, run) in runs.enumerated() {
            if position > 0 { parts.append(JSONWriter.comma) }
            parts.append(run)
        }
        bytes = [UInt8(ascii: "]")]
    }

    /// Some members that are already JSON.
    mutating func members(_ json: [UInt8]) {
        separate()
        bytes += json
    }

    /// Some members that are already JSON, which are shared rather than copied.
    mutating func members(_ json: BodyChunk) {
        separate()
        parts += [bytes == Self.brace.bytes ? Self.brace : BodyChunk(bytes.withoutSpare), json]
        bytes = []
    }

    /// A list whose elements are already JSON.
    mutating func member(_ name: StaticString, elements: [UInt8]) {
        key(name)
        bytes.append(UInt8(ascii: "["))
        bytes += elements
        bytes.append(UInt8(ascii: "]"))
    }

    mutating func element(_ value: String) {
        separate()
        write(value)
    }

    private mutating func key(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes += $0 }
        bytes.append(UInt8(ascii: "\""))
        bytes.append(UInt8(ascii: ":"))
    }

    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func write(_ value: String) {
        bytes.append(UInt8(ascii: "\""))
        var value = value
        value.withUTF8 { text in
            let last = UnsafeRawBufferPointer(text).endOfPlainJSON(from: 0)
            if text[last...].contains(where: { $0 < 32 || $0 == 34 || $0 == 92 }) {
                for byte in text { escape(byte) }
            } else {
                bytes += text
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 34, 92: bytes += [92, byte]
        case 0..<32:
            let digits = Array("0123456789abcdef".utf8)
            bytes += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: bytes.append(byte)
        }
    }
}

extension [UInt8] {
    /// The bytes in memory of their size: one that grew to them has up to as much again, which is
    /// kept as long as they are.
    fileprivate var withoutSpare: [UInt8] {
        capacity - count < 64 ? self : withUnsafeBufferPointer { Array($0) }
    }
}
