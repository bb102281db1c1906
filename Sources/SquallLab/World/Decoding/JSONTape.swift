import SquallFormat
import SquallHTTP
import SquallKernel

/// A JSON text as a list of its values, each before the values in it, with their places.
///
/// It reads only texts that it fully understands: `nil` sends the caller to Foundation, which
/// decides about odd and broken texts.
final class JSONTape {
    @exclusivity(unchecked) private(set) var values: [Value] = []
    private let leaves: [BodyChunk]

    /// A value of the text.
    struct Value {
        enum Kind: UInt8 {
            /// Its members' names and values take turns.
            case object
            case array, string, number, isTrue, isFalse, null
            /// A string with escapes.
            case escaped
            /// Some elements of an array that have not been read yet.
            case run
        }

        let kind: Kind
        /// Its chunk, and its place there, without quotation marks.
        let leaf, start: Int32
        /// Its end; for an object, the position of the name that is likely asked for next.
        var end: Int32
        /// The position of the first value that is not in it.
        var next: Int32
    }

    /// The values of a text; `nil` for one that is better left to Foundation.
    init?(_ body: Body) {
        guard let chunks = body.chunks else { return nil }
        for chunk in chunks {
            chunk.parts.withUnsafeBufferPointer { parts in
                parts.withMemoryRebound(to: UInt.self) { addresses in
                    for address in addresses { prefetch(address, byteCount: 64) }
                }
            }
        }
        leaves = chunks.flatMap { $0.parts.isEmpty ? [$0] : $0.parts }
        // A run is read when its elements are asked for.
        guard leaves.allSatisfy({ $0.isRun || $0.isUTF8 }) else { return nil }
        var scanner = JSONScanner(leaves)
        guard scanner.scanDocument() else { return nil }
        values = scanner.values
    }

    /// The values of a run's elements; `nil` when the run is not a valid list.
    init?(run: BodyChunk) {
        leaves = [run]
        var scanner = JSONScanner(leaves)
        guard run.isUTF8, scanner.scanElements() else { return nil }
        values = scanner.values
    }

    /// What members of the text's object that are in the chunk of the first one depend on: that
    /// chunk, and the names of the others; `nil` for a text of one chunk.
    var head: BodyChunk? {
        guard leaves.count > 1, values.count > 1, values[0].kind == .object else { return nil }
        var others: [UInt8] = []
        var name = 1
        while name < values.count {
            let member = values[name]
            if !isInHead(name + 1) {
                // With the quotation mark behind it.
                others += leaves[Int(member.leaf)].bytes[Int(member.start)...Int(member.end)]
            }
            name = Int(values[name + 1].next)
        }
        return BodyChunk(parts: [leaves[Int(values[1].leaf)], BodyChunk(others)])
    }

    /// True if all of a member's value is in the chunk of the first member's name.
    func isInHead(_ place: Int) -> Bool {
        let head = values[1].leaf
        return values[place].leaf == head && values[Int(values[place].next) - 1].leaf == head
    }

    /// The positions of values one after the other, all of a run's by default.
    func places(from first: Int = 0, to end: Int? = nil) -> [Int] {
        var places: [Int] = []
        var place = first
        while place < end ?? values.count {
            places.append(place)
            place = Int(values[place].next)
        }
        return places
    }

    /// The position of an object's member's value; `nil` without such a member.
    ///
    /// Types ask for members in the order in which most servers write them, so the search goes on
    /// from where the last one ended.
    func member(_ name: UnsafeBufferPointer<UInt8>, of object: Int) -> Int? {
        let (first, end) = (object + 1, Int(values[object].next))
        let likely = max(first, Int(values[object].end))
        let found =
            position(of: name, from: likely, to: end)
            ?? position(of: name, from: first, to: min(likely, end))
        guard let place = found else { return nil }
        values[object].end = values[place + 1].next
        return place + 1
    }

    private func position(
        of name: UnsafeBufferPointer<UInt8>, from first: Int, to end: Int
    ) -> Int? {
        var place = first
        while place < end {
            if isName(values[place], name) { return place }
            place = Int(values[place + 1].next)
        }
        return nil
    }

    func chunk(of value: Value) -> BodyChunk { leaves[Int(value.leaf)] }

    /// A string's text, or a number's; `nil` when its escapes are not sound.
    func text(_ value: Value) -> String? {
        let bytes = leaves[Int(value.leaf)].bytes[Int(value.start)..<Int(value.end)]
        guard value.kind == .escaped else { return String(decoding: bytes, as: UTF8.self) }
        let quoted = [UInt8(ascii: "\"")] + bytes + [UInt8(ascii: "\"")]
        guard case .string(let text)? = try? JSONParser.parse(quoted).value else { return nil }
        return text
    }

    private func isName(_ value: Value, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard Int(value.end - value.start) == name.count else { return false }
        return leaves[Int(value.leaf)].bytes.withUnsafeBufferPointer { bytes in
            let first = Int(value.start)
            for offset in name.indices where bytes[first + offset] != name[offset] { return false }
            return true
        }
    }

    /// A number without fraction and exponent; `nil` for any other.
    func integer(_ value: Value) -> Int64? {
        guard value.kind == .number, value.end - value.start <= 19 else { return nil }
        var magnitude: Int64 = 0
        var isNegative = false
        for byte in leaves[Int(value.leaf)].bytes[Int(value.start)..<Int(value.end)] {
            switch byte {
            case 48...57:
                let (product, overflows) = magnitude.multipliedReportingOverflow(by: 10)
                guard !overflows, product <= .max - 9 else { return nil }
                magnitude = product + Int64(byte - 48)
            case 45: isNegative = true
            default: return nil
            }
        }
        return isNegative ? -magnitude : magnitude
    }
}
