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
        ]
    }

    private static let introduction = """
        squall explore plays the scenario of a profile's section explore in many orders: whatever \
        could happen next is a choice. The first order is first in, first out, as in every other \
        run; a departure is a choice of something else. The window says how much later than due \
        something may happen, so that others overtake it. Acts keep their order. A finding is a \
        broken promise, made smaller: fewer departures, then fewer users, acts and faults. Where \
        every schedule with fewer departures was played, it says that they are the fewest. It is \
        saved as a file that squall replay plays again, exactly where the build is the same; \
        where it is another, it says whether the finding is gone. What the lines mean: ▶ the \
        last choice that is not first in, first out, ✗ the events that contradict each other, \
        T0 and R0 the first access and refresh token of the user.
        """
}
