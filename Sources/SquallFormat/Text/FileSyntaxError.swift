/// A fault in a file of a run.
public struct FileSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The line, counted from 1.
    public let line: Int
    /// The thing that was expected there.
    public let problem: String

    /// A problem in a line.
    public init(line: Int, problem: String) {
        self.line = line
        self.problem = problem
    }

    /// The problem with its place.
    public var description: String { "line \(line): \(problem)" }
}
