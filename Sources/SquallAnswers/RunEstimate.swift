import SquallApps
import SquallFormat
import SquallKernel
public import SquallLab
import SquallServices

/// An estimate of a run's cost before it begins.
///
/// Memory is within a third of what was measured on thirteen shapes of runs, from five users in a
/// month to a million in a minute, and calls within a factor of two, for a backend that keeps up.
/// Time depends on the calls and on the machine. That is enough to tell a minute from a day, and a
/// laptop's memory from a cluster's.
public struct RunEstimate: Hashable, Sendable {
    /// The number of attempts that will be simulated.
    public let requests: Double
    /// True for a lower bound: some journey reads a list to its end, with as many calls as the list
    /// then has pages.
    public let isLeast: Bool
    /// The most memory it will use, in bytes.
    public let memoryBytes: Double
    /// The memory of the world alone, before anything happens in it, in bytes.
    public let worldBytes: Double
    /// The time that it will take on one core, in seconds, in a release build.
    public let seconds: Double

    /// The estimate of a checked profile.
    public init(_ profile: Profile) {
        let duration = Double(profile.durationNanoseconds)
        let crowds = profile.populations.map { Self.crowd($0, of: profile, in: duration) }
        requests = crowds.reduce(0) { $0 + $1.calls }
        isLeast = profile.populations.contains { population in
            let known = profile.app(named: population.app)?.journeys ?? []
            return known.contains { journey in
                journey.steps.contains(where: \.readsToEnd)
                    && population.journeys.contains { $0.journey == journey.name }
            }
        }
        let arrived = crowds.reduce(0) { $0 + $1.arrived }
        let waiting = crowds.reduce(0) { $0 + $1.waiting }
        let rows = duration / Double(profile.timeseriesIntervalNanoseconds)
        let series = Double(profile.populations.count + 1)
        worldBytes =
            Cost.bytesAtStart + Double(profile.users) * Cost.bytesEachUser
            + ServiceKind.bytesHeld(by: ServicesPlan(profile))
        memoryBytes =
            worldBytes + arrived * Cost.bytesEachArrived + rows * series * Cost.bytesEachRow
            + waiting * Cost.bytesEachWaiting
            + crowds.reduce(0) { $0 + $1.callsAtOnce } * Cost.bytesEachCallAtOnce
            + min(Cost.bytesKeptAtMost, requests * Cost.bytesEachRequest)
        seconds =
            arrived * Cost.secondsEachUser + requests * Cost.secondsEachRequest
            + waiting * Cost.secondsEachWaiting
    }

    /// Costs as measured on x86-64 in release builds.
    private enum Cost {
        static let callsEachStep = 3.0
        /// Up to this many calls of a screen cost no more than the app that makes them.
        static let callsAtOnce = 20.0
        static let bytesAtStart = 45e6
        /// A user who has not come yet.
        static let bytesEachUser = 200.0
        /// A user who has, with sessions, tokens and the app's data.
        static let bytesEachArrived = 3_900.0
        /// A call under way, beyond those that an ordinary screen makes at once.
        static let bytesEachCallAtOnce = 8_000.0
        static let bytesEachRow = 400.0
        /// Encoded and decoded responses that are kept, and histograms that fill.
        static let bytesEachRequest = 110.0
        static let bytesKeptAtMost = 50e6
        /// A session that arrived and finds no free user.
        static let bytesEachWaiting = 16.0
        static let secondsEachWaiting = 2e-6
        static let secondsEachUser = 10e-6
        static let secondsEachRequest = 30e-6
    }

    /// The number of a population's users who come, of sessions that find no user, and of their
    /// calls in total and, at once, beyond the usual number.
    private static func crowd(
        _ population: Profile.Population, of profile: Profile, in duration: Double
    ) -> (arrived: Double, waiting: Double, calls: Double, callsAtOnce: Double) {
        let steps = sum(overStepsOf: population, profile) { _ in 1 }
        let callsEach = sum(overStepsOf: population, profile) {
            $0.calls.map { max(1, Double($0)) } ?? Cost.callsEachStep
        }
        let looks = sum(overStepsOf: population, profile) {
            mean(population.thinkTime(after: $0))
        }
        let think = looks / max(1e-9, steps)
        let journey = steps * (think + Double(Span.second) / 2)
        let users = Double(population.users)
        let arrived, waiting, calls: Double
        switch population.load {
        case .closed(let pacing, _):
            let pause = pacing.map { max(0, Double($0) - journey) }
            let away = pause ?? mean(population.away)
            let over = max(1, Double(population.arriveOverNanoseconds))
            arrived = users * min(1, duration / over)
            // A user who comes during the run has half of it, on average.
            let there = max(0, duration - min(duration, over) / 2)
            let journeys =
                there < journey ? there / journey : max(1, there / max(journey + away, 1))
            calls = arrived * callsEach * journeys
            waiting = 0
        case .open(let arrivals):
            let journeys =
                arrivals.expected(until: Int64(duration)) / (1 - arrivals.continues)
            arrived = min(users, journeys)
            let most = users * (1 + duration / max(journey, 1))
            calls = callsEach * min(journeys, most)
            waiting = max(0, journeys - most)
        }
        let stepTime = Double(Span.second) / 2
        let callsAtOnce =
            max(1, arrived * stepTime / (think + stepTime))
            * max(0, callsEach / max(1, steps) - Cost.callsAtOnce)
        return (arrived, waiting, calls, callsAtOnce)
    }

    /// The average sum over the steps of a journey.
    private static func sum(
        overStepsOf population: Profile.Population, _ profile: Profile,
        _ each: (StepDescription) -> Double
    ) -> Double {
        let known = profile.app(named: population.app)?.journeys ?? []
        let weights = population.journeys.reduce(0) { $0 + $1.weight }
        return population.journeys.reduce(0) { sum, journey in
            let steps = known.first { $0.name == journey.journey }?.steps ?? []
            return sum + journey.weight / weights
                * steps.reduce(0) { $0 + $1.probability * each($1) }
        }
    }

    private static func mean(_ law: Distribution) -> Double {
        min(law.mean, Double(Distribution.longest))
    }
}
