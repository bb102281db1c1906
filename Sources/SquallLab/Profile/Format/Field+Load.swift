import SquallFormat
import SquallReport

/// The settings of a population's load, and which part of a run is measured.
extension Field {
    /// The load models of a population.
    static let load: [Field] = [
        Field(
            "closed", .section(closed), .optional,
            "The users begin again whenever they have finished."),
        Field(
            "open", .section(arrivals), .optional,
            "Sessions of one journey arrive, whatever happens to those under way."),
        Field(
            "partlyOpen", .section(arrivals + [continuation]), .optional,
            "Sessions arrive; after each journey another one may follow."),
    ]

    static let closed: [Field] = [
        Field(
            "pacing", .duration(1_000_000...thirtyDays), .optional,
            "A user's journeys are meant to begin so far apart; replaces 'away'."),
        Field(
            "stages", .list(.section(userStage), 0...1_000), .otherwise(.array([])),
            "How many users are active, from none; replaces 'arriveOver'. Without stages all are."),
    ]

    static let userStage: [Field] = [
        Field(
            "users", .integer(0...Profile.usersRange.upperBound), .required,
            "How many are active at the stage's end."),
        Field("for", .duration(0...thirtyDays), .required, "How long the way there takes."),
    ]

    static let arrivals: [Field] = [
        Field(
            "spacing", .choice(["poisson", "even"]), .otherwise("poisson"),
            "Whether sessions arrive at random or as evenly as the rate allows."),
        Field(
            "stages", .list(.oneOf(ArrivalShapes.all.map(\.field)), 1...1_000), .required,
            "The rate of sessions, stage after stage."),
    ]

    static let warmUp: [Field] = [
        Field(
            "for", .duration(0...thirtyDays), .optional,
            "So much of the beginning is not measured."),
        Field(
            "rule", .choice(["mser5"]), .optional,
            "The run is made twice: first to find where MSER-5 ends the warm-up."),
    ]

    private static let continuation = Field(
        "continue", .number(0...0.999), .required,
        "How likely another journey follows, after a pause of 'away'.")

    private static let thirtyDays: Int64 = 2_592_000_000_000_000
}
