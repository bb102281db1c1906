public import SquallFormat

/// A part of what is shown, with a heading of its own; text and page render it.
public struct Section: Sendable {
    /// Its heading; may be empty.
    public let title: String
    /// How to read it; may be empty.
    let note: String
    /// What it shows; empty where there is nothing of the kind.
    public let blocks: [Block]
    /// What a page says in place of a content that is not there.
    private(set) var absence = ""
    /// What only a page shows of it.
    private(set) var drawn: [Markup] = []
    /// The line behind which a page hides the rest; nil where it stands open.
    private(set) var cover: String?

    /// A part; tables without rows are left out.
    public init(_ title: String, note: String = "", _ blocks: [Block]) {
        self.title = title
        self.note = note
        self.blocks = blocks.filter { !$0.isEmpty }
    }

    /// A part that a page has even where there is nothing of the kind, with what it draws.
    public init(
        _ title: String, note: String, absence: String, cover: String? = nil, _ blocks: [Block],
        drawn: [Markup] = []
    ) {
        self.init(title, note: note, blocks)
        self.absence = absence
        self.cover = cover
        self.drawn = drawn
    }
}

/// One piece of a section.
public enum Block: Sendable {
    case table(Table)
    case sentence(String)
    case points([Point])
    case entries([Entry])
    case picture(any Picture)

    fileprivate var isEmpty: Bool {
        switch self {
        case .table(let table): table.rows.isEmpty
        case .sentence(let text): text.isEmpty
        case .points(let points): points.isEmpty
        case .entries(let entries): entries.isEmpty
        case .picture: false
        }
    }
}

/// A picture, and how a terminal tells it.
public protocol Picture: Sendable {
    /// What a terminal of that width shows; empty for what is on the page only.
    func lines(_ ink: Ink, width: Int) -> [String]
    /// What a page shows; nil for nothing.
    var markup: Markup? { get }
}

extension Picture {
    /// Nothing: it is on the page only.
    public func lines(_ ink: Ink, width: Int) -> [String] { [] }
}

/// Something by its name.
public struct Entry: Sendable {
    /// How it is shown.
    public enum Kind: Sendable {
        case plain
        /// It is what matters most.
        case critical
        /// A line to be typed, which is never broken.
        case command
    }

    let name: String
    let value: String
    let kind: Kind

    /// A value by its name.
    public init(_ name: String, _ value: String, _ kind: Kind = .plain) {
        self.name = name
        self.value = value
        self.kind = kind
    }
}

/// One of several things that are said one below the other.
public struct Point: Sendable {
    /// What it says first.
    public let head: String
    /// Whether that is as wanted; nil where nothing is.
    let isGood: Bool?
    /// What is said beside it; may be empty.
    let detail: String
    /// The section that shows it; nil for none.
    let lookAt: String?
    /// Whether a brief text says no more of it than its head.
    let isShort: Bool

    /// A point.
    public init(
        head: String, isGood: Bool? = nil, detail: String = "", lookAt: String? = nil,
        isShort: Bool = true
    ) {
        self.head = head
        self.isGood = isGood
        self.detail = detail
        self.lookAt = lookAt
        self.isShort = isShort
    }
}
