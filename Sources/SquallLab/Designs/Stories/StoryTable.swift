import SquallApps
import SquallFormat

/// The measured stories of one app: a row for each story.
struct StoryTable: Sendable {
    /// A story, and the cost of its scene before and after.
    struct Row: Sendable {
        /// The story's subject.
        let title: String
        /// The earlier and the later design.
        let designs: [String]
        /// The cost of the scene on each of them.
        let costs: [StoryCost]
    }

    /// A row for each story of the app.
    let rows: [Row]

    /// Plays all stories of an app; apps of other packages have none.
    ///
    /// - Throws: what stops a simulation.
    init(of app: AppDescription, in place: DesignPlace) throws {
        rows = try DesignStory.of(app.name).map { story in
            let designs = [story.before, story.after]
            return Row(
                title: story.title, designs: designs,
                costs: try designs.map {
                    try PhoneWorld.cost(
                        of: story.scene, DesignSubject(app, design: $0, in: place))
                })
        }
    }

    /// The headings of the columns after the first one.
    static let headings = [
        "before → after", "served", "refreshes", "attempts", "sign-ins", "waited",
    ]
}

extension StoryTable.Row {
    /// The cells after the title, in the order of ``StoryTable/headings``.
    var cells: [String] {
        let figures: [(StoryCost) -> String] = [
            { "\($0.served)/\($0.taps)" }, { "\($0.refreshes)" }, { "\($0.attempts)" },
            { "\($0.signIns)" }, { Units.approximate(nanoseconds: $0.waitedNanoseconds) },
        ]
        return [designs.joined(separator: " → ")]
            + figures.map { figure in costs.map(figure).joined(separator: " → ") }
    }
}
