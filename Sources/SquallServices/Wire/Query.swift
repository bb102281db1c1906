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

    /// Whether there is a value, be it empty.
    func names(_ name: StaticString) -> Bool {
        var text = text
        return text.withUTF8 { Query.value(of: name, in: $0) != nil }
    }

    /// Where the value of a name stands.
    private static func value(
        of name: StaticString, in bytes: UnsafeBufferPointer<UInt8>
    ) -> Range<Int>? {
        let length = name.utf8CodeUnitCount
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
            // Looks first at the character behind a name: few names are equally long.
            let nameEnd = start + length
            if nameEnd <= end, nameEnd == end || bytes[nameEnd] == UInt8(ascii: "="),
                name.withUTF8Buffer({ $0.elementsEqual(bytes[start..<nameEnd]) })
            {
                return min(nameEnd + 1, end)..<end
            }
            start = end + 1
        }
        return nil
    }
}
