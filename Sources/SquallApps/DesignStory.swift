/// A story from an app's development: the design before, the design after, and the taps by which
/// the cost of both is measured.
public struct DesignStory: Sendable {
    /// Its subject, in a few words.
    public let title: String
    /// The earlier design.
    public let before: String
    /// The later design.
    public let after: String
    /// The taps before the story, which are not counted.
    public let preparation: [StoryTap]
    /// The taps that are counted.
    public let taps: [StoryTap]

    /// A story from its parts.
    public init(
        _ title: String, before: String, after: String, preparation: [StoryTap] = [],
        taps: [StoryTap]
    ) {
        (self.title, self.before, self.after) = (title, before, after)
        (self.preparation, self.taps) = (preparation, taps)
    }
}

/// One tap of a user, and the failures meanwhile.
public struct StoryTap: Sendable {
    /// What is tapped.
    public enum Action: Sendable {
        /// So many calls of a kind at once, each as a screen makes it.
        case calls(CallKind, Int)
        /// A step of a journey, by its index.
        case step(journey: String, Int)
    }

    /// What is tapped.
    public let action: Action
    /// True if the access token has expired before.
    public let isExpired: Bool
    /// The number of refreshes that then fail in succession, with a 500.
    public let failedRefreshes: Int
    /// The number of other calls that then fail.
    public let failedCalls: Int

    /// A tap from its parts.
    public init(
        _ action: Action, isExpired: Bool = false, failedRefreshes: Int = 0, failedCalls: Int = 0
    ) {
        (self.action, self.isExpired) = (action, isExpired)
        (self.failedRefreshes, self.failedCalls) = (failedRefreshes, failedCalls)
    }

    /// Calls on an expired token.
    public static func expired(_ kind: CallKind, calls: Int = 1) -> StoryTap {
        StoryTap(.calls(kind, calls), isExpired: true)
    }

    /// A step of a journey.
    public static func step(_ journey: String, _ step: Int, isExpired: Bool = false) -> StoryTap {
        StoryTap(.step(journey: journey, step), isExpired: isExpired)
    }
}
