public import SquallFormat

extension Profile {
    /// The rule by which users begin journeys.
    public enum Load: Hashable, Sendable {
        /// A fixed number of users begin again whenever they have finished.
        ///
        /// With a pacing a user's journeys are meant to begin that far apart; a journey that lasts
        /// longer makes the next one late. Stages say how many users take part; without them all.
        case closed(pacingNanoseconds: Int64?, stages: [UserStage])
        /// Sessions arrive, whatever the state of those under way.
        case open(Arrivals)

        var arrivals: Arrivals? {
            if case .open(let arrivals) = self { arrivals } else { nil }
        }
    }

    /// The number of active users at the end of a stage.
    public struct UserStage: Hashable, Sendable {
        let users: Int64
        /// The time that the change to that number takes, evenly.
        let nanoseconds: Int64
    }

    /// The arriving sessions of an open load.
    public struct Arrivals: Hashable, Sendable {
        /// The law of the gaps between them at a given rate.
        var spacing: Spacing
        /// The fate of a session that finds no free user.
        var overflow: Overflow
        /// The user of a session, among those that are free.
        var whoReturns: WhoReturns
        /// Their rate, stage after stage: shapes of arrivals.
        public var stages: [CheckedSetting]
        /// The texts of the files that shapes name, by name; empty before they are read.
        var files: [String: String] = [:]
        /// The factor of every rate; of a trace, the speed at which it is played.
        var factor: Double = 1
        /// The probability that another journey follows each journey of a session.
        public var continues: Double = 0
    }

    /// The fate of a session that arrives when no user is free.
    enum Overflow: String, Hashable, Sendable, CaseIterable {
        /// It waits for the next free user, and its wait counts.
        case wait
        /// It goes away, and is counted.
        case refuse
    }

    /// The choice among the free users for a session.
    enum WhoReturns: String, Hashable, Sendable, CaseIterable {
        /// One of them, each as likely as another.
        case drawn
        /// One who has not come yet, or else the one who has been free for longest.
        case inTurn
    }

    /// The law of the gaps between sessions at a given rate.
    enum Spacing: String, Hashable, Sendable, CaseIterable {
        /// Independently of each other, as people do.
        case poisson
        /// As evenly as the rate allows.
        case even
    }
}

extension Profile.Load {
    static func format(_ vocabulary: ProfileVocabulary) -> SettingFormat<Profile.Load> {
        .oneOf([
            Setting(
                "closed", .section { readClosed(&$0) },
                "The users begin again whenever they have finished."),
            Setting(
                "open", .section { .open(Profile.Arrivals(&$0, vocabulary)) },
                "Sessions of one journey arrive, whatever happens to those under way."),
            Setting(
                "partlyOpen",
                .section { read in
                    var arrivals = Profile.Arrivals(&read, vocabulary)
                    arrivals.continues = read(
                        "continue", .number(0...0.999),
                        "How likely another journey follows, after a pause of 'away'.")
                    return .open(arrivals)
                },
                "Sessions arrive; after each journey another one may follow."),
        ])
    }

    private static func readClosed(_ read: inout SettingsReader) -> Profile.Load {
        .closed(
            pacingNanoseconds: read.optional(
                "pacing", .duration(Span.millisecond...Span.year),
                "A user's journeys are meant to begin so far apart; replaces 'away'."),
            stages: read(
                "stages", .list(of: .section { Profile.UserStage(&$0) }, 0...1_000), otherwise: [],
                "How many users are active, from none; replaces 'arriveOver'."
                    + " Without stages all are."))
    }

    /// Changes the arrivals; a closed load has none.
    mutating func changeArrivals(_ change: (inout Profile.Arrivals) throws -> Void) rethrows {
        guard case .open(var arrivals) = self else { return }
        try change(&arrivals)
        self = .open(arrivals)
    }
}

extension Profile.UserStage {
    init(_ read: inout SettingsReader) {
        users = read(
            "users", .integer(0...Profile.usersRange.upperBound),
            "How many are active at the stage's end.")
        nanoseconds = read("for", .duration(0...Span.year), "How long the way there takes.")
    }
}

extension Profile.Arrivals {
    init(_ read: inout SettingsReader, _ vocabulary: ProfileVocabulary) {
        spacing = read(
            "spacing", .choice(Profile.Spacing.self), otherwise: "poisson",
            "Whether sessions arrive at random or as evenly as the rate allows.")
        overflow = read(
            "whenNobodyIsFree", .choice(Profile.Overflow.self), otherwise: "wait",
            "What happens to a session that arrives when every user is busy.")
        whoReturns = read(
            "whoReturns", .choice(Profile.WhoReturns.self), otherwise: "drawn",
            "Which free user a session is of: any of them, drawn anew, or with inTurn one who has"
                + " not come yet, or else the one who has been away for longest.")
        let stage = ArrivalShapes.format.checking
        stages = read(
            "stages", .list(of: stage, 1...1_000).described(as: "list of stages, see below"),
            "The rate of sessions, stage after stage.")
        guard spacing == .poisson else { return }
        for (index, stage) in stages.enumerated() {
            let shape = ArrivalShapes.all.first { $0.name == stage.kind }
            guard let reason = shape?.needsEvenSpacing else { continue }
            let path = read.path.appending("stages").appending(index)
            read.report(at: path, "\(path): \(reason); use \"spacing\": \"even\"")
        }
    }
}
