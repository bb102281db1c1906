public import SquallKernel

/// Makes the schedules of an exploration.
///
/// A new one is a static value and its name in ``all``. A schedule depends only on the
/// exploration's seed, its number and what earlier rounds have taught, so it does not depend on how
/// many threads play.
public struct Strategy: Sendable {
    /// The name by which it is asked for.
    public let name: String
    /// What it does, in a sentence.
    public let about: String
    /// Makes the policy of a schedule.
    public let policy: @Sendable (_ draw: RandomStream, _ lesson: Lesson) -> any SchedulingPolicy

    /// The experience of earlier rounds.
    public struct Lesson: Sendable {
        /// The most choices that a schedule has had.
        public internal(set) var length = 1
        /// Schedules that led to a new view of the server.
        public internal(set) var corpus: [[UInt16]] = []

        static let corpusMax = 1_024
        /// A longer schedule teaches too little for the memory it takes.
        static let choicesMax = 16_384

        /// Adds a schedule to the corpus, in place of an old one when it is full.
        mutating func remember(_ choices: [UInt16], number: Int) {
            guard choices.count <= Lesson.choicesMax else { return }
            guard corpus.count >= Lesson.corpusMax else { return corpus.append(choices) }
            corpus[number % Lesson.corpusMax] = choices
        }
    }
}

extension Strategy {
    /// First in, first out: the order of every ordinary run, and the first schedule of all.
    static let fifo = Strategy(
        name: "fifo",
        about: "The default order: first in, first out."
    ) { _, _ in
        FirstInFirstOut()
    }

    /// A random priority for each thing that can run.
    static let pos = Strategy(
        name: "pos", about: "A random priority for each event."
    ) { draw, _ in PrioritySampling(seed: draw.bits(at: 0)) }

    /// Priorities of tasks and calls, with one to three changes; for bugs of two to four events.
    static let pct = Strategy(
        name: "pct", about: "Random priorities of tasks and calls, which change one to three times."
    ) { draw, lesson in
        let depth = 2 + Int(draw.integer(below: 3, at: 1))
        return PriorityChangePoints(
            seed: draw.bits(at: 0), depth: depth, length: max(1, lesson.length))
    }

    /// Any of what can run, equally likely.
    static let random = Strategy(
        name: "random", about: "Every possible event with equal probability."
    ) { draw, _ in RandomSchedule(seed: draw.bits(at: 0)) }

    /// A schedule that led to something new, with up to five choices changed or left out.
    static let mutation = Strategy(
        name: "mutation", about: "Changes of schedules that reached a new server state."
    ) { draw, lesson in
        guard !lesson.corpus.isEmpty else { return PrioritySampling(seed: draw.bits(at: 0)) }
        let parent = Int(draw.integer(below: UInt64(lesson.corpus.count), at: 1))
        var choices = lesson.corpus[parent]
        let changes = 1 + draw.integer(below: 5, at: 2)
        for change in 0..<changes where !choices.isEmpty {
            let place = Int(draw.integer(below: UInt64(choices.count), at: 3 + change * 3))
            let value = draw.integer(below: 6, at: 4 + change * 3)
            if draw.chance(0.2, at: 5 + change * 3) {
                choices.remove(at: place)
            } else {
                choices[place] = UInt16(value)
            }
        }
        return ReplayedSchedule(choices)
    }

    /// The strategies that can be asked for by name.
    public static let all: [Strategy] = [fifo, pos, pct, random, mutation]

    /// The strategy of a name.
    public static func named(_ name: String) -> Strategy? { all.first { $0.name == name } }
}
