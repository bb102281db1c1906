import SquallApps

// The stories of each app, in the order in which its designs came.

extension Scrolly {
    /// Five refreshes have failed once each since the start; then the user taps on an episode.
    static let stories = [
        DesignStory(
            "main screens never die", before: "asBuilt", after: "weakDelegate",
            preparation: [.step("read", 0)]
                + Array(
                    repeating: StoryTap(.calls(.model, 1), isExpired: true, failedRefreshes: 1),
                    count: 5)
                + [.step("read", 1), .step("read", 4)],
            taps: [.step("read", 5), .step("read", 5, isExpired: true)]),
        DesignStory(
            "a document never refreshes", before: "asBuilt", after: "reference",
            taps: Array(repeating: .expired(.bytes), count: 3)),
    ]
}

extension ThisBookThatBook {
    static let stories = [
        DesignStory(
            "a refresh in each method, unheard", before: "unheardRefresh", after: "asBuilt",
            taps: day),
        DesignStory(
            "a refresh in each method, by recursion", before: "recursiveRefresh",
            after: "asBuilt", taps: day),
        DesignStory(
            "pictures without key and token", before: "plainPictures", after: "asBuilt",
            taps: Array(repeating: StoryTap(.calls(.picture, 1)), count: 3)),
        DesignStory(
            "buttons without check and throttle", before: "unguardedButtons", after: "asBuilt",
            taps: [.step("joinInHaste", 0)]),
    ]

    private static let day: [StoryTap] = [
        .expired(.model), .expired(.account), .expired(.model, calls: 3), .expired(.upload),
        .expired(.text),
    ]
}

extension ShareD {
    static let stories = [
        ("an expiry is ignored", "signInAgain", "tokenUnderItself"),
        ("the token stored under itself", "tokenUnderItself", "disposedRefresh"),
        ("a refresh with a dropped result", "disposedRefresh", "asBuilt"),
    ].map { title, before, after in
        DesignStory(
            title, before: before, after: after,
            taps: Array(repeating: .expired(.model), count: 3))
    }
}

extension OOTD {
    static let stories = [
        DesignStory(
            "an error ends the button's stream", before: "failingSingle", after: "asBuilt",
            taps: [
                StoryTap(.step(journey: "insist", 0), failedCalls: 1), .step("insist", 1),
            ])
    ]
}
