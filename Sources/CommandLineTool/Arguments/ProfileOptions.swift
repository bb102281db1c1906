import SquallFormat
import SquallLab

extension Option {
    static let seed = Option("--seed", .seed, "Override the profile's seed.")

    /// The options that decide which profile is run, and for how long.
    static let ofProfile =
        [
            seed,
            Option(
                "--users", .count(Profile.usersRange),
                "Total number of users; populations and arrival rates are scaled in proportion."),
            Option(
                "--for", .duration(Profile.durationRange),
                "Length of the run in virtual time, such as 30s or 2h, instead of the profile's"
                    + " duration."),
            population,
        ] + overrides

    /// The options that change any setting of a profile.
    static let overrides = [
        Option(
            "--set", .text("path=value"),
            "Override a setting of the profile, such as backend.tokens.accessLifetime=5m; may be"
                + " given several times.", repeats: true),
        Option(
            "--threshold", .text("text"),
            "Add a threshold, such as 'hangs: count==0'; may be given several"
                + " times.", repeats: true),
        allowOutside,
    ]

    static let population = Option(
        "--population", .text("name"),
        "Run only this population; may be given several times.", repeats: true)

    static let playingThreads = Option(
        "--threads", .count(1...1_024),
        "Number of threads; results do not depend on it.")
    static let set = Option(
        "--set", .text("path=value"),
        "Override a setting of the profile; may be given several times.", repeats: true)
    static let allowOutside = Option(
        "--allow-outside", "Allow files of arrivals outside the profile's folder.")
    static let strict = Option(
        "--strict",
        "Exit with 1 also if the result depends on assumed values.")
    static let allowLarge = Option(
        "--allow-large", "Run even if the estimate needs more memory than this machine has.")
    static let failIf = Option(
        "--fail-if", .text("condition"),
        "Exit with 1 if the condition holds, such as 'p99 worse', 'requests count different' or"
            + " 'p95 worse by 10%'; may be given several times.", repeats: true)
    static let full = Option(
        "--full", "Print everything instead of at most \(AnswerDocument.linesAtMost) lines.")
    static let out = Option("--out", .path("folder"), "Folder for results; Results by default.")
}

extension Arguments {
    /// The settings of the command line that override a profile's.
    func overrides() throws(CommandFailure) -> [ProfileOverride] {
        try settings("--set", as: "populations[0].users=500")
            + expectations("--threshold", as: "'hangs: count==0'")
            + (nanoseconds("--for").map { [ProfileOverride(runFor: $0)] } ?? [])
    }

    /// The settings that an option gives.
    func settings(
        _ option: String, as example: String
    ) throws(CommandFailure) -> [ProfileOverride] {
        try values(
            option, as: "a setting and its value, as \(example)"
        ) { ProfileOverride(setting: $0, of: option) }
    }

    /// The expectations that an option gives.
    func expectations(
        _ option: String, as example: String
    ) throws(CommandFailure) -> [ProfileOverride] {
        try values(
            option, as: "a metric and what is expected, as \(example)"
        ) { ProfileOverride(expectation: $0, of: option) }
    }

    /// True if files of arrivals may lie outside the profile's folder.
    var allowsOutside: Bool { has(Option.allowOutside.name) }

    /// The given options of a profile, except the seed, as words that repeat them.
    var profileOptions: [String] { words(of: Array(Option.ofProfile.dropFirst())) }
}
