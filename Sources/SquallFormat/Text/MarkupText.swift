extension String {
    /// Appends a text escaped for XML and HTML, for elements and for quoted attributes.
    mutating func append(escapingForMarkup text: String) {
        guard text.utf8.contains(where: \.mayNeedEscaping) else { return self += text }
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": self += "&amp;"
            case "<": self += "&lt;"
            case ">": self += "&gt;"
            case "\"": self += "&quot;"
            case "\t", "\n": unicodeScalars.append(scalar)
            // XML cannot contain the other control characters.
            case "\0"..<" ", "\u{fffe}", "\u{ffff}": self += "\u{fffd}"
            default: unicodeScalars.append(scalar)
            }
        }
    }
}

extension UInt8 {
    /// True if a character that needs escaping may begin with this byte of UTF-8.
    fileprivate var mayNeedEscaping: Bool {
        switch self {
        case 0..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"),
            UInt8(ascii: "\""), 0xEF:
            true
        default: false
        }
    }
}
