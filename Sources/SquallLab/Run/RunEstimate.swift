import SquallApps
import SquallFormat
import SquallKernel
public import SquallProfile
import SquallReport

/// What a run will take, before it is begun: right to a factor of two or three, which is enough to
/// tell a minute from a day and a laptop's memory from a cluster's.
public struct RunEstimate: Hashable, Sendable {
    /// How many attempts will be simulated.
    public let requests: Double
    /// The most memory it will use, in bytes.
    public let memoryBytes: Double
    /// How long it will take on one core, in seconds, in a release build.
    public let seconds: Double

    /// The estimate of a checked profile.
    public init(_ profile: Profile) {
        let stream = RandomStream(seed: profile.seed)
        let duration = Double(profile.durationNanoseconds)
        let calls = profile.populations.map { population in
            RunEstimate.steps(of: population, in: duration, stream) * Cost.callsEachStep
        }
        requests = calls.reduce(0, +)
        let rows = duration / Double(profile.timeseriesIntervalNanoseconds)
        let series = Double(profile.populations.count + 1)
        memoryBytes =
            Cost.bytesAtStart + Double(profile.users) * Cost.bytesEachUser
            + rows * series * Cost.bytesEachRow + requests * Cost.bytesEachRequest
        seconds = Double(profile.users) * Cost.secondsEachUser + requests * Cost.secondsEachRequest
    }

    /// What things cost, as measured on the profiles of this package; see `squall bench`.
    private enum Cost {
        static let callsEachStep = 1.5
        static let bytesAtStart = 60e6
        static let bytesEachUser = 2_600.0
        static let bytesEachRow = 300.0
        static let bytesEachRequest = 8.0
        static let secondsEachUser = 4e-6
        static let secondsEachRequest = 15e-6
    }

    /// How many steps a population's users will take.
    private static func steps(
        of population: Profile.Population, in duration: Double, _ stream: RandomStream
    ) -> Double {
        let steps = steps(ofJourneyOf: population)
        let think = mean(Distribution(population.thinkTime)) + Double(Span.second) / 2
        let journey = steps * think
        let users = Double(population.users)
        switch LoadModel(population.load, arrivals: stream) {
        case .closed(let pacing, _):
            let pause = pacing.map { max(0, Double($0) - journey) }
            let cycle = journey + (pause ?? mean(Distribution(population.away)))
            return users * steps * max(1, duration / max(cycle, 1))
        case .open(let process, let continues, _):
            let journeys = process.expected(until: Int64(duration)) / (1 - continues)
            return steps * min(journeys, users * (1 + duration / max(journey, 1)))
        }
    }

    /// How many steps a journey has on average.
    private static func steps(ofJourneyOf population: Profile.Population) -> Double {
        let known = AppRegistry.app(named: population.app)?.journeys ?? []
        let weights = population.journeys.reduce(0) { $0 + $1.weight }
        return population.journeys.reduce(0) { sum, journey in
            let steps = known.first { $0.name == journey.journey }?.steps ?? []
            return sum + journey.weight / weights * steps.reduce(0) { $0 + $1.probability }
        }
    }

    private static func mean(_ law: Distribution) -> Double {
        min(law.mean, Double(Distribution.longest))
    }
}
