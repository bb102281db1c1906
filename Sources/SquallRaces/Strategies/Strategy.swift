public import SquallKernel

/// Makes the schedules of an exploration.
///
/// A new one is one file and one line in ``Strategies``. A schedule depends only on the
/// exploration's seed, its number and what earlier rounds have taught, so it does not depend on how
/// many threads play.
public struct Strategy: Sendable {
    /// The name by which it is asked for.
    public let name: String
    /// What it does, in a sentence.
    public let about: String
    /// Makes the policy of a schedule.
    public let policy: @Sendable (_ draw: RandomStream, _ lesson: Lesson) -> any SchedulingPolicy

    /// What earlier rounds have taught.
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

/// The strategies that can be asked for by name, one line each.
public enum Strategies {
    /// All of them.
    public static let all: [Strategy] = [.fifo, .pos, .pct, .random, .mutation]

    /// The strategy of a name.
    public static func named(_ name: String) -> Strategy? { all.first { $0.name == name } }
}
