import SquallFormat
import SquallLab

extension Option {
    /// The options that decide which profile is run, and for how long.
    static let ofProfile =
        [
            Option(name: "--seed", value: .seed, summary: "Seed instead of the profile's."),
            Option(
                name: "--users", value: .count(Profile.usersRange),
                summary: "Users in total, shared among populations in proportion. Sessions that"
                    + " arrive come as much less or more often."),
            Option(
                name: "--for", value: .duration(Profile.durationRange),
                summary: "Virtual time instead of the profile's duration, such as 30s or 2h."),
        ] + overrides

    /// The options that change any setting of a profile.
    static let overrides = [
        Option(
            name: "--set", value: .text("path=value"),
            summary: "A setting instead of the profile's, such as"
                + " backend.tokens.accessLifetime=5m; may be given several times.",
            repeats: true),
        Option(
            name: "--threshold", value: .text("text"),
            summary: "An expectation beside the profile's, such as 'hangs: count==0'; may be"
                + " given several times.",
            repeats: true),
        allowOutside,
    ]
}

extension Option {
    static let playingThreads = Option(
        name: "--threads", value: .count(1...1_024),
        summary: "How many threads play; nothing that is found depends on it.")
    static let set = Option(
        name: "--set", value: .text("path=value"),
        summary: "A setting instead of the profile's; may be given several times.", repeats: true)
    static let allowOutside = Option(
        name: "--allow-outside", value: .none,
        summary: "Let files of arrivals lie outside the profile's folder.")
    static let allowLarge = Option(
        name: "--allow-large", value: .none,
        summary: "Run also what seems to need more memory than there is.")
}

extension Arguments {
    /// The settings of the command line that override a profile's.
    func overrides() throws(CommandFailure) -> [ProfileOverride] {
        var overrides: [ProfileOverride] = []
        for text in texts("--set") {
            guard let override = ProfileOverride(setting: text) else {
                throw .usage(
                    "--set must be a setting and its value, as populations[0].users=500,"
                        + " got '\(text)'")
            }
            overrides.append(override)
        }
        for text in texts("--threshold") {
            guard let override = ProfileOverride(expectation: text) else {
                throw .usage(
                    "--threshold must be a metric and what is expected, as 'hangs: count==0',"
                        + " got '\(text)'")
            }
            overrides.append(override)
        }
        return overrides
    }

    /// Whether files of arrivals may lie outside the profile's folder.
    var allowsOutside: Bool { has(Option.allowOutside.name) }

    /// The given options of a profile, except the seed, as words that repeat them.
    var profileOptions: [String] {
        var words: [String] = []
        if let users = count("--users") { words += ["--users", "\(users)"] }
        if let duration = nanoseconds("--for") {
            words += ["--for", Units.exact(nanoseconds: duration)]
        }
        for option in Option.overrides.map(\.name) {
            words += texts(option).flatMap { [option, $0] }
        }
        if allowsOutside { words.append(Option.allowOutside.name) }
        return words
    }
}
