import SquallApps

/// The taps of a user in a story.
struct StoryScene: Sendable {
    /// The taps before the story, which are not counted.
    var before: [StoryTap] = []
    /// The taps that are counted.
    var taps: [StoryTap]
}

/// One tap of a user, and what goes wrong meanwhile.
struct StoryTap: Sendable {
    /// What is done.
    enum Action: Sendable {
        /// So many calls of a kind at once, each as a screen makes it.
        case calls(CallKind, Int)
        /// A step of a journey, by its index.
        case step(journey: String, Int)
    }

    let action: Action
    /// Whether the access token has expired before.
    var isExpired = false
    /// How many refreshes then fail in succession, with a 500.
    var failedRefreshes = 0
    /// How many other calls then fail.
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
