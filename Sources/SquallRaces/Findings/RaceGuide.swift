public import SquallFormat

/// How races are searched for, and every promise that is checked.
public enum RaceGuide {
    /// The paragraphs, with all strategies and all invariants.
    public static var parts: Guide {
        [
            (introduction, []),
            ("Strategies:", Strategy.all.map { ($0.name, $0.about) }),
            (
                "Promises, for --invariant and profiles:",
                RaceInvariant.all.map { ("\($0.id) \($0.name)", $0.claim) }
            ),
            (
                "Judged in live traffic only, by squall serve:",
                LiveJudge.ownPromises.map { ("\($0.id) \($0.name)", $0.claim) }
            ),
        ]
    }

    private static let introduction = """
        squall explore plays the scenario in a profile's section explore in many schedules. A \
        schedule is an order of the events that are ready. The default order is first in, first \
        out, as in every other run; a reordering is another choice. An event may be delayed by up \
        to the window, so that later events overtake it. Acts keep their order. A finding is a \
        broken promise, minimised: first the number of reorderings, then users, acts and faults. \
        It is minimal if every schedule with fewer reorderings was played and keeps the promise. \
        Each finding is saved as a file. squall replay repeats it exactly with the same build; \
        with another build it reports whether the finding still occurs. In a timeline, ▶ marks the \
        last reordering or fault that the finding needs and ✗ the events that break the promise. \
        T0 and R0 are the first access token and refresh token of the user, T1 and R1 the next. \
        The lanes are the user, the client's calls, the wire (→ a request, ← its response), the \
        server, and the app's token store.
        """
}
