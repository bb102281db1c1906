/// The values of a query string, percent-decoded, the first of each name.
struct Query {
    private let text: String

    init(_ text: String?) { self.text = text ?? "" }

    /// A value, or `nil` when it is absent or empty, which mean the same here.
    subscript(_ name: StaticString) -> String? {
        var text = text
        return text.withUTF8 { bytes in
            guard let range = Query.value(of: name, in: bytes), !range.isEmpty else { return nil }
            return PercentDecoding.lenient(UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    /// Where the value of a name stands.
    private static func value(
        of name: StaticString, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            let nameEnd = start + name.utf8CodeUnitCount
            if nameEnd <= end, name.withUTF8Buffer({ $0.elementsEqual(bytes[start..<nameEnd]) }) {
                if nameEnd == end { return end..<end }
                if bytes[nameEnd] == UInt8(ascii: "=") { return nameEnd + 1..<end }
            }
            start = end + 1
        }
        return nil
    }
}
