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

    /// Units that stay on the line of their number.
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

/// The part of a request that a result covers: whole, partial or interrupted.
///
/// Every result that can be incomplete has one, and every reader of results asks it.
public struct Extent: Hashable, Sendable {
    /// The number of parts that it covers.
    public let played: Int
    /// The number of parts that were asked for; `nil` where no number was.
    public let asked: Int?
    /// True if it was asked to stop.
    let wasInterrupted: Bool
    private let text: String

    /// A result of some parts, of so many.
    public init(_ played: Int, of asked: Int?, _ noun: String, wasInterrupted: Bool = false) {
        (self.played, self.asked, self.wasInterrupted) = (played, asked, wasInterrupted)
        let all = asked.map { "\(Units.grouped(Int64(played))) of \(Units.counted($0, noun))" }
        text = "\(all ?? Units.counted(played, noun)) \(played == 1 ? "was" : "were") played"
    }

    /// A single run, whole or interrupted after some virtual time.
    public init(runWith virtualNanoseconds: Int64, wasInterrupted: Bool) {
        (played, asked, self.wasInterrupted) = (wasInterrupted ? 0 : 1, 1, wasInterrupted)
        text = "it ended after \(Units.exact(nanoseconds: virtualNanoseconds)) of virtual time"
    }

    /// True if nothing is missing.
    public var isWhole: Bool { !wasInterrupted && asked == played }

    /// The word for it in data.
    public var word: String { wasInterrupted ? "interrupted" : isWhole ? "whole" : "partial" }

    /// The missing part, as a sentence without its end; `nil` when nothing is missing.
    public var sentence: String? {
        guard !isWhole else { return nil }
        return wasInterrupted
            ? "interrupted: \(text), so the result is not complete"
            : "stopped before everything was played: \(text)"
    }
}
