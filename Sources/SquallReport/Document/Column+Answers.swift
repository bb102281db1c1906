public import SquallFormat

/// The columns of answers over several runs; each column's text defines it.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Column {
    // Figures and thresholds.
    public static let figure = Column("figure", .sentence, "The metric and its aggregate.")
    public static let threshold = Column("threshold", .sentence)
    public static let meanOfRuns = Column(
        "mean of replications", "mean", .number, "The mean over all replications.")
    public static let interval = Column(
        "95 % interval", .number, "95 % confidence interval."
    ).ofColumnBefore
    public static let halfWidth = Column(
        "±", .number, "Half of the width of the interval, before it is cut at 0."
    ).ofColumnBefore
    public static let lowest = Column("lowest", .number, "The lowest value of a replication.")
    public static let highest = Column("highest", .number, "The highest value of a replication.")
    public static let heldIn = Column(
        "held in", .number, "Number of replications in which it holds.")

    // Two profiles, seed by seed.
    public static let firstProfile = Column("A", .number, "The mean of the first profile.")
    public static let secondProfile = Column("B", .number, "The mean of the second profile.")
    public static let driven = Column("A, driven", .number, "What the driven run measured.")
    public static let simulated = Column("B, simulated", .number, "The mean of the simulations.")
    public static let difference = Column("B − A", .number, "The mean of the differences.")
    public static let detectable = Column(
        "min. detectable (80 % power)", "min. detectable", .number,
        "Minimum detectable effect: a true difference of this size is found with 80 % probability."
            + " A share is one of A's value, pp are percentage points.")
    public static let verdict = Column("decision", .sentence, "Which of the two is better.")
    public static let probability = Column(
        "p, corrected", .number,
        "Probability of a difference this large if A and B do not differ, corrected for the number"
            + " of figures.")
    public static let halfWidthAlone = Column(
        "± alone", .number,
        "Half of the 95 % confidence interval of this figure alone, not corrected."
    ).ofColumnBefore

    // Sweeps.
    public static let expectations = Column(
        "thresholds", .sentence, "Whether every threshold holds in every replication.")

    // Searches.
    public static let runs = Column("replications", .number, "Replications at this value.")
    public static let goodSteps = Column(
        "goodput", .rate, "Successful steps per second, on average.")
    public static let waited95 = Column(
        "p95 step duration, mean of replications", "p95 step duration", .duration,
        "The mean over the replications of what 95 % of the step durations do not exceed.")
    public static let failedSteps = Column(
        "steps that failed", .share, "Share of steps that failed.")
    public static let busiest = Column(
        "utilisation of the busiest resource", "utilisation", .share,
        "Utilisation of the busiest resource.")
    public static let definition = Column(
        "definition", .sentence, "Definition of the saturation point.")
    public static let closedForm = Column("closed form", .number, "The value by theory.")

    // Kept results of releases.
    public static let release = Column("release", .sentence, "The release, by its folder.")
    public static let change = Column("change", .number, "Difference from the release before.")

    // What a log tells.
    public static let value = Column("value", .number, "The best estimate.")
    public static let logLines = Column("lines", .number, "Log lines behind the estimate.")
    public static let note = Column("note", .sentence, "How it was estimated, and what is unusual.")
    public static let calledAs = Column("name", .sentence, "Its name in the profile.")
    public static let call = Column("call", .sentence)
    public static let requests = Column(
        "requests of the log", "requests", .number, "Requests in the log.")
    public static let shareOfRequests = Column(
        "share of requests", .number, "Share of all requests in the log.")
    public static let errors = Column(
        "5xx of requests", .number,
        "Share of responses with status 5xx.")
    public static let work = Column("service time", .number, "Of the server, without waiting.")
    public static let law = Column("distribution", .sentence, "Of the service time.")
    public static let log = Column("log", .number, "The value in the log.")
    public static let model = Column("model", .number, "The value in a run of the fitted profile.")
    public static let beside = Column(
        "difference", .number,
        "Difference between model and log.")
    /// The largest difference that still counts as equal.
    public static let tolerance = Column("tolerance", .number, "Largest accepted difference.")
    public static let rate = Column("requests/s", .number, "Requests per second in the log.")
}
