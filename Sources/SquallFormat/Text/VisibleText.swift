extension String {
    /// The text with everything escaped that a terminal or an editor would obey or hide: control
    /// characters, those that change the direction of writing, and those without any width.
    ///
    /// Messages show this in place of text from untrusted files.
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

    /// The first character that must not be in a name or a sentence; nil if there is none.
    public var firstUnfit: String? {
        unicodeScalars.first(where: \.isHiddenOrObeyed).map {
            "U+" + String($0.value, radix: 16, uppercase: true)
        }
    }

    /// A short piece of the text for a message: escaped and cut.
    public func excerpt(_ length: Int = 40) -> String {
        String(prefix(length + 1)).visible.fitted(to: length)
    }

    /// The form in which a text from outside is kept and shown: visible, and of at most so many
    /// bytes and a few more for a number that tells cut texts apart.
    ///
    /// Names, paths and messages of clients and servers pass this before they are kept.
    public func keptFromOutside(bytes: Int = 80) -> String {
        guard utf8.count > bytes else { return visible }
        var start = utf8.index(utf8.startIndex, offsetBy: bytes)
        while start.samePosition(in: unicodeScalars) == nil { start = utf8.index(before: start) }
        let number = StableHash(of: utf8).value.hexadecimal.prefix(8)
        return String(self[..<start]).visible + "…" + number
    }
}

extension Unicode.Scalar {
    fileprivate var isHiddenOrObeyed: Bool {
        switch value {
        case 0..<0x20, 0x7f...0x9f: true
        case ..<0x200: false
        // Besides the soft hyphen: marks of direction, separators, embeddings, isolates, the byte
        // order mark and the tags. A joiner (U+200D) combines several emoji into one and stays.
        case 0x61c, 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff: true
        case 0xe0000...0xe007f: true
        default: false
        }
    }
}

extension StringProtocol {
    /// The text with an upper-case first letter.
    public var sentenceCase: String { prefix(1).uppercased() + dropFirst() }

    /// The words of a name in code: `not judged` for `notJudged`.
    public var camelCaseWords: String {
        map { $0.isUppercase ? " \($0.lowercased())" : "\($0)" }.joined()
    }
}
