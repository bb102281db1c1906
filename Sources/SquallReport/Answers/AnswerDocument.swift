/// An answer that several runs make together, as people read it: the answer as a sentence first,
/// then the charts, then the points.
///
/// What the answer is, number by number, is a type of its own where it is worked out; this is how
/// any of them looks, on the terminal and on a page.
public struct AnswerDocument: Sendable {
    /// What kind of answer it is, as `Capacity`.
    public let kind: String
    /// What it is about: the profile's name.
    public let subject: String
    /// The question the profile asks; may be empty.
    public var question = ""
    /// Whether what was expected holds; nil where nothing was.
    public var isGood: Bool?
    /// The answer.
    public let sentence: String
    /// What has to be known with it, a sentence or two each.
    public var remarks: [String] = []
    /// What it was worked out from, by name.
    public var facts: [(name: String, value: String)] = []
    /// What it rests on.
    public var sections: [Section] = []
    /// The command that works it out again.
    public let replayCommand: String

    /// An answer.
    public init(kind: String, subject: String, sentence: String, replayCommand: String) {
        self.kind = kind
        self.subject = subject
        self.sentence = sentence
        self.replayCommand = replayCommand
    }
}

/// A table of two settings, each cell of it shaded.
public struct AnswerMap: Sendable {
    /// What is shown.
    public let title: String
    /// What the columns and the rows are settings of.
    public let columnName, rowName: String
    /// The settings.
    public let columns, rows: [String]
    /// The cells, row by row.
    public let cells: [[Cell]]

    /// One cell.
    public struct Cell: Hashable, Sendable {
        /// What people read.
        public let text: String
        /// The exact number; nil where there is none.
        public let number: Double?
        /// How dark it is, from 0 to 1.
        public let shade: Double
        /// Whether it is as wanted; nil where nothing is.
        public let isGood: Bool?

        /// A cell.
        public init(_ text: String, _ number: Double?, shade: Double, isGood: Bool? = nil) {
            self.text = text
            self.number = number
            self.shade = shade
            self.isGood = isGood
        }
    }

    /// A map.
    public init(
        _ title: String, columns: (name: String, values: [String]),
        rows: (name: String, values: [String]), cells: [[Cell]]
    ) {
        self.title = title
        columnName = columns.name
        self.columns = columns.values
        rowName = rows.name
        self.rows = rows.values
        self.cells = cells
    }
}

/// Lines over a setting.
public struct AnswerChart: Sendable {
    /// What is shown.
    public let title: String
    /// What is along the horizontal axis.
    public let horizontalName: String
    /// The lines.
    public let series: [Series]
    /// Whether heights are durations, on a scale of powers of ten.
    public let isDuration: Bool
    /// Values across the chart with a name.
    public let marks: [(place: Double, label: String)]

    /// One line.
    public struct Series: Sendable {
        /// Its name.
        public let name: String
        /// Its points, in the order of their places.
        public let points: [(place: Double, height: Double)]

        /// A line.
        public init(_ name: String, _ points: [(place: Double, height: Double)]) {
            self.name = name
            self.points = points
        }
    }

    /// A chart.
    public init(
        _ title: String, over horizontalName: String, _ series: [Series], isDuration: Bool = false,
        marks: [(place: Double, label: String)] = []
    ) {
        self.title = title
        self.horizontalName = horizontalName
        self.series = series
        self.isDuration = isDuration
        self.marks = marks
    }
}
