extension JSONNode {
    /// Reads a document that people write: JSON with comments, or YAML.
    ///
    /// Its text decides, not its name: JSON begins with a bracket, and a key in quotes behind it.
    public static func reading(_ bytes: [UInt8]) throws(JSONSyntaxError) -> JSONNode {
        guard looksLikeJSON(bytes) else { return try YAMLParser.parse(bytes) }
        do throws(JSONSyntaxError) {
            return try JSONParser.parse(bytes)
        } catch {
            // A list in brackets is one of YAML as long as it can be read as such.
            guard bytes.first(where: { $0 > 32 }) == UInt8(ascii: "["),
                let list = try? YAMLParser.parse(bytes)
            else { throw error }
            return list
        }
    }

    private static func looksLikeJSON(_ bytes: [UInt8]) -> Bool {
        // What is no text, and what is empty, is told of as always.
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            return true
        }
        var rest = bytes[...]
        if rest.starts(with: [0xef, 0xbb, 0xbf]) { rest = rest.dropFirst(3) }
        let isSpace: (UInt8) -> Bool = { " \n\t\r".utf8.contains($0) }
        rest = rest.drop(while: isSpace)
        guard let first = rest.first else { return true }
        let second = rest.dropFirst().drop(while: isSpace).first ?? 0
        switch first {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            return !isLetter(second) && !"~&*!?+.'".utf8.contains(second)
        case UInt8(ascii: "/"): return [UInt8(ascii: "/"), UInt8(ascii: "*")].contains(second)
        default: return false
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (97...122).contains(byte | 0x20)
    }
}
