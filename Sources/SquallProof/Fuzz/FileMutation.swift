/// Damages a file of this package, as a disk, an editor or an attacker may.
public struct FileMutation {
    private var dice: RandomChoices

    /// A damage that some dice decide.
    public init(_ dice: RandomChoices) { self.dice = dice }

    private static let numbers = [
        "0", "-1", "1", "2", "-9223372036854775808", "9223372036854775807",
        "18446744073709551615", "4611686018427387903", "-4611686018427387903", "1e18", "1e300",
        "-1e300", "1e999", "0.5", "1e-320", "null", "\"7\"", "[]", "{}", "true",
    ]
    private static let texts = [
        "", "\\u001b[31m", "../../x", "-rf", "이책저책 👩‍👩‍👧‍👦", "users", "NaN", "a\\nb",
        "ns", "count", "--out", "merge",
    ]

    /// The text with one to three damages.
    public mutating func damaged(_ text: String) -> String {
        var bytes = Array(text.utf8)
        for _ in 0...dice.below(3) { bytes = damagedOnce(bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func damagedOnce(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty else { return Array(dice.pick(Self.texts).utf8) }
        switch dice.below(10) {
        case 0:
            var bytes = bytes
            bytes[dice.below(bytes.count)] ^= UInt8(1 << dice.below(8))
            return bytes
        case 1: return Array(bytes.prefix(dice.below(bytes.count)))
        case 2: return replacing(span(of: bytes, longest: 400), in: bytes, with: [])
        case 3:
            let span = span(of: bytes, longest: 2_000)
            return replacing(span.lowerBound..<span.lowerBound, in: bytes, with: bytes[span])
        case 4, 5, 6:
            return replacing(
                token(of: bytes, Self.isOfNumber), in: bytes, with: dice.pick(Self.numbers).utf8)
        case 7:
            return replacing(
                token(of: bytes) { $0 == UInt8(ascii: "\"") ? nil : $0 >= 0x20 }, in: bytes,
                with: dice.pick(Self.texts).utf8)
        case 8: return replacing(line(of: bytes), in: bytes, with: [])
        default:
            let line = line(of: bytes)
            return replacing(line.upperBound..<line.upperBound, in: bytes, with: bytes[line])
        }
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "-.eE".utf8.contains(byte)
            ? true : nil
    }

    private mutating func span(of bytes: [UInt8], longest: Int) -> Range<Int> {
        let start = dice.below(bytes.count)
        return start..<min(bytes.count, start + 1 + dice.below(longest))
    }

    /// A line including its end.
    private mutating func line(of bytes: [UInt8]) -> Range<Int> {
        let place = dice.below(bytes.count)
        let feed = UInt8(ascii: "\n")
        let start = bytes[..<place].lastIndex(of: feed).map { $0 + 1 } ?? 0
        return start..<(bytes[place...].firstIndex(of: feed).map { $0 + 1 } ?? bytes.count)
    }

    /// A run of bytes of one kind, near a random position.
    private mutating func token(of bytes: [UInt8], _ isOf: (UInt8) -> Bool?) -> Range<Int> {
        let place = dice.below(bytes.count)
        guard let start = bytes[place...].firstIndex(where: { isOf($0) == true }) else {
            return place..<place
        }
        let begin = bytes[..<start].lastIndex { isOf($0) == nil }.map { $0 + 1 } ?? 0
        return begin..<(bytes[start...].firstIndex { isOf($0) == nil } ?? bytes.count)
    }

    private func replacing(
        _ span: Range<Int>, in bytes: [UInt8], with other: some Collection<UInt8>
    ) -> [UInt8] {
        var bytes = bytes
        bytes.replaceSubrange(span, with: other)
        return bytes
    }
}
