/// Names and values as forms and addresses write them: `name=value&other=v%20w`.
public enum FormFields {
    /// Every name with its value, decoded, in order.
    public static func pairs(in text: [UInt8]) -> [(name: String, value: String)] {
        text.split(separator: UInt8(ascii: "&")).map { field in
            let key = field.prefix { $0 != UInt8(ascii: "=") }
            return (decoded(key), decoded(field[key.endIndex...].dropFirst()))
        }
    }

    /// The value of a name, decoded; the first when there are several.
    static func value(of name: String, in text: [UInt8]) -> String? {
        for field in text.split(separator: UInt8(ascii: "&")) {
            let key = field.prefix { $0 != UInt8(ascii: "=") }
            // Decoding only shortens, and few names have anything to decode.
            guard key.count >= name.utf8.count,
                key.elementsEqual(name.utf8) || decoded(key) == name
            else { continue }
            return decoded(field[key.endIndex...].dropFirst())
        }
        return nil
    }

    /// The value of a cookie in a request's header field.
    public static func cookie(_ name: String, in text: String) -> String? {
        for field in text.split(separator: ";") {
            let halves = field.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if halves.count == 2, halves[0] == name { return String(halves[1]) }
        }
        return nil
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String {
        // A token is long, and has neither.
        guard text.contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") })
        else { return String(decoding: text, as: UTF8.self) }
        var bytes: [UInt8] = []
        var rest = text
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
    fileprivate init?(hex text: ArraySlice<UInt8>) {
        guard text.count == 2,
            let value = UInt8(String(decoding: text, as: UTF8.self), radix: 16)
        else { return nil }
        self = value
    }
}
