extension String {
    /// The word quoted for a POSIX shell, without characters that control a terminal.
    public var quotedForShell: String {
        guard visible == self else {
            let bytes = utf8.map { byte in
                (0x20..<0x7f).contains(byte) && !"'\\".utf8.contains(byte)
                    ? String(UnicodeScalar(byte))
                    : "\\" + String(repeating: "0", count: byte < 8 ? 2 : byte < 64 ? 1 : 0)
                        + String(byte, radix: 8)
            }
            return "$'\(bytes.joined())'"
        }
        return quotedForScript
    }

    /// The word quoted for a script that any POSIX shell reads, with every character as it is.
    public var quotedForScript: String {
        let isPlain =
            !isEmpty
            && allSatisfy { character in
                character.isASCII && (character.isLetter || character.isNumber)
                    || "-_./:=+@%".contains(character)
            }
        return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
