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
        ("profile", "The file that describes an experiment: who does what, against which backend."),
        ("world", "One assembled simulation of users, apps, network and backend."),
        ("run", "One execution of a profile; the same seed gives the same run."),
        ("virtual time", "The time of a run, which passes as fast as the machine can compute it."),
        ("population", "Users with the same app, design and habits."),
        ("user", "One simulated person with one phone."),
        ("app", "The client code that a user's phone runs."),
        ("design", "How an app keeps and renews its tokens; \"asBuilt\" is what was shipped."),
        ("journey", "A way through an app, step by step."),
        ("step", "One action of a user, from the tap until its last response is shown."),
        ("request", "One HTTP exchange: the same as an attempt, as load tools count it."),
        ("attempt", "One transmission of a call: a first one, a retry or a refresh."),
        ("call", "One logical API call of app code, however many attempts it takes."),
        ("retry", "An attempt that is not its call's first."),
        ("amplification", "Attempts for each call; 1 without retries."),
        ("refresh", "The call that trades an old access token for a new one."),
        ("expiry", "A user's access token is found expired: the first response that says so."),
        ("storm", "Redundant refreshes: an expired token that is refreshed more than once."),
        ("unprompted", "A refresh without an expired response before it, as by a timer."),
        ("peak", "A time of many more refreshes than on average, storm or not."),
        ("held", "A call waits for a new token, after a response that its own has expired."),
        (
            "outcome",
            "What the user saw at the end of a step: what was asked for (rendered, charged), an"
                + " error message (toast, alert and the app's name for the error), the sign-in"
                + " screen (loggedOut), or a wrong screen, as squall help audits explains."
        ),
        ("useful", "A step that succeeded and had something to do; a call that succeeded."),
        ("hang", "A step that never ends by itself, until its user's patience does."),
        ("goodput", "Successful, useful operations per second."),
        ("fault", "An injected failure of the server, the network or the tokens."),
        (
            "recovered",
            "For ten seconds on average 90 % as much is useful as in the minute before, and no more"
                + " requests wait than then."
        ),
        ("metastable", "Goodput stays below half of its earlier level after the fault has ended."),
        ("audit", "A check of what users were left with against the state of the server."),
        ("finding", "Something that is wrong; some kinds fail a run whatever is expected."),
        ("threshold", "What is expected of a metric."),
        (
            "verdict",
            "Whether what was expected holds; \"no verdict\" when nothing was, \"not measured\""
                + " when it holds on assumed values."
        ),
        ("self-check", "A law of any sound run, however bad the client is."),
        ("percentile", "p95 is the value that 95 % of all values do not exceed."),
    ].map { Entry(word: $0.0, meaning: $0.1) }

    /// The meaning of a word.
    public static func meaning(of word: String) -> String? {
        entries.first { $0.word == word }?.meaning
    }
}
