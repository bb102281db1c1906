import SquallFormat

/// What a column of tables is called, the unit of its values, and what they are.
///
/// Text and page take all three from here, so a value has one name wherever it is shown. Those of
/// runs and of answers are constants in extensions; a column that bears the name of a setting, a
/// threshold or a series is made where that is known.
public struct Column: Hashable, Sendable {
    /// What a number of a column is; it decides how people read it.
    public enum Unit: Sendable {
        case words, sentence, count, duration, number, rate, share, bar
    }

    /// Its heading on the page and in files.
    public let name: String
    /// Its heading on a terminal: words of the name.
    public let short: String
    /// What its values are.
    public let unit: Unit
    /// What a value counts or says, in a sentence; empty for a column of the asker's own.
    public let meaning: String
    /// Whether it is left out on a terminal.
    private(set) var isOnPageOnly = false
    /// Whether it says more of the column before it, and is not read without that.
    private(set) var isOfColumnBefore = false

    /// A column; without a meaning the glossary's holds.
    public init(_ name: String, _ unit: Unit, _ meaning: String? = nil) {
        self.init(name, name, unit, meaning)
    }

    /// A column with a short heading, which are words of its name.
    public init(_ name: String, _ short: String, _ unit: Unit, _ meaning: String? = nil) {
        self.name = name
        self.short = short
        self.unit = unit
        self.meaning = meaning ?? Glossary.meaning(of: name) ?? ""
    }

    /// The same, for the page only.
    public var onPage: Column {
        var column = self
        column.isOnPageOnly = true
        return column
    }

    /// The same, read together with the column before it.
    public var ofColumnBefore: Column {
        var column = self
        column.isOfColumnBefore = true
        return column
    }

    /// The same under the service's own word for it.
    public func called(_ word: String?) -> Column {
        word.map { Column($0, unit, meaning) } ?? self
    }

    /// Whether its cells are read from their beginning.
    var isOfWords: Bool { unit == .words || unit == .sentence }

    /// Words in this column.
    public func callAsFunction(_ words: String, isGood: Bool? = nil) -> Cell {
        Cell(self, words, nil, isGood)
    }

    /// A number in words of its own.
    public func callAsFunction(_ text: String, _ number: Double?, isGood: Bool? = nil) -> Cell {
        Cell(self, text, number, isGood)
    }

    /// A count or a span of nanoseconds; nil where there is none.
    public func callAsFunction(_ number: Int64?) -> Cell {
        guard let number else { return none }
        return self(
            unit == .duration ? Units.approximate(nanoseconds: number) : Units.grouped(number),
            Double(number))
    }

    /// A number in the column's unit; nil where there is none.
    public func callAsFunction(_ number: Double?) -> Cell {
        guard let number else { return none }
        return switch unit {
        case .share: self(Units.percent(number), number)
        case .count: self(Units.grouped(Int64(clamped: number)), number)
        case .rate: self(Units.threeDigits(number) + "/s", number)
        case .duration: self(Units.approximate(nanoseconds: Int64(clamped: number)), number)
        default: self(Units.threeDigits(number), number)
        }
    }

    /// A bar as long as a share of the cell's width, in a colour of the page.
    public func callAsFunction(bar share: Double, _ colour: String) -> Cell {
        Cell(self, colour, share, nil)
    }

    /// The population that a row is about; further rows of it stand below its name.
    public static let population = Column("population", .words)

    /// Nothing to say.
    public var none: Cell { Cell(self, "–", nil, nil) }
}

/// One cell of a table.
public struct Cell: Hashable, Sendable {
    /// What it stands in.
    let column: Column
    /// What people read; of a bar its colour.
    public let text: String
    /// The exact number that it stands for; nil for words.
    public let number: Double?
    /// Whether it is as wanted; nil where nothing is.
    public let isGood: Bool?

    fileprivate init(_ column: Column, _ text: String, _ number: Double?, _ isGood: Bool?) {
        self.column = column
        self.text = text
        self.number = number
        self.isGood = isGood
    }

    /// Words, or a number as people read it, for a column that the table names.
    public init(_ text: String, _ number: Double? = nil, isGood: Bool? = nil) {
        self.init(Column("", .words), text, number, isGood)
    }

    /// A number for a file, which no reader needs in words; empty where there is none.
    public static func exact(_ number: Double?) -> Cell { Cell("", number) }

    /// The same in a column.
    public func within(_ column: Column) -> Cell { Cell(column, text, number, isGood) }

    /// Nothing to say.
    public static let none = Cell("–")

    /// The mark before what people read.
    var sign: String { isGood.map { $0 ? "✓ " : "✗ " } ?? "" }
}
