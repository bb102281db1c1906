/// What differs between the schedules of an exploration, and what is the same in all of them.
public struct ScheduleVariation: Hashable, Sendable {
    /// What differs between the schedules, each in a few words.
    public let varied: [String]
    /// What differs in real life but not here.
    public let fixed: [String]

    /// A variation of its parts.
    public init(varied: [String], fixed: [String]) {
        self.varied = varied
        self.fixed = fixed
    }
}

extension ScheduleVariation {
    /// The name of the window in reports.
    public static let window = "reordering window (how late an event may happen)"

    /// What was varied, and what was not, a sentence each.
    public var sentences: [String] {
        [("varied", varied), ("not varied", fixed)].filter { !$0.1.isEmpty }.map {
            "\($0.0): \($0.1.joined(separator: ", "))"
        }
    }
}
