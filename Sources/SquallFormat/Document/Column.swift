/// A column of tables: its name, the content of its cells, and their meaning.
///
/// Text and page take all three from here, so a value has one name wherever it is shown. Columns of
/// runs and answers are constants in extensions; a column named after a setting, a threshold or a
/// series is made where that is known.
public struct Column: Hashable, Sendable {
    /// What the cells of a column hold; the unit of numbers decides how they are formatted.
    public enum Content: Hashable, Sendable {
        case words, sentence, bar
        case numbers(NumberUnit)

        /// Whole things.
        public static let count = numbers(.count)
        /// Nanoseconds.
        public static let duration = numbers(.nanoseconds)
        /// Quotients and other numbers without a unit.
        public static let number = numbers(.number)
        /// So many a second.
        public static let rate = numbers(.perSecond)
        /// Parts of 1, shown in percent.
        public static let share = numbers(.share)
    }

    /// Its heading on the page and in files.
    public let name: String
    /// Its heading on a terminal, a part of the name's words.
    let short: String
    let content: Content
    /// The meaning of a value, in a sentence; empty for a column named by the user.
    let meaning: String
    /// True to leave it out on a terminal.
    private(set) var isOnPageOnly = false
    /// True if it adds to the column before it, and makes no sense without that.
    private(set) var isOfColumnBefore = false

    /// Makes a column; the default for its meaning is the glossary's.
    public init(_ name: String, _ content: Content, _ meaning: String? = nil) {
        self.init(name, name, content, meaning)
    }

    /// Makes a column with a short heading, which must be words of its name.
    public init(_ name: String, _ short: String, _ content: Content, _ meaning: String? = nil) {
        self.name = name
        self.short = short
        self.content = content
        self.meaning = meaning ?? Glossary.meaning(of: name) ?? ""
    }

    /// A copy for the page only.
    public var onPage: Column {
        var column = self
        column.isOnPageOnly = true
        return column
    }

    /// A copy that is read together with the column before it.
    public var ofColumnBefore: Column {
        var column = self
        column.isOfColumnBefore = true
        return column
    }

    /// A copy under the service's own word for it.
    public func called(_ word: String?) -> Column {
        word.map { Column($0, content, meaning) } ?? self
    }

    /// True for cells of text, which are aligned to the left.
    var isOfWords: Bool { content == .words || content == .sentence }

    /// A cell with words.
    public func callAsFunction(_ words: String, isGood: Bool? = nil) -> Cell {
        Cell(self, words, nil, isGood)
    }

    /// A cell with a number and its own text.
    public func callAsFunction(_ text: String, _ number: Double?, isGood: Bool? = nil) -> Cell {
        Cell(self, text, number, isGood)
    }

    /// A cell with a count or a duration in nanoseconds; nil for none.
    public func callAsFunction(_ number: Int64?) -> Cell {
        guard let number else { return none }
        return self(
            content == .duration ? Units.approximate(nanoseconds: number) : Units.grouped(number),
            Double(number))
    }

    /// A cell with a number in the column's unit; nil for none.
    public func callAsFunction(_ number: Double?) -> Cell {
        guard let number else { return none }
        let unit = if case .numbers(let unit) = content { unit } else { NumberUnit.number }
        return self(unit.text(number), number)
    }

    /// A cell with a bar, as a share of the cell's width, in a colour of the page.
    public func callAsFunction(bar share: Double, _ colour: String) -> Cell {
        Cell(self, colour, share, nil)
    }

    /// The population of a row; rows are grouped below its name.
    public static let population = Column("population", .words)

    /// An empty cell.
    public var none: Cell { Cell(self, "–", nil, nil) }
}

/// One cell of a table.
public struct Cell: Hashable, Sendable {
    /// The cell's column.
    let column: Column
    /// The text for people; for a bar its colour.
    let text: String
    /// The exact number; nil for words.
    let number: Double?
    /// True if it is as wanted; `nil` where no expectation applies.
    let isGood: Bool?

    fileprivate init(_ column: Column, _ text: String, _ number: Double?, _ isGood: Bool?) {
        self.column = column
        self.text = text
        self.number = number
        self.isGood = isGood
    }

    /// Makes a cell with words, or with a number and its text, whose column the table sets.
    public init(_ text: String, _ number: Double? = nil, isGood: Bool? = nil) {
        self.init(Column("", .words), text, number, isGood)
    }

    /// A number for a file, without a text for people; empty if there is none.
    public static func exact(_ number: Double?) -> Cell { Cell("", number) }

    /// A copy of the cell in a column.
    public func within(_ column: Column) -> Cell { Cell(column, text, number, isGood) }

    /// An empty cell.
    public static let none = Cell("–")

    /// The mark before the text.
    var sign: String { isGood.map { $0 ? "✓ " : "✗ " } ?? "" }
}
