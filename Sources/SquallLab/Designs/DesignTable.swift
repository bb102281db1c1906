public import SquallApps

/// The measured answers of one app's designs to every question.
public struct DesignTable: Sendable {
    /// The app's name.
    public let app: String
    /// What the app is, in one sentence.
    public let about: String
    /// Its designs, with the original one first.
    public let designs: [String]
    /// A row for each question.
    public let rows: [Row]

    /// A question, and each design's answer.
    public struct Row: Sendable {
        /// The question.
        public let question: String
        /// The answers in the order of the designs.
        public let answers: [String]
        /// Whether the apps are compared by it.
        let isAtAGlance: Bool
    }

    /// The names of the apps with a table.
    public static var apps: [String] { AppRegistry.all.map(\.name) }

    /// Puts every design of an app through every trial, with the services of a place.
    ///
    /// - Throws: what stops a simulation.
    public init(of app: AppDescription, in place: DesignPlace) throws {
        self.app = app.name
        about = app.about
        designs = app.designs
        rows = try DesignQuestion.all.map { question in
            Row(
                question: question.title,
                answers: try app.designs.map {
                    try question.answer(DesignSubject(app, design: $0, in: place))
                }, isAtAGlance: question.isAtAGlance)
        }
    }
}
