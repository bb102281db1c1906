/// JSON's grammar of numbers: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
///
/// Checked byte by byte: a regular expression took half of the time of reading a result.
enum JSONNumber {
    /// True if all of some bytes are one number.
    static func isOne(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        _ = take("-", from: &rest)
        let whole = digits(from: &rest)
        guard whole.count == 1 || (whole.count > 1 && whole.first != UInt8(ascii: "0")) else {
            return false
        }
        if take(".", from: &rest), digits(from: &rest).isEmpty { return false }
        if take("e", from: &rest) || take("E", from: &rest) {
            if !take("+", from: &rest) { _ = take("-", from: &rest) }
            if digits(from: &rest).isEmpty { return false }
        }
        return rest.isEmpty
    }

    private static func take(_ sign: Unicode.Scalar, from rest: inout ArraySlice<UInt8>) -> Bool {
        guard rest.first == UInt8(ascii: sign) else { return false }
        rest.removeFirst()
        return true
    }

    private static func digits(from rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        rest = rest[digits.endIndex...]
        return digits
    }
}
