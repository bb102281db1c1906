public import SquallFormat

/// One problem of a profile, and how to solve it.
public struct ProfileProblem: Error, Hashable, Sendable {
    /// The file as it was named, or the option of the command line that is wrong.
    let file: String
    /// The line it is about, counted from 1; nil when the file could not be read at all.
    public let line: Int?
    /// The column in that line, counted from 1.
    public let column: Int?
    /// Where in the document, as a JSON pointer such as `/populations/0/users`.
    public let path: String
    /// What is wrong, with the value found and a right one.
    public let message: String
    /// The kind of problem, without changing parts.
    public let label: SettingProblem.Label
    /// Whether an override, and not the file, made the problem.
    public let isOverride: Bool
}

extension ProfileProblem: CustomStringConvertible {
    /// The message with file, place and path.
    public var description: String {
        let place = [line, column].compactMap { $0 }.map { ":\($0)" }.joined()
        let path = path.isEmpty ? "" : ", \(path.excerpt(200))"
        return "\(message.visible) (\(file.visible)\(place)\(path))"
    }
}

/// All problems of a profile file.
public struct InvalidProfile: Error, Hashable, Sendable, CustomStringConvertible {
    /// The first problems in the order of the text; at least one.
    public let problems: [ProfileProblem]
    /// How many problems there are.
    public let count: Int

    /// One problem on each line.
    public var description: String {
        let others = count - problems.count
        let more = others > 0 ? ["and \(Units.counted(others, "other problem"))"] : []
        return (problems.map(\.description) + more).joined(separator: "\n")
    }
}
