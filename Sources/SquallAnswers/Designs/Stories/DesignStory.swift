import SquallApps
import SquallLab

/// A story from an app's development: the design before, the design after, and the cost of
/// both.
struct DesignStory: Sendable {
    /// The app's name.
    let app: String
    /// Its subject, in a few words.
    let title: String
    /// The earlier design.
    let before: String
    /// The later design.
    let after: String
    /// The taps before the story, which are not counted.
    var preparation: [StoryTap] = []
    /// The taps that are counted.
    let taps: [StoryTap]

    /// All stories, by app, in the order in which the app's designs came.
    static let all = ofScrolly + ofThisBook + ofShareD + ofOOTD

    /// The stories of an app.
    static func of(_ app: String) -> [DesignStory] { all.filter { $0.app == app } }

    /// Five refreshes have failed once each since the start; then the user taps on an episode.
    private static let ofScrolly = [
        DesignStory(
            app: "scrolly", title: "main screens never die", before: "asBuilt",
            after: "weakDelegate",
            preparation: [.step("read", 0)]
                + Array(
                    repeating: StoryTap(
                        action: .calls(.model, 1), isExpired: true, failedRefreshes: 1),
                    count: 5)
                + [.step("read", 1), .step("read", 4)],
            taps: [.step("read", 5), .step("read", 5, isExpired: true)]),
        DesignStory(
            app: "scrolly", title: "a document never refreshes", before: "asBuilt",
            after: "reference",
            taps: Array(repeating: .expired(.bytes), count: 3)),
    ]

    private static let ofThisBook: [DesignStory] = {
        let day: [StoryTap] = [
            .expired(.model), .expired(.account), .expired(.model, calls: 3), .expired(.upload),
            .expired(.text),
        ]
        func story(_ title: String, _ before: String, _ taps: [StoryTap]) -> DesignStory {
            DesignStory(
                app: "thisBookThatBook", title: title, before: before, after: "asBuilt",
                taps: taps)
        }
        return [
            story("a refresh in each method, unheard", "unheardRefresh", day),
            story("a refresh in each method, by recursion", "recursiveRefresh", day),
            story(
                "pictures without key and token", "plainPictures",
                Array(repeating: .good(.picture), count: 3)),
            story(
                "buttons without check and throttle", "unguardedButtons",
                [.step("joinInHaste", 0)]),
        ]
    }()

    private static let ofShareD = [
        ("an expiry is ignored", "signInAgain", "tokenUnderItself"),
        ("the token stored under itself", "tokenUnderItself", "disposedRefresh"),
        ("a refresh with a dropped result", "disposedRefresh", "asBuilt"),
    ].map { title, before, after in
        DesignStory(
            app: "shareD", title: title, before: before, after: after,
            taps: Array(repeating: .expired(.model), count: 3))
    }

    private static let ofOOTD = [
        DesignStory(
            app: "ootd", title: "an error ends the button's stream", before: "failingSingle",
            after: "asBuilt",
            taps: [
                StoryTap(action: .step(journey: "insist", 0), failedCalls: 1), .step("insist", 1),
            ])
    ]
}

/// One tap of a user, and the failures meanwhile.
struct StoryTap: Sendable {
    enum Action: Sendable {
        /// So many calls of a kind at once, each as a screen makes it.
        case calls(CallKind, Int)
        /// A step of a journey, by its index.
        case step(journey: String, Int)
    }

    let action: Action
    /// True if the access token has expired before.
    var isExpired = false
    /// The number of refreshes that then fail in succession, with a 500.
    var failedRefreshes = 0
    /// The number of other calls that then fail.
    var failedCalls = 0

    /// Calls on an expired token.
    static func expired(_ kind: CallKind, calls: Int = 1) -> StoryTap {
        StoryTap(action: .calls(kind, calls), isExpired: true)
    }

    /// Calls on a good token.
    static func good(_ kind: CallKind) -> StoryTap { StoryTap(action: .calls(kind, 1)) }

    /// A step of a journey.
    static func step(_ journey: String, _ step: Int, isExpired: Bool = false) -> StoryTap {
        StoryTap(action: .step(journey: journey, step), isExpired: isExpired)
    }
}
