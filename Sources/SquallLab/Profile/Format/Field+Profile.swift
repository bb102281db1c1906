import SquallFormat
import SquallReport

/// The format of profile files, version 1.
extension Field {
    static let profile: [Field] = [
        Field(
            "$schema", .text(0...500), .optional,
            "Where an editor finds the schema of this format; runs ignore it."),
        Field("schemaVersion", .integer(1...1), .required, "Version of this format."),
        Field("question", .text(0...500), .otherwise(""), "What the run is to find out."),
        Field("seed", .seed, .otherwise(1), "Decides everything that is left to chance."),
        Field(
            "duration", .duration(Profile.durationRange), .otherwise("10m"),
            "Virtual time the run lasts."),
        Field(
            "populations", .list(.section(population), 1...100), .required,
            "Groups of users with the same habits."),
        Field(
            "warmUp", .oneOf(warmUp), .optional,
            "Which part of the beginning is not measured; all of it is by default."),
        Field(
            "drain", .duration(0...days(1)), .otherwise("5m"),
            "How long steps under way at the end may take to finish."),
        Field(
            "backend", .section(backend), .otherwise(.object([:])), "The far side of the network."),
        Field(
            "caches", .section(caches), .otherwise(.object([:])),
            "Shortcuts that change the speed of a run, never its result."),
        Field(
            "thresholds", .thresholds, .otherwise(.object([:])),
            "Expectations by metric, such as \"step_duration{step:episode}\": [\"p(95)<1s\"]."),
        Field(
            "output", .section(output), .otherwise(.object([:])), "What is written about the run."),
    ]

    static let population: [Field] = [
        Field("name", .text(1...40), .optional, "Name of the group; the app's name by default."),
        Field("app", .app, .otherwise("scrolly"), "The app they use."),
        Field("design", .design, .otherwise("asBuilt"), "Which token design the app has."),
        Field(
            "clientLibrary", .choice(Profile.ClientLibrary.allCases.map(\.rawValue)),
            .otherwise("5.12"), "Which version of Alamofire their app was built with."),
        Field(
            "retries", .choice(Profile.Retries.allCases.map(\.rawValue)), .otherwise("none"),
            "How calls that fail otherwise are sent again, beside what the app's own code does."),
        Field("users", .integer(Profile.usersRange), .required, "How many they are."),
        Field(
            "journeys", .journeyWeights, .required,
            "What they come for: journeys and how often each is chosen."),
        Field(
            "load", .oneOf(load), .otherwise(.object(["closed": .object([:])])),
            "What makes them begin a journey; a closed load by default."),
        Field(
            "thinkTime", .distribution(0...days(1)), .otherwise(exponential("8s")),
            "Pause between two steps of a journey."),
        Field(
            "away", .distribution(0...days(30)), .otherwise(exponential("3m")),
            "Time between two journeys."),
        Field(
            "arriveOver", .duration(0...days(30)), .otherwise("60s"),
            "They arrive evenly within this time."),
        Field(
            "patience", .duration(second...days(1)), .otherwise("90s"),
            "How long they watch a step that does not end before they give up."),
        Field(
            "startsSignedIn", .flag, .otherwise(.bool(true)),
            "Whether they signed in before the run."),
        Field(
            "initialTokens", .choice(["fresh", "expired"]), .otherwise("fresh"),
            "State of the access token they arrive with."),
    ]

    static let caches: [Field] = [
        Field(
            "encoding", .flag, .otherwise(.bool(true)), "The server keeps encoded parts of answers."
        ),
        Field("decoding", .flag, .otherwise(.bool(true)), "Clients share decoded answers."),
    ]

    static let output: [Field] = [
        Field(
            "timeseriesInterval", .duration(100 * millisecond...hour), .otherwise("1s"),
            "Virtual time that one row of the time series covers.")
    ]

    /// The laws a distribution can have, their parameters in the range.
    static func laws(within range: ClosedRange<Int64>) -> [Field] {
        let duration = FieldType.duration(range)
        let maximum = Field("max", duration, .optional, "Larger values are cut to this.")
        return [
            Field("constant", duration, .optional, "Always the same."),
            Field(
                "uniform", .tuple([duration, duration]), .optional,
                "Anything from the first to the second, equally likely."),
            Field(
                "exponential",
                .section([
                    Field("mean", duration, .required, "The mean."),
                    Field("min", duration, .otherwise("0s"), "The smallest value."),
                    maximum,
                ]), .optional, "Many short values, few long ones."),
            Field(
                "logNormal",
                .section([
                    Field("median", duration, .required, "The value half of all are below."),
                    Field(
                        "sigma", .number(0...5), .required, "Standard deviation of the logarithm."),
                    maximum,
                ]), .optional, "Symmetric around the median on a logarithmic scale."),
            Field(
                "pareto",
                .section([
                    Field("scale", duration, .required, "The smallest value."),
                    Field(
                        "shape", .number(0.1...100), .required, "Tail index; heavy tail below 2."),
                    maximum,
                ]), .optional, "A long tail of rare, very long values."),
            Field(
                "empirical", .list(.tuple([duration, .integer(1...1_000_000_000)]), 1...10_000),
                .optional, "Pairs of a value and its weight."),
        ]
    }

    static let millisecond: Int64 = 1_000_000
    static let second = 1_000 * millisecond
    static let hour = 3_600 * second

    static func days(_ count: Int64) -> Int64 { 24 * hour * count }

    static func exponential(_ mean: String) -> JSON {
        .object(["exponential": .object(["mean": .string(mean)])])
    }

    static func logNormal(_ median: String, _ sigma: Double, _ maximum: String) -> JSON {
        .object([
            "logNormal": .object([
                "median": .string(median), "sigma": .number(sigma), "max": .string(maximum),
            ])
        ])
    }
}
