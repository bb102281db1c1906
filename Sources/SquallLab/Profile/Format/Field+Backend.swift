import SquallFormat
import SquallReport

/// The settings of the far side of the network.
extension Field {
    static let backend: [Field] = [
        Field(
            "generation", .choice(["2023", "2024", "both"]), .otherwise("2024"),
            "Which protocols the server speaks: OOTD's, that of the other apps, or both at once."
        ),
        Field(
            "tokens", .section(tokens), .otherwise(.object([:])),
            "Lifetimes of tokens, and what a refresh does to them."),
        Field("content", .section(content), .otherwise(.object([:])), "What there is to read."),
        Field("network", .section(network), .otherwise(.object([:])), "The way to the server."),
        Field("server", .section(server), .otherwise(.object([:])), "What the server can bear."),
        Field(
            "payments", .section(payments), .otherwise(.object([:])),
            "How the payment provider behaves."),
        Field(
            "catalogue", .section(catalogue), .otherwise(.object([:])),
            "The shop and book search on a host of its own, paged by offset."),
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

    static let catalogue: [Field] = [
        Field(
            "items", .integer(1...1_000_000), .otherwise(1_000),
            "How many products and how many books there are."),
        Field(
            "insertGap", .distribution(millisecond...days(30)), .optional,
            "Time between two items that are added; none is by default."),
        Field(
            "removalGap", .distribution(millisecond...days(30)), .optional,
            "Time between two items that are taken away; none is by default."),
        Field(
            "serviceTime", .distribution(0...hour),
            .otherwise(.object(["exponential": .object(["mean": "30ms"])])),
            "Time of a search before its rows count."),
        Field(
            "perScannedRow", .duration(0...hour), .otherwise("2us"),
            "What each row that was looked at adds; an offset is scanned row by row."),
        Field(
            "startMax", .integer(1...1_000_000), .otherwise(1_000),
            "The highest offset that may be asked for; Naver allows 1000."),
        Field(
            "breaksTies", .flag, .otherwise(.bool(true)),
            "Whether items of equal price or day keep their order; else pages overlap."
        ),
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
            "Speed of each user's line for answers; unlimited by default."),
        Field(
            "uploadBytesPerSecond", .integer(1_000...10_000_000_000), .optional,
            "Speed of each user's line for requests; unlimited by default."),
        Field(
            "connectFailureProbability", share, .otherwise(0),
            "How likely no connection comes about, which the client learns at once."),
        Field(
            "requestLossProbability", share, .otherwise(0),
            "How likely a request is lost before the server sees it."),
        Field(
            "answerLossProbability", share, .otherwise(0),
            "How likely an answer is lost after the server has done what was asked."),
        Field(
            "lossNotice", lossNotice, .otherwise("timeout"),
            "How a client learns of a loss: by its own timeout, or by a connection that breaks."),
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
        Field(
            "serviceTimes", .byEndpoint(.distribution(0...hour)), .otherwise(.object([:])),
            "Times by endpoint, where they differ."),
        Field(
            "perItem", .duration(0...hour), .otherwise("0s"),
            "What each object of a list in the answer adds."),
        Field(
            "perScannedRow", .duration(0...hour), .otherwise("0s"),
            "What each row that was looked at adds."),
        Field(
            "waitLimit", .duration(0...hour), .optional,
            "Requests that have waited longer are answered 503 unserved; no limit by default."),
        Field(
            "userRate", .section(rate), .optional,
            "How often one user may call; more is answered 429. No limit by default."),
        Field(
            "keyRate", .section(rate), .optional,
            "How often all users of an app may call; more is answered 429. No limit by default."),
        Field(
            "retryAfter", .duration(second...hour), .optional,
            "Retry-After of a 503; a 429 then says its own. No such header by default."),
        Field(
            "clockSkew", .duration(0...days(1)), .otherwise("0s"),
            "How wrong each worker's clock is at most when it judges and issues tokens."),
    ]

    private static let rate: [Field] = [
        Field(
            "perSecond", .number(0.001...1_000_000), .required, "Calls a second in the long run."),
        Field("burst", .integer(1...1_000_000), .otherwise(1), "Calls that can be saved up."),
    ]

    static let fault: [Field] = [
        Field("kind", .choice(FaultFormat.kinds.map(\.name)), .required, "What happens."),
        Field(
            "at", .duration(0...days(30)), .required,
            "When it happens or begins, from the beginning of the run."),
        Field(
            "for", .duration(millisecond...days(30)), .optional,
            "How long it lasts; to the end of the run by default."),
        Field("probability", share, .optional, "How likely it strikes an attempt; 1 by default."),
        Field(
            "endpoints", .list(.endpoint, 1...100), .optional,
            "Which calls it concerns; all by default."),
        Field("app", .app, .optional, "Whose users it concerns; everybody's by default."),
        Field(
            "users", share, .optional,
            "Which share of those users it concerns, always the same ones; 1 by default."),
        Field(
            "factor", .number(0...1_000_000), .optional, "Latency is multiplied by this."),
        Field(
            "added", .distribution(0...hour), .optional, "This is added to the way up."),
        Field("status", .integer(400...599), .optional, "What the server answers."),
        Field("lossNotice", lossNotice, .optional, "How a client learns of a loss."),
        Field("workers", .integer(0...1_000_000), .optional, "How many workers are left."),
        Field("skew", .duration(0...days(1)), .optional, "How wrong clocks are at most."),
    ]

    static let payments: [Field] = [
        Field(
            "duration", .distribution(0...hour),
            .otherwise(.object(["uniform": .array(["2s", "8s"])])),
            "How long somebody looks at the payment provider's page."),
        Field(
            "cancelProbability", share, .otherwise(.number(0.1)),
            "How likely somebody closes the page without paying."),
        Field(
            "noCallbackProbability", share, .otherwise(0),
            "How likely the app hears nothing of a charge that was made."),
        Field(
            "lostReceiptProbability", share, .otherwise(0),
            "How likely the app hears of a charge without its number."),
        Field(
            "equalMerchantIDs", .choice(["charge", "refuse", "firstReceipt"]),
            .otherwise("charge"),
            "What becomes of a second payment with the same merchant number: charged as well,"
                + " refused, or answered with the first one's receipt."),
    ]

    private static let share = FieldType.number(0...1)
    private static let lossNotice = FieldType.choice(["timeout", "connectionLost"])
}
