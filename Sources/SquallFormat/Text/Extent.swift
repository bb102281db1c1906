/// How much of what was asked for a result rests on: whole, partial or interrupted.
///
/// Every result that can be incomplete has one, and every reader of results asks it.
public struct Extent: Hashable, Sendable {
    /// How many parts there are in it.
    public let played: Int
    /// How many were asked for; nil where no number was.
    public let asked: Int?
    /// Whether it was asked to stop.
    public let wasInterrupted: Bool
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

    /// Whether nothing is missing.
    public var isWhole: Bool { !wasInterrupted && asked == played }

    /// The word for it in data.
    public var word: String { wasInterrupted ? "interrupted" : isWhole ? "whole" : "partial" }

    /// What is missing, as a sentence without its end; nil when nothing is.
    public var sentence: String? {
        guard !isWhole else { return nil }
        return wasInterrupted
            ? "interrupted: \(text), so the result is not complete"
            : "stopped before everything was played: \(text)"
    }
}
