import SquallFormat

/// A part of what a run or an answer shows, with a heading of its own; text and page render it.
public struct Section: Sendable {
    /// Its heading.
    let title: String
    /// How to read it; may be empty.
    let note: String
    /// What it shows; empty where there is nothing of the kind.
    let blocks: [Block]
    /// What a page says in place of a content that is not there.
    private(set) var absence = ""
    /// What a page shows of the time series before all else.
    private(set) var charts: @Sendable (SavedRun) -> [Markup] = { _ in [] }
    /// The line behind which a page hides the rest; nil where it stands open.
    private(set) var cover: String?

    /// A part; tables without rows are left out.
    public init(_ title: String, note: String = "", _ blocks: [Block]) {
        self.title = title
        self.note = note
        self.blocks = blocks.filter { !$0.isEmpty }
    }

    /// A part of what a run shows.
    init(
        _ title: String, note: String, absence: String, cover: String? = nil, _ blocks: [Block],
        charts: @escaping @Sendable (SavedRun) -> [Markup] = { _ in [] }
    ) {
        self.init(title, note: note, blocks)
        self.absence = absence
        self.cover = cover
        self.charts = charts
    }
}

/// One piece of a section.
public enum Block: Sendable {
    case table(Table)
    case sentence(String)
    case points([Point])
    case chart(AnswerChart)
    case map(AnswerMap)

    fileprivate var isEmpty: Bool {
        switch self {
        case .table(let table): table.rows.isEmpty
        case .sentence(let text): text.isEmpty
        case .points(let points): points.isEmpty
        case .chart, .map: false
        }
    }
}

/// One of several things that are said one below the other.
public struct Point: Sendable {
    /// What it says first.
    let head: String
    /// Whether that is as wanted; nil where nothing is.
    var isGood: Bool?
    /// What is said beside it; may be empty.
    var detail = ""
    /// The section that shows it; nil for none.
    var lookAt: String?
    /// Whether a brief text says no more of it than its head.
    var isShort = true
}
