/// A section of an answer or a run, with its own heading; text and page render it.
public struct Section: Sendable {
    /// Its heading; may be empty.
    public let title: String
    /// A note for reading it; may be empty.
    let note: String
    /// Its content; empty if there is none.
    public let blocks: [Block]
    /// The text for a page if there is no content.
    private(set) var absence = ""
    /// Content for the page only.
    private(set) var drawn: [Markup] = []
    /// The line that opens the hidden rest on a page; nil if nothing is hidden.
    private(set) var cover: String?

    /// Makes a section; leaves out tables without rows.
    public init(_ title: String, note: String = "", _ blocks: [Block]) {
        self.title = title
        self.note = note
        self.blocks = blocks.filter { !$0.isEmpty }
    }

    /// Makes a section that a page has even without content, with its drawings.
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

extension Section {
    /// The section with its content hidden on a page, below a line that opens it.
    public func folded(under cover: String) -> Section {
        var section = self
        section.cover = cover
        return section
    }
}

/// One piece of a section.
public enum Block: Sendable {
    case table(Table)
    case sentence(String)
    case points([Point])
    case entries([Entry])
    case picture(any Picture)

    var isEmpty: Bool {
        switch self {
        case .table(let table): table.rows.isEmpty
        case .sentence(let text): text.isEmpty
        case .points(let points): points.isEmpty
        case .entries(let entries): entries.isEmpty
        case .picture: false
        }
    }
}

/// A picture for the page, and its form on a terminal.
public protocol Picture: Sendable {
    /// The picture on a terminal of the given width; empty if it is on the page only.
    func lines(_ style: TerminalStyle, width: Int) -> [String]
    /// The picture on a page; nil for none.
    var markup: Markup? { get }
}

extension Picture {
    /// No lines: right for a picture that is on the page only.
    public func lines(_ style: TerminalStyle, width: Int) -> [String] { [] }
}

/// A named value.
public struct Entry: Sendable {
    /// The forms of an entry.
    public enum Kind: Sendable {
        case plain
        /// It is the most important one.
        case critical
        /// A command to type, which is never broken into lines.
        case command
    }

    let name: String
    let value: String
    let kind: Kind

    /// Makes an entry.
    public init(_ name: String, _ value: String, _ kind: Kind = .plain) {
        self.name = name
        self.value = value
        self.kind = kind
    }
}

/// One of several points in a list.
public struct Point: Sendable {
    /// Its first words.
    let head: String
    /// True if it is as wanted; `nil` where no expectation applies.
    let isGood: Bool?
    /// Further words; may be empty.
    let detail: String
    /// The section with more about it; nil for none.
    let lookAt: String?
    /// True if a brief text shows its first words only.
    let isShort: Bool

    /// Makes a point.
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
