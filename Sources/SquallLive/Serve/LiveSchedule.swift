import SquallFormat

/// A schedule in which a command was run in virtual time, and what came of it.
public struct LiveSchedule: Sendable {
    /// The seed that draws latencies and orders.
    public let seed: UInt64
    /// True if nothing was broken; `nil` where nothing was put to the test.
    public let passes: Bool?
    /// Its outcome in a sentence.
    public let sentence: String
    /// The command that plays it again.
    let replay: String

    /// The schedule of a seed, with its report.
    public init(seed: UInt64, _ report: LiveReport, replay: String) {
        (self.seed, self.replay) = (seed, replay)
        (passes, sentence) = (report.passes, report.sentence)
    }

    var point: Point { Point(head: "seed \(seed): \(sentence)", isGood: false, detail: replay) }

    var json: JSON {
        [
            "seed": .string("\(seed)"), "passed": .optional(passes, JSON.bool),
            "outcome": .string(sentence), "replay": .string(replay),
        ]
    }
}
