public import SquallServices
public import SquallFormat
public import SquallKernel

/// What an external catalogue holds, how fast it changes and what a search costs.
public struct CataloguePlan: Sendable {
    /// How many products and how many books there are before the run.
    public var items: Int
    /// The time between two items that are added to a shelf; `nil` when none is.
    public var insertGap: Distribution?
    /// The time between two items that are taken from a shelf; `nil` when none is.
    public var removalGap: Distribution?
    /// How long a search takes before its rows count.
    public var serviceTime: Distribution
    /// How long one scanned row takes; an offset is scanned row by row.
    public var nanosecondsPerRow: Int64
    /// The highest `start` that a search may have; the public API's is 1000.
    public var startMax: Int
    /// True to keep the order of items of equal price or day from one search to the next.
    ///
    /// False is a fault: pages then overlap and leave gaps although nothing changes.
    public var breaksTies: Bool
}

extension CataloguePlan {
    /// The plan as a setting of a profile's backend.
    public static let setting = Setting(
        "catalogue", .section { CataloguePlan(&$0) }, otherwise: [:],
        "The shop and book search on a host of its own, paged by offset.")

    private init(_ read: inout SettingsReader) {
        items = read(
            "items", .integer(1...1_000_000), otherwise: 1_000,
            "How many products and how many books there are.")
        insertGap = read.optional(
            "insertGap", .distribution(Span.millisecond...Span.year),
            "Time between two items that are added; none is by default.")
        removalGap = read.optional(
            "removalGap", .distribution(Span.millisecond...Span.year),
            "Time between two items that are taken away; none is by default.")
        serviceTime = read(
            "serviceTime", .distribution(0...Span.hour),
            otherwise: ["exponential": ["mean": "30ms"]],
            "Time of a search before its rows count.")
        nanosecondsPerRow = read(
            "perScannedRow", .duration(0...Span.hour), otherwise: "2us",
            "What each row that was looked at adds; an offset is scanned row by row.")
        startMax = read(
            "startMax", .integer(1...1_000_000), otherwise: 1_000,
            "The highest offset that may be asked for; Naver allows 1000.")
        breaksTies = read(
            "breaksTies", .flag, otherwise: .bool(true),
            "Whether items of equal price or day keep their order; else sorted pages overlap.")
    }
}

extension ServicesPlan {
    /// The external catalogue's items, changes and costs.
    public var catalogue: CataloguePlan {
        get { self[CataloguePlan.setting] }
        set { self[CataloguePlan.setting] = newValue }
    }
}
