/// The words of results, each with one meaning; help, page and README take them from here.
public enum Glossary {
    /// A word and its meaning.
    public struct Entry: Hashable, Sendable {
        /// The word.
        public let word: String
        /// Its meaning, in a sentence or two.
        public let meaning: String
    }

    /// The words, ordered so that each needs only earlier ones.
    public static let entries: [Entry] = [
        (
            "profile",
            "The file that describes an experiment: users, journeys, backend, faults and"
                + " thresholds."
        ),
        ("world", "One assembled simulation of users, apps, network and backend."),
        ("run", "One execution of a profile; the same seed gives the same run."),
        ("virtual time", "The time of a run, which passes as fast as the machine can compute it."),
        ("population", "Users with the same app, token design and mix of journeys."),
        ("user", "One simulated user of one device."),
        ("app", "The client code that runs on a user's device."),
        (
            "design",
            "How an app stores and refreshes its tokens; \"asBuilt\" is the design that was"
                + " shipped."
        ),
        ("journey", "A user's path through an app, as a list of steps."),
        ("step", "One action of a user, from the tap until its last response is shown."),
        ("request", "One HTTP exchange, as load tools count it: the same as an attempt."),
        ("attempt", "One transmission of a call: the first one, a retry or a refresh."),
        ("call", "One logical API call of app code, with all of its attempts."),
        ("retry", "An attempt after the first one of its call."),
        ("amplification", "Attempts, with refreshes, per call; 1 without retries and refreshes."),
        ("refresh", "The call that exchanges a token for a new access token."),
        ("expiry", "The server refuses a user's expired access token for the first time."),
        ("storm", "Redundant refreshes: one expired token is refreshed more than once."),
        ("unprompted", "A refresh without an expired response before it, such as one by a timer."),
        ("peak", "A period with far more refreshes per second than the mean of the run."),
        ("held", "A call that got an expired response and waits for the refresh."),
        (
            "outcome",
            "What the user saw at the end of a step: the content (rendered), a payment (charged),"
                + " an error message (toast or alert, and the app's name of the error), the sign-in"
                + " screen (loggedOut), or a wrong screen, as squall help audits explains."
        ),
        ("useful", "Said of a step that succeeded and was not idle, and of a call that succeeded."),
        ("hang", "A step that never completes; the user gives it up."),
        ("goodput", "Useful steps or calls per second."),
        ("fault", "An injected failure of the server, the network or the tokens."),
        (
            "recovered",
            recovery
        ),
        ("metastable", "Goodput stays below half of its earlier level after the fault has ended."),
        ("audit", "A comparison of what users see at the end with the server's data."),
        ("finding", "A problem that was detected. Some kinds fail the run without any threshold."),
        ("threshold", "A limit for a metric."),
        (
            "verdict",
            "Whether every threshold holds: \"no verdict\" without a threshold, \"not measured\" if"
                + " the result depends on assumed values."
        ),
        (
            "self-check",
            "An equation that holds in every correct simulation, whatever the client does."
        ),
        ("percentile", "p95 is the value that 95 % of all values do not exceed."),
    ].map { Entry(word: $0.0, meaning: $0.1) }

    /// When a service has recovered from a fault; the one definition of text, page and help.
    public static let recovery =
        "The service has recovered when, for ten seconds, goodput is at least 90 % of the minute"
        + " before the fault, no peak of refreshes is in progress and no more requests wait than in"
        + " that minute; of several populations, in each. At once: goodput and queue never left"
        + " those ranges."

    /// The meaning of a word.
    public static func meaning(of word: String) -> String? {
        entries.first { $0.word == word }?.meaning
    }
}
