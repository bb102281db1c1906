/// Why a log cannot be read, in a sentence that follows the log's name.
public struct LogProblem: Error, Equatable, CustomStringConvertible {
    /// The sentence.
    public let description: String

    init(_ description: String) { self.description = description }
}
