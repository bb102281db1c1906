internal import Report

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

    static let backend: [Field] = [
        Field(
            "generation", .choice(["2023", "2024", "both"]), .otherwise("2024"),
            "Which protocols the server speaks: OOTD's, that of the other apps, or both at once."),
        Field("tokens", .section(tokens), .otherwise(.object([:])), "Lifetimes of tokens."),
        Field("content", .section(content), .otherwise(.object([:])), "What there is to read."),
        Field("network", .section(network), .otherwise(.object([:])), "The way to the server."),
        Field("server", .section(server), .otherwise(.object([:])), "What the server can bear."),
        Field(
            "faults", .list(.section(fault), 0...1_000), .otherwise(.array([])),
            "What is done to the server during the run."),
    ]

    static let tokens: [Field] = [
        Field(
            "accessLifetime", .duration(second...days(30)), .otherwise("300s"),
            "How long an access token is good for."),
        Field(
            "refreshLifetime", .duration(second...days(366)), .otherwise("6h"),
            "How long a refresh token is good for."),
        Field(
            "lifetimeJitter", .duration(0...days(1)), .otherwise("0s"),
            "Random spread of the lifetimes of access tokens."),
        Field(
            "refresh",
            .choice([
                "coexist", "early409", "rotatingStrict", "rotatingWithLeeway",
                "rotatingWithReplay", "oneShot",
            ]), .otherwise("coexist"),
            "What becomes of a refresh token: nothing, or a new one follows and reuse is handled."),
        Field(
            "reuseWindow", .duration(0...hour), .otherwise("10s"),
            "How long a used refresh token is still good with leeway or replay."),
        Field(
            "reuseGenerations", .integer(1...1_000), .otherwise(1),
            "How old a token the leeway accepts; more than 1 is a known bug of one product."),
        Field(
            "replaysUnusedChild", .flag, .otherwise(.bool(false)),
            "With replay: whether the parent of a token that was never used is good at any time."),
        Field(
            "refreshRevokesAccessTokens", .flag, .otherwise(.bool(false)),
            "Whether a refresh ends older access tokens at once, and reuse of a token all of them."
        ),
        Field(
            "revocationLag", .duration(0...hour), .otherwise("0s"),
            "For how long the newest token of a revoked sign-in still refreshes."),
    ]

    static let content: [Field] = [
        Field("novels", .integer(1...100_000), .otherwise(20), "How many novels there are."),
        Field(
            "episodesPerNovelMin", .integer(1...10_000), .otherwise(10),
            "Episodes of the shortest novel."),
        Field(
            "episodesPerNovelMax", .integer(1...10_000), .otherwise(50),
            "Episodes of the longest novel."),
        Field(
            "bookPosts", .integer(0...5_000_000), .otherwise(400),
            "How many posts about books there are, for 이책저책."),
        Field(
            "giftQuestions", .integer(0...5_000_000), .otherwise(200),
            "How many questions about presents there are, for Share.D."),
        Field(
            "outfits", .integer(0...5_000_000), .otherwise(200),
            "How many outfits there are, for OOTD."),
    ]

    static let network: [Field] = [
        Field(
            "up", .distribution(0...hour), .otherwise(logNormal("40ms", 0.4, "2s")),
            "Time a request travels to the server."),
        Field(
            "down", .distribution(0...hour), .otherwise(logNormal("40ms", 0.4, "2s")),
            "Time an answer travels back."),
        Field(
            "connectionsPerHost", .integer(1...256), .otherwise(6),
            "How many requests of one user are under way at once."),
        Field(
            "timeout", .duration(millisecond...hour), .otherwise("60s"),
            "When an attempt without an answer fails."),
        Field(
            "bandwidthBytesPerSecond", .integer(1_000...10_000_000_000), .optional,
            "Speed of each user's line; unlimited by default."),
    ]

    static let server: [Field] = [
        Field(
            "workers", .integer(1...1_000_000), .otherwise(64),
            "How many requests are served at once."),
        Field(
            "queueLimit", .integer(0...100_000_000), .otherwise(10_000),
            "How many requests wait at most; more are turned away."),
        Field(
            "serviceTime", .distribution(0...hour), .otherwise(logNormal("20ms", 0.5, "5s")),
            "Time a worker needs for a request."),
    ]

    static let fault: [Field] = [
        Field(
            "kind", .choice(["expireAllTokens", "revokeRefreshTokens"]), .required,
            "What happens."),
        Field(
            "at", .duration(0...days(30)), .required,
            "When it happens, from the beginning of the run."),
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

    private static let millisecond: Int64 = 1_000_000
    private static let second = 1_000 * millisecond
    private static let hour = 3_600 * second

    private static func days(_ count: Int64) -> Int64 { 24 * hour * count }

    private static func exponential(_ mean: String) -> JSON {
        .object(["exponential": .object(["mean": .string(mean)])])
    }

    private static func logNormal(_ median: String, _ sigma: Double, _ maximum: String) -> JSON {
        .object([
            "logNormal": .object([
                "median": .string(median), "sigma": .number(sigma), "max": .string(maximum),
            ])
        ])
    }
}
