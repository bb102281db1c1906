/// The reason for which a log cannot be read, in a sentence that follows the log's name.
public struct LogProblem: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    /// A problem in words, which can follow the name of a log.
    public init(_ description: String) { self.description = description }
}
