/// One thing that is wrong with a setting, and how to mend it.
public struct SettingProblem: Hashable, Sendable {
    /// Which setting.
    public let path: SettingPath
    /// What is wrong, with the value found and what would be right.
    public let message: String
    /// The kind of problem, without changing parts.
    public let label: Label
    /// The place, where it is not that of the value at the path.
    public let place: TextPlace?

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

/// The problems found so far.
public struct SettingProblems: Hashable, Sendable {
    /// In the order in which they were found.
    public private(set) var all: [SettingProblem] = []

    /// None.
    public init() {}

    /// Adds one.
    public mutating func report(
        _ label: SettingProblem.Label, at path: SettingPath, _ message: String,
        place: TextPlace? = nil
    ) {
        all.append(SettingProblem(path: path, message: message, label: label, place: place))
    }

    /// Whether a setting, everything in it and everything around it was read without a problem.
    public func spare(_ path: SettingPath) -> Bool { !all.contains { $0.path.overlaps(path) } }
}
