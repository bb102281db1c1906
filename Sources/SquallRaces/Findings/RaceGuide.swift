public import SquallFormat

/// How races are searched for, and every promise that is checked.
public enum RaceGuide {
    /// The paragraphs, with all strategies and all invariants.
    public static var parts: Guide {
        [
            (introduction, []),
            ("Strategies:", Strategies.all.map { ($0.name, $0.about) }),
            (
                "Promises, for --invariant and profiles:",
                RaceInvariants.all.map { ("\($0.id) \($0.name)", $0.claim) }
            ),
            (
                "Judged in live traffic only, by squall serve:",
                LivePromise.onlyLive.map { ("\($0.id) \($0.name)", $0.claim) }
            ),
        ]
    }

    private static let introduction = """
        squall explore plays the scenario of a profile's section explore in many schedules. A \
        schedule is the order in which everything that could happen next does happen. The default \
        order is first in, first out, as in every other run; a reordering is a choice of something \
        else. The window says how much later than due an event may happen, so that others overtake \
        it. Acts keep their order. A finding is a broken promise, minimised: first the reorderings \
        are made fewer, then users, acts and faults. It is called minimal where every schedule \
        with fewer reorderings was played and keeps the promise. Each finding is saved as a file; \
        squall replay plays it again, exactly where the build is the same, and else says whether \
        the finding is gone. In a timeline, ▶ marks the last reordering that the finding needs, ✗ \
        the events that contradict each other; T0 and R0 are the first access and refresh token \
        of the user, T1 and R1 the next. The lanes are the user, the client's calls, the wire (→ a \
        request, ← its response), the server, and the token store of the app.
        """
}
