public import SquallApps
import SquallFormat

/// What the developers of one app went through, measured: a line for each story.
public struct StoryTable: Hashable, Sendable {
    /// A story, and what its scene cost before and after.
    public struct Row: Hashable, Sendable {
        /// What it is about.
        public let title: String
        /// The designs it begins and ends with.
        public let designs: [String]
        /// What the scene cost on each of them.
        public let costs: [StoryCost]
    }

    /// A row for each story of the app.
    public let rows: [Row]

    /// Plays every story of an app; there are none of apps from elsewhere.
    ///
    /// - Throws: what stops a simulation.
    public init(of app: AppDescription, in place: DesignPlace) throws {
        rows = try DesignStory.of(app.name).map { story in
            let designs = [story.before, story.after]
            return Row(
                title: story.title, designs: designs,
                costs: try designs.map { try story.cost(of: $0, in: place) })
        }
    }

    /// The heads of the columns behind the first one.
    public static let headings = [
        "before → after", "served", "refreshes", "attempts", "sign-ins", "waited",
    ]
}

extension StoryTable.Row {
    /// What stands behind the title, in the order of ``StoryTable/headings``.
    public var cells: [String] {
        let figures: [(StoryCost) -> String] = [
            { "\($0.served)/\($0.taps)" }, { "\($0.refreshes)" }, { "\($0.attempts)" },
            { "\($0.signIns)" }, { Units.approximate(nanoseconds: $0.waitedNanoseconds) },
        ]
        return [designs.joined(separator: " → ")]
            + figures.map { figure in costs.map(figure).joined(separator: " → ") }
    }
}
