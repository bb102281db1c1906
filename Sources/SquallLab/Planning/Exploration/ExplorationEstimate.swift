import SquallFormat
import SquallRaces

/// An estimate of what exploring a profile takes, in a release build; good to a factor of three.
public struct ExplorationEstimate: Hashable, Sendable {
    /// How many schedules will be played at the most.
    public let schedules: Int64
    /// How long they take on one core, in seconds.
    public let seconds: Double
    /// How long making findings smaller takes at the most, in seconds.
    public let reductionSeconds: Double

    /// Making a world and judging what happened in it.
    private static let secondsEachSchedule = 400e-6
    private static let secondsEachCall = 60e-6
    private static let secondsEachChoice = 10e-6
    private static let callsEachAct = 3.0

    /// The estimate of a checked profile, with what it or the standard says of explorations.
    public init(_ profile: Profile) {
        let explore = profile.explore ?? .standard
        let few = RunEstimate(RaceScenario.few(of: profile)).requests
        let calls =
            explore.acts.isEmpty
            ? max(few, Self.callsEachAct) : Double(explore.acts.count) * Self.callsEachAct
        schedules = explore.schedules
        let all =
            Double(explore.schedules) * (Self.secondsEachSchedule + calls * Self.secondsEachCall)
        let limit = explore.nanoseconds.map { Double($0) / 1e9 } ?? .infinity
        seconds = min(all, limit)
        reductionSeconds = min(
            max(
                Double(Reduction.least) * Self.secondsEachChoice,
                seconds * Double(Reduction.share)),
            limit)
    }
}
