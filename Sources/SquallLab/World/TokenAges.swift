import SquallApps
import SquallFormat
import SquallKernel

/// The remaining lives of users' access tokens when each user first comes.
///
/// In the long run a token's age at the beginning of a visit follows from the habits alone: every
/// step makes a call, and the first call after a token's end brings a new one. That law has no
/// closed form for visits of any journeys, so it is sampled: some users' visits are simulated, with
/// only their pauses, until their beginning no longer matters, and the rest of their tokens' lives
/// is the population's law. It is exact for clients that renew a token only after it has expired,
/// if waiting for responses is short beside thinking.
final class TokenAges {
    private let stream: RandomStream
    private let law: Law
    /// What was sampled so far: few users need few of the histories.
    private var lives: [Int64?] = []

    private enum Law {
        case given(Distribution)
        /// Histories of so many visits each.
        case sampled(RandomStream, lifetime: Int64, visits: Int)
    }

    /// The ages of a population's tokens; `nil` when they are not aged.
    init?(of population: Population, lifetime: Int64, _ stream: RandomStream) {
        guard population.settings.initialTokens == .aged else { return nil }
        self.stream = stream.stream("token.age")
        if let given = population.settings.tokenLife {
            law = .given(given)
            return
        }
        let ages = stream.stream("token.history")
        var pilot = TokenHistory(population, lifetime: lifetime, ages.stream("pilot"))
        law = .sampled(ages, lifetime: lifetime, visits: pilot.visitsUntilForgotten())
        lives = Array(repeating: nil, count: Self.histories)
    }

    /// The number of histories that make the law: its shares are known to about two per cent.
    private static let histories = 2_000

    /// The remaining life for a key of the population's users, in nanoseconds; 0 when the token has
    /// expired.
    func lifeLeft(of person: UInt64, in population: Population) -> Int64 {
        let own = stream.stream(number: person)
        switch law {
        case .given(let law): return law.sample(own, at: 0)
        case .sampled(let ages, let lifetime, let visits):
            let number = own.integer(below: UInt64(lives.count), at: 0)
            if let known = lives[Int(number)] { return known }
            var history = TokenHistory(
                population, lifetime: lifetime, ages.stream(number: number))
            let left = history.lifeLeft(after: visits)
            lives[Int(number)] = left
            return left
        }
    }
}

/// One user's visits before the run, as far as tokens need them.
private struct TokenHistory {
    private let population: Population
    private let lifetime: Int64
    private let stream: RandomStream
    /// The end of the token, counted from the beginning of the present visit.
    private var end: Int64
    private var draws: UInt64 = 0

    /// The number of a token's lives after which its beginning no longer matters.
    ///
    /// The start is uniform, as it is when visits are short beside a life, so a few are enough.
    private static let livesUntilForgotten = 4.0
    private static let visitsUntilForgotten = 8...100

    init(_ population: Population, lifetime: Int64, _ stream: RandomStream) {
        self.population = population
        self.lifetime = lifetime
        self.stream = stream
        // A life longer than many visits is only known to be under way.
        end = Int64(stream.stream("phase").unit(at: 0) * Double(lifetime))
    }

    /// The number of a user's visits that take that long.
    mutating func visitsUntilForgotten() -> Int {
        let trial = Self.visitsUntilForgotten.upperBound
        var elapsed = 0.0
        for _ in 0..<trial { elapsed += Double(visit()) }
        guard elapsed > 0 else { return trial }
        let visits = Self.livesUntilForgotten * Double(lifetime) / (elapsed / Double(trial))
        let bounds = Self.visitsUntilForgotten
        return Int(min(max(visits.rounded(.up), Double(bounds.lowerBound)), Double(trial)))
    }

    /// The remaining life of the token when a visit begins, after this many visits.
    mutating func lifeLeft(after visits: Int) -> Int64 {
        for _ in 0..<visits { _ = visit() }
        return end
    }

    private mutating func unit() -> Double {
        draws += 1
        return stream.unit(at: draws)
    }

    private mutating func happens(_ probability: Double) -> Bool {
        draws += 1
        return probability >= 1 || stream.unit(at: draws) < probability
    }

    private mutating func sample(_ law: Distribution) -> Int64 {
        draws += 1
        return law.sample(stream, at: draws)
    }

    /// Plays one visit and the time until the next; returns the length of both.
    private mutating func visit() -> Int64 {
        var now: Int64 = 0
        let journey = population.journey(at: unit())
        // By part: journeys and steps as a whole would be copied.
        let isOpen = population.journeys[journey].journey.launch == .open
        let steps = population.journeys[journey].journey.steps
        let beginning: VisitBeginning = isOpen ? .openScreen : .coldStart
        for step in steps.indices where steps[step].condition.applies(to: beginning) {
            guard happens(steps[step].probability) else { continue }
            if end <= now { end = now.clampedSum(lifetime) }
            if !steps[step].leadsOn {
                now = now.clampedSum(sample(population.settings.thinkTime(after: steps[step])))
            }
        }
        let time = timeToNext(after: now)
        // An expired token stays expired.
        end = max(0, end - time)
        return time
    }

    /// From the beginning of a visit to that of the next.
    private mutating func timeToNext(after visit: Int64) -> Int64 {
        switch population.load {
        case .closed(let pacing?, _): return max(visit, pacing)
        case .closed(nil, _): return visit.clampedSum(sample(population.settings.away))
        case .open(let process, let probability, _, let returning):
            guard !happens(probability) else {
                return visit.clampedSum(sample(population.settings.away))
            }
            // Each user comes once in this time: taking turns so precisely, or at random.
            let mean = Int64(clamped: Double(population.users.count) * process.meanGap)
            return max(visit, returning == nil ? mean : sample(.exponential(mean: max(1, mean))))
        }
    }
}
