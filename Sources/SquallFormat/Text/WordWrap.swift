/// Sentences in lines of a given width.
public enum WordWrap {
    /// The text broken between words; a word wider than a line stays whole.
    ///
    /// `first` precedes the first line and `rest` all others; both count as width.
    public static func lines(
        _ text: String, width: Int = 80, first: String = "", rest: String = ""
    ) -> [String] {
        var lines: [String] = []
        for word in words(of: text) {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append((lines.isEmpty ? first : rest) + word)
            }
        }
        return lines
    }

    /// What follows a number on its line.
    private static let units = ["%", "pp", "s", "ms", "µs", "ns"]

    /// The words of a text; the groups of digits of a number and its unit are one word.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            let isGroup = word.prefix { $0.isNumber }.count == 3
            let isUnit = units.contains(String(word.prefix { $0.isLetter || $0 == "%" }))
            if isGroup || isUnit, let last = words.last, last.last?.isNumber == true {
                words[words.count - 1] = last + " " + word
            } else {
                words.append(String(word))
            }
        }
        return words
    }
}
