/// Names and values as forms and addresses write them: `name=value&other=v%20w`.
enum FormFields {
    /// The value of a name, decoded; the first when there are several.
    static func value(of name: String, in text: String) -> String? {
        for field in text.utf8.split(separator: UInt8(ascii: "&")) {
            let halves = field.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard decoded(Substring(halves[0])) == name else { continue }
            return halves.count > 1 ? decoded(Substring(halves[1])) : ""
        }
        return nil
    }

    /// The value of a cookie in a request's header field.
    static func cookie(_ name: String, in text: String) -> String? {
        for field in text.split(separator: ";") {
            let halves = field.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0] == name { return String(halves[1]) }
        }
        return nil
    }

    private static func decoded(_ text: Substring) -> String {
        // A token is long, and has neither.
        guard text.utf8.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") })
        else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let pair = UInt8(hex: rest.prefix(2)) {
                bytes.append(pair)
                rest.removeFirst(2)
            } else {
                bytes.append(byte == UInt8(ascii: "+") ? 32 : byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate init?(hex text: Substring.UTF8View) {
        guard text.count == 2, let value = UInt8(String(Substring(text)), radix: 16) else {
            return nil
        }
        self = value
    }
}
