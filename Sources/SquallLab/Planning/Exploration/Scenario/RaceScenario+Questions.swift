import SquallApps
import SquallBackend
public import SquallRaces

extension RaceScenario {
    /// The invariants to check, and which of them must be judged: those that the profile or the
    /// command line names, or else those for every client.
    ///
    /// Showing no refresh token twice is required only where the server takes each token once.
    public var questions: [RaceQuestion] {
        let isRotating = plan.backend.tokens.refresh.isRotating
        return invariants.map { invariant in
            let isStanding =
                RaceInvariants.standing.contains(invariant.id)
                && (isRotating || !invariant.needs.contains(.rotation))
            return RaceQuestion(invariant, isAskedFor: namesInvariants || isStanding)
        }
    }

    /// What the schedules of a scenario differ in.
    ///
    /// A hop to a free actor is a choice only where the app's clients run on a virtual system.
    public var variation: ScheduleVariation {
        var varied = [
            "the order of tasks", "of messages", "of timers",
            "of calls that wait for a busy actor",
        ]
        if drawsFaults, !plan.backend.faults.isEmpty { varied.append("which faults strike") }
        var fixed = ["the order in which acts begin"]
        if plan.populations.contains(where: \.app.usesSystem) {
            varied.append("hops to an actor that is free")
        } else {
            fixed.append("hops to an actor that is free")
        }
        return ScheduleVariation(
            varied: varied, fixed: fixed + ["preemption between two awaits"])
    }
}
