public import SquallDocument

/// The columns of answers over several runs; each column's text defines it.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Column {
    // Figures and thresholds.
    public static let figure = Column("figure", .sentence, "What was measured, and how summed up.")
    public static let threshold = Column("threshold", .sentence)
    public static let oneRun = Column("run", .number, "The run's own number.")
    public static let meanOfRuns = Column(
        "mean of replications", "mean", .number, "The mean over all replications.")
    public static let interval = Column(
        "95 % interval", .number, "It holds the true number in 95 of 100 cases."
    ).ofColumnBefore
    public static let halfWidth = Column("±", .number, "Half of the interval's width.")
        .ofColumnBefore
    public static let lag = Column(
        "correlation at lag 1", "lag 1", .number,
        "How far one batch predicts the next, from -1 to 1; 0 for independent batches.")
    public static let lowest = Column("lowest", .number, "The lowest number of a replication.")
    public static let highest = Column("highest", .number, "The highest number of a replication.")
    public static let heldIn = Column(
        "held in", .number, "In how many replications alone it holds.")

    // Two profiles, seed by seed.
    public static let firstProfile = Column("A", .number, "The mean of the first profile.")
    public static let secondProfile = Column("B", .number, "The mean of the second profile.")
    public static let driven = Column("A, driven", .number, "What the driven run measured.")
    public static let simulated = Column("B, simulated", .number, "The mean of the simulations.")
    public static let difference = Column("B − A", .number, "The mean of the differences.")
    public static let detectable = Column(
        "min. detectable", .number, "The difference that 80 of 100 such tables would show.")
    public static let verdict = Column("decision", .sentence, "Which of the two is better.")
    public static let probability = Column(
        "p, corrected", .number,
        "How often chance alone shows a difference as large, corrected for the number of figures.")
    public static let halfWidthAlone = Column(
        "± alone", .number, "Half of the 95 % interval of this figure alone, not corrected."
    ).ofColumnBefore

    // Sweeps.
    public static let expectations = Column(
        "thresholds", .sentence, "Whether each of them holds in every replication.")

    // Searches.
    public static let runs = Column("replications", .number, "Replications of the value.")
    public static let goodSteps = Column(
        "good steps", .number, "Steps that succeeded each second, on average.")
    public static let waited95 = Column(
        "step duration, p95", .number, "What 95 % of the step durations do not exceed.")
    public static let failedSteps = Column("steps that failed", .number, "The share that failed.")
    public static let busiest = Column("busiest", .number, "How busy what is most in use is.")
    public static let definition = Column(
        "definition", .sentence, "What counts as the saturation point.")
    public static let closedForm = Column("closed form", .number, "What theory says it is.")

    // Kept results of releases.
    public static let release = Column("release", .sentence, "What was kept, by its folder.")
    public static let change = Column("change", .number, "How far it is from the one before.")

    // What a log tells.
    public static let value = Column("value", .number, "The best guess.")
    public static let logLines = Column("lines", .number, "Lines that the number rests on.")
    public static let note = Column("note", .sentence, "How it was worked out, and what is odd.")
    public static let calledAs = Column("name", .sentence, "What the profile calls it.")
    public static let call = Column("call", .sentence)
    public static let requests = Column(
        "requests of the log", "requests", .number, "Requests that the log has.")
    public static let shareOfRequests = Column(
        "share of requests", .number, "The share of all requests of the log.")
    public static let errors = Column("5xx of requests", .number, "The share answered 5xx.")
    public static let work = Column("work", .number, "The time a worker needs, waiting left out.")
    public static let law = Column("law", .sentence, "How that time is distributed.")
    public static let screen = Column("screen", .sentence, "A screen of the app.")
    public static let times = Column("times", .number, "How often it was seen.")
    public static let next = Column("next", .sentence, "What followed it.")
    public static let log = Column("log", .number, "What the log says.")
    public static let model = Column("model", .number, "What the fitted profile says.")
    public static let beside = Column("model beside log", .number, "By how much the model is off.")
    /// By how much it may be.
    public static let tolerance = Column("tolerance", .number, "By how much it may be off.")
    public static let rate = Column("a second", .number, "Requests a second in the log.")
}
