extension String {
    /// The text with everything shown that a terminal or an editor would obey or hide: control
    /// characters, those that turn the direction of writing, and those without any width.
    ///
    /// Whoever quotes a file that a stranger may have written shows this instead.
    public var visible: String {
        guard unicodeScalars.contains(where: \.isHiddenOrObeyed) else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.isHiddenOrObeyed {
                text += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }

    /// The first character of a text that has no place in a name or a sentence; nil when all do.
    public var firstUnfit: String? {
        unicodeScalars.first(where: \.isHiddenOrObeyed).map {
            "U+" + String($0.value, radix: 16, uppercase: true)
        }
    }

    /// A short piece of it for a message: shown as it is, and cut.
    public func excerpt(_ length: Int = 40) -> String {
        String(prefix(length + 1)).visible.fitted(to: length)
    }
}

extension Unicode.Scalar {
    fileprivate var isHiddenOrObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7f...0x9f: true
        case ..<0x200: false
        // Soft hyphen aside: marks of direction, separators, embeddings, isolates, the byte order
        // mark and the tags. A joiner (U+200D) makes one emoji of several and stays.
        case 0x61c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff: true
        case 0xe0000...0xe007f: true
        default: false
        }
    }
}
