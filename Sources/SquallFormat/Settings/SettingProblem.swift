/// One problem with a setting, and how to correct it.
public struct SettingProblem: Hashable, Sendable {
    /// The setting.
    public let path: SettingPath
    /// The fault, with the value found and a right one.
    public let message: String
    /// The kind of problem, without variable parts.
    public let label: Label
    /// The position, if it is not that of the value at the path.
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
    /// The problems, in the order in which they were found.
    ///
    /// Of a file that is wrong everywhere only the first ones are kept.
    public private(set) var all: [SettingProblem] = []
    /// The number of problems, kept or not.
    public private(set) var count = 0
    private static let keptMax = 100
    private static let messageMax = 600

    /// No problems.
    public init() {}

    /// Adds a problem.
    public mutating func report(
        _ label: SettingProblem.Label, at path: SettingPath, _ message: String,
        place: TextPlace? = nil
    ) {
        count += 1
        guard !isFull else { return }
        all.append(
            SettingProblem(
                path: path, message: message.excerpt(SettingProblems.messageMax), label: label,
                place: place))
    }

    /// True if no more problems are kept, so that it is useless to compose another message.
    public var isFull: Bool { all.count >= SettingProblems.keptMax }

    /// True if a setting, everything in it and everything around it had no problem.
    func spare(_ path: SettingPath) -> Bool { !all.contains { $0.path.overlaps(path) } }
}
