/// A JSON object of plain strings, small whole numbers, `true`, `false` and `null`.
///
/// It reads only what it understands in one pass: no escapes, no fractions, no nesting, no name
/// twice, only ASCII in names. Whatever else stands there makes it `nil`, and a full parser
/// decides. What it does read, it reads as Foundation does. ≤ 200 ns for two members.
struct FlatObject {
    /// A member that is there but has another type.
    struct Mismatch: Error {}

    private enum Value {
        case text(Range<Int>)
        case number
        case flag(Bool)
        case null
    }

    private static let membersMax = 16

    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var members: [(name: Range<Int>, value: Value)] = []

    /// Reads an object; `nil` when it is none, or not plain enough.
    ///
    /// The bytes must outlive the object.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        guard readMembers() else { return nil }
        let isText =
            bytes.allSatisfy { $0 < 128 } || String(validating: bytes, as: UTF8.self) != nil
        guard isText else { return nil }
    }

    /// A string; `nil` when it is absent or null.
    func text(_ name: StaticString) throws(Mismatch) -> String? {
        switch value(name) {
        case nil, .null: nil
        case .text(let range):
            String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        default: throw Mismatch()
        }
    }

    /// True or false; `nil` when it is absent or null.
    func flag(_ name: StaticString) throws(Mismatch) -> Bool? {
        switch value(name) {
        case nil, .null: nil
        case .flag(let flag): flag
        default: throw Mismatch()
        }
    }

    private func value(_ name: StaticString) -> Value? {
        name.withUTF8Buffer { wanted in
            members.first { wanted.elementsEqual(bytes[$0.name]) }?.value
        }
    }

    private mutating func readMembers() -> Bool {
        skipSpace()
        guard take(UInt8(ascii: "{")) else { return false }
        skipSpace()
        if !take(UInt8(ascii: "}")) {
            repeat {
                guard readMember() else { return false }
            } while take(UInt8(ascii: ","))
            guard take(UInt8(ascii: "}")) else { return false }
        }
        skipSpace()
        return position == bytes.count
    }

    private mutating func readMember() -> Bool {
        skipSpace()
        guard let name = readString(), isNew(name), members.count < FlatObject.membersMax else {
            return false
        }
        skipSpace()
        guard take(UInt8(ascii: ":")) else { return false }
        skipSpace()
        guard let value = readValue() else { return false }
        skipSpace()
        members.append((name, value))
        return true
    }

    private func isNew(_ name: Range<Int>) -> Bool {
        bytes[name].allSatisfy { $0 < 128 }
            && !members.contains { bytes[$0.name].elementsEqual(bytes[name]) }
    }

    private mutating func readValue() -> Value? {
        guard position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "\""): return readString().map(Value.text)
        case UInt8(ascii: "t"): return take("true") ? .flag(true) : nil
        case UInt8(ascii: "f"): return take("false") ? .flag(false) : nil
        case UInt8(ascii: "n"): return take("null") ? .null : nil
        case UInt8(ascii: "1")...UInt8(ascii: "9"): return readNumber()
        default: return nil
        }
    }

    /// A string without escapes; the range is what stands between the quotation marks.
    private mutating func readString() -> Range<Int>? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            guard bytes[position] >= 32, bytes[position] != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        guard take(UInt8(ascii: "\"")) else { return nil }
        return start..<position - 1
    }

    private mutating func readNumber() -> Value? {
        let start = position
        while position < bytes.count, 48...57 ~= bytes[position] { position += 1 }
        guard position - start <= 15, position < bytes.count else { return nil }
        switch bytes[position] {
        case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): return nil
        default: return .number
        }
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 32, 9, 10, 13: position += 1
            default: return
            }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    private mutating func take(_ word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[position..<end]) })
        else { return false }
        position = end
        return true
    }
}
