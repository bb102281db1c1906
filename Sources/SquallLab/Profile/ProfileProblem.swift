/// One thing that is wrong with a profile file, and how to mend it.
public struct ProfileProblem: Error, Hashable, Sendable {
    /// The file as it was named.
    public let file: String
    /// The line it is about, counted from 1; nil when the file could not be read at all.
    public let line: Int?
    /// The column in that line, counted from 1.
    public let column: Int?
    /// Where in the document, as a JSON pointer such as `/populations/0/users`.
    public let path: String
    /// What is wrong, with the value found and what would be right.
    public let message: String
    /// The kind of problem, without changing parts.
    public let label: Label

    /// The kinds of problems.
    public enum Label: String, Sendable {
        case syntax
        case unknownKey
        case missingKey
        case wrongType
        case outOfRange
        case unknownName
        case threshold
        case contradiction
    }
}

extension ProfileProblem: CustomStringConvertible {
    /// The message with file, place and path.
    public var description: String {
        let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        return "\(message) (\(file)\(place)\(path.isEmpty ? "" : ", \(path)"))"
    }
}

/// Everything that is wrong with a profile file.
public struct InvalidProfile: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems in the order of the text; at least one.
    public let problems: [ProfileProblem]

    /// One problem on each line.
    public var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
