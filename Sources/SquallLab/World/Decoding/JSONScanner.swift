import SquallFormat
import SquallHTTP

/// Reads the values of a JSON text that lies in several chunks, none of which splits a word.
struct JSONScanner {
    private(set) var values: [JSONTape.Value] = []
    private let leaves: [BodyChunk]
    private var leaf = -1
    private var bytes: [UInt8] = []
    private var position = 0
    private var depth = 0

    /// Deeper texts are left to Foundation, which has its own limit.
    private static let depthMax = 64

    init(_ leaves: [BodyChunk]) { self.leaves = leaves }

    /// Reads one value and nothing behind it; returns false for a text that it does not understand.
    mutating func scanDocument() -> Bool {
        values.reserveCapacity(64)
        return scanValue() && next() == nil
    }

    /// Reads values with commas between them to the end.
    mutating func scanElements() -> Bool {
        repeat {
            guard scanValue() else { return false }
        } while take(UInt8(ascii: ","))
        return next() == nil
    }

    /// The next byte that is no space, also in the next chunk; `nil` at the end.
    private mutating func next() -> UInt8? {
        while true {
            while position < bytes.count {
                switch bytes[position] {
                case 32, 9, 10, 13: position += 1
                case let byte: return byte
                }
            }
            guard leaf + 1 < leaves.count else { return nil }
            leaf += 1
            bytes = leaves[leaf].bytes
            position = 0
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    private mutating func scanValue() -> Bool {
        switch next() {
        case UInt8(ascii: "{"): scanObject()
        case UInt8(ascii: "["): scanArray()
        case UInt8(ascii: "\""): scanString()
        case UInt8(ascii: "t"): scanWord("true", .isTrue)
        case UInt8(ascii: "f"): scanWord("false", .isFalse)
        case UInt8(ascii: "n"): scanWord("null", .null)
        case nil: false
        default: scanNumber()
        }
    }

    private mutating func scanObject() -> Bool {
        guard let place = open(.object) else { return false }
        guard !take(UInt8(ascii: "}")) else { return close(place) }
        var names = NameFilter()
        repeat {
            guard next() == UInt8(ascii: "\""), scanString(), let name = values.last,
                name.kind == .string,
                names.insert(bytes[Int(name.start)..<Int(name.end)]), take(UInt8(ascii: ":")),
                scanValue()
            else { return false }
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "}")) && close(place)
    }

    private mutating func scanArray() -> Bool {
        guard let place = open(.array) else { return false }
        guard !take(UInt8(ascii: "]")) else { return close(place) }
        repeat {
            guard let byte = next() else { return false }
            if leaves[leaf].isRun, position == 0, byte != UInt8(ascii: ",") {
                append(.run, 0..<bytes.count)
                position = bytes.count
            } else if !scanValue() {
                return false
            }
        } while take(UInt8(ascii: ","))
        return take(UInt8(ascii: "]")) && close(place)
    }

    private mutating func scanString() -> Bool {
        let start = position + 1
        var end = start
        var hasEscapes = false
        // Without a look at the array for each byte: most bytes of a text are in strings.
        let isWhole = bytes.withUnsafeBytes { bytes in
            end = bytes.endOfPlainJSON(from: end)
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                guard bytes[end] >= 32 else { return false }
                if bytes[end] == UInt8(ascii: "\\") {
                    hasEscapes = true
                    end += 1
                }
                end += 1
            }
            return end < bytes.count
        }
        guard isWhole else { return false }
        append(hasEscapes ? .escaped : .string, start..<end)
        position = end + 1
        return true
    }

    private mutating func scanWord(_ word: StaticString, _ kind: JSONTape.Value.Kind) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count,
            word.withUTF8Buffer({ $0.elementsEqual(bytes[position..<end]) })
        else { return false }
        append(kind, position..<end)
        position = end
        return true
    }

    private mutating func scanNumber() -> Bool {
        let start = position
        if position < bytes.count, bytes[position] == UInt8(ascii: "-") { position += 1 }
        let first = position
        guard skipDigits(), bytes[first] != 48 || position == first + 1 else { return false }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            guard skipDigits() else { return false }
        }
        if position < bytes.count, bytes[position] | 32 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, [43, 45].contains(bytes[position]) { position += 1 }
            guard skipDigits() else { return false }
        }
        // A number that ends with its chunk may go on in the next one.
        guard position < bytes.count || leaf + 1 == leaves.count else { return false }
        append(.number, start..<position)
        return true
    }

    private mutating func skipDigits() -> Bool {
        let start = position
        while position < bytes.count, (48...57).contains(bytes[position]) { position += 1 }
        return position > start
    }

    private mutating func append(_ kind: JSONTape.Value.Kind, _ range: Range<Int>) {
        values.append(
            JSONTape.Value(
                kind: kind, leaf: Int32(leaf), start: Int32(range.lowerBound),
                end: kind == .object ? 0 : Int32(range.upperBound), next: Int32(values.count + 1)))
    }

    private mutating func open(_ kind: JSONTape.Value.Kind) -> Int? {
        guard depth < JSONScanner.depthMax else { return nil }
        depth += 1
        append(kind, position..<position + 1)
        position += 1
        return values.count - 1
    }

    private mutating func close(_ place: Int) -> Bool {
        depth -= 1
        values[place].next = Int32(values.count)
        return true
    }
}

/// Notices, occasionally in error, that an object has two members of one name.
private struct NameFilter {
    private var seen: UInt64 = 0
    private var hashes: [UInt64] = []

    init() { hashes.reserveCapacity(16) }

    /// Adds a name; returns false when one of the same hash is there already.
    mutating func insert(_ name: ArraySlice<UInt8>) -> Bool {
        let hash = name.withUnsafeBytes { BodyChunk.fingerprint(of: $0) }
        let bit: UInt64 = 1 << (hash & 63)
        if seen & bit != 0, hashes.contains(hash) { return false }
        seen |= bit
        hashes.append(hash)
        return true
    }
}
