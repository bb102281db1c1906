import SquallFormat
import SquallLab

extension Option {
    static let seed = Option("--seed", .seed, "Seed instead of the profile's.")

    /// The options that decide which profile is run, and for how long.
    static let ofProfile =
        [
            seed,
            Option(
                "--users", .count(Profile.usersRange),
                "Users in total, shared among populations in proportion. Sessions that arrive come"
                    + " as much less or more often."),
            Option(
                "--for", .duration(Profile.durationRange),
                "Virtual time instead of the profile's duration, such as 30s or 2h."),
            population,
        ] + overrides

    /// The options that change any setting of a profile.
    static let overrides = [
        Option(
            "--set", .text("path=value"),
            "A setting instead of the profile's, such as backend.tokens.accessLifetime=5m; may be"
                + " given several times.", repeats: true),
        Option(
            "--threshold", .text("text"),
            "A threshold beside the profile's, such as 'hangs: count==0'; may be given several"
                + " times.", repeats: true),
        allowOutside,
    ]

    static let population = Option(
        "--population", .text("name"),
        "Only this population of the profile, without the load of the others; may be given several"
            + " times.", repeats: true)

    static let playingThreads = Option(
        "--threads", .count(1...1_024),
        "How many threads play; nothing that is found depends on it.")
    static let set = Option(
        "--set", .text("path=value"),
        "A setting instead of the profile's; may be given several times.", repeats: true)
    static let allowOutside = Option(
        "--allow-outside", "Let files of arrivals lie outside the profile's folder.")
    static let strict = Option(
        "--strict",
        "Exit with 1 also where every threshold holds, but rests on assumed values.")
    static let allowLarge = Option(
        "--allow-large", "Run also what seems to need more memory than there is.")
    static let out = Option("--out", .path("folder"), "Where results go; Results by default.")
}

extension Arguments {
    /// The settings of the command line that override a profile's.
    func overrides() throws(CommandFailure) -> [ProfileOverride] {
        try settings("--set", as: "populations[0].users=500")
            + expectations("--threshold", as: "'hangs: count==0'")
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
            option, as: "a metric and what is expected, as \(example)",
            ProfileOverride.init(expectation:))
    }

    /// Whether files of arrivals may lie outside the profile's folder.
    var allowsOutside: Bool { has(Option.allowOutside.name) }

    /// The given options of a profile, except the seed, as words that repeat them.
    var profileOptions: [String] { words(of: Array(Option.ofProfile.dropFirst())) }
}
