/// A position in a text that is being parsed.
struct Cursor {
    private let text: String
    private var position: String.Index

    init(_ text: String) {
        self.text = text
        position = text.startIndex
    }

    var isAtEnd: Bool { position == text.endIndex }

    /// Takes characters while they fit.
    mutating func take(while fits: (Character) -> Bool) -> Substring {
        let taken = text[position...].prefix(while: fits)
        position = taken.endIndex
        return taken
    }

    /// Skips the token if it comes next.
    mutating func skip(_ token: String) -> Bool {
        guard text[position...].hasPrefix(token) else { return false }
        position = text.index(position, offsetBy: token.count)
        return true
    }

    mutating func skipSpaces() {
        position = text[position...].prefix(while: \.isWhitespace).endIndex
    }

    /// The problem at the current position, or at the given part of the text.
    func error(at part: Substring? = nil, _ problem: String) -> ThresholdError {
        let place = part?.startIndex ?? position
        return ThresholdError(
            text: text, column: text.distance(from: text.startIndex, to: place) + 1,
            problem: problem)
    }
}
