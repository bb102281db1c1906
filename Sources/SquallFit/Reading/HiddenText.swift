/// The only form in which a log's text gets into messages.
enum HiddenText {
    /// The beginning of a text with letters and digits hidden, since they may be personal.
    static func quote(_ line: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in line.prefix(60) {
            switch byte {
            case 0x30...0x39: text += "0"
            case 0x41...0x5a, 0x61...0x7a: text += "a"
            case 0x20...0x7e: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "?"
            }
        }
        return text
    }

    /// The form of a text: `w` for each word of letters, digits, `.`, `-`, `_`, `<` and `>`, and
    /// the characters between them.
    static func form(_ line: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in line.prefix(120) {
            let isWord =
                0x30...0x39 ~= byte || 0x61...0x7a ~= byte | 0x20
                || [0x2d, 0x2e, 0x5f, 0x3c, 0x3e].contains(byte)
            guard isWord else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
                continue
            }
            if text.last != "w" { text += "w" }
        }
        return text
    }
}
