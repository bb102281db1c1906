/// A place in a text that is being read.
struct Cursor {
    private let text: String
    private var position: String.Index

    init(_ text: String) {
        self.text = text
        position = text.startIndex
    }

    var isAtEnd: Bool { position == text.endIndex }

    /// Takes the characters up to the first that does not fit.
    mutating func take(while fits: (Character) -> Bool) -> Substring {
        let taken = text[position...].prefix(while: fits)
        position = taken.endIndex
        return taken
    }

    /// Goes past the token if it comes next.
    mutating func skip(_ token: String) -> Bool {
        guard text[position...].hasPrefix(token) else { return false }
        position = text.index(position, offsetBy: token.count)
        return true
    }

    mutating func skipSpaces() {
        position = text[position...].prefix(while: \.isWhitespace).endIndex
    }

    /// The problem at the current place, or where the given part of the text begins.
    func error(at part: Substring? = nil, _ problem: String) -> ThresholdError {
        let place = part?.startIndex ?? position
        return ThresholdError(
            text: text, column: text.distance(from: text.startIndex, to: place) + 1,
            problem: problem)
    }
}
