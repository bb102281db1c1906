import SquallKernel
import Testing

@testable import SquallLab

@Suite("Aged tokens")
struct TokenAgeTests {
    private static let second: Int64 = 1_000_000_000

    /// A population that visits with one call, once in so long on average.
    private static func population(
        away: String, _ others: String = "", backend: String = ""
    ) throws -> Population {
        let text = Profile.minimal(
            backend,
            population: #""app": "shareD", "journeys": { "communityToEnd": 1 }, "#
                + #""initialTokens": "aged", \#(others) "away": \#(away)"#)
        let profile = try Profile.read(text.replacing(#""journeys": { "read": 1 },"#, with: ""))
        let world = World(WorldPlan(profile))
        return world.fleet.populations[0]
    }

    private static func lives(away: String, lifetime: Int64) throws -> [Int64] {
        let population = try population(away: away, #""thinkTime": "0s","#)
        let ages = try #require(
            TokenAges(of: population, lifetime: lifetime, RandomStream(seed: 1)))
        return (0..<4_000).map { ages.lifeLeft(of: $0, in: population) }
    }

    @Test("With visits once in a mean m, 1 / (1 + L/m) of the tokens have expired at a visit")
    func shares() throws {
        // Exponential gaps: visits are Poisson, so a cycle is L and a gap's memoryless rest, and in
        // it there are L/m visits on a good token and one on an expired one.
        let lives = try Self.lives(
            away: #"{ "exponential": { "mean": "60s" } }"#, lifetime: 300 * Self.second)
        let expired = Double(lives.count { $0 == 0 }) / 4_000
        let sixth = 1.0 / 6
        let tolerance = 4 * (sixth * (1 - sixth) / 2_000).squareRoot()
        #expect(abs(expired - sixth) < tolerance)
        // What is left of good ones is as likely anything from nothing to a whole life.
        let good = lives.filter { $0 > 0 }
        let mean = Double(good.reduce(0, +)) / Double(good.count) / 1e9
        let error = 86.6 / (Double(good.count) / 2).squareRoot()
        #expect(abs(mean - 150) < 4 * error)
    }

    @Test("A user who returns after a token's lifetime has an expired one")
    func rare() throws {
        let lives = try Self.lives(away: #""10m""#, lifetime: 300 * Self.second)
        #expect(lives.allSatisfy { $0 == 0 })
    }

    @Test("Tokens are renewed by the life that a refresh gives them")
    func refreshed() throws {
        let tokens = #"{"accessLifetime": "10d", "refreshedLifetime": "5m"}"#
        let population = try Self.population(
            away: #""10m""#, #""thinkTime": "0s","#,
            backend: #""backend": {"tokens": \#(tokens)},"#)
        let ages = try #require(population.ages)
        #expect((0..<100).allSatisfy { ages.lifeLeft(of: $0, in: population) == 0 })
    }

    @Test("Visits longer than any run end no sum, and every returning token is expired")
    func endless() throws {
        let away = #"{ "pareto": { "scale": "366d", "shape": 0.1 } }"#
        let population = try Self.population(away: away, #""thinkTime": "1d","#)
        let ages = try #require(
            TokenAges(of: population, lifetime: 1, RandomStream(seed: 1)))
        #expect((0..<100).allSatisfy { ages.lifeLeft(of: $0, in: population) == 0 })
    }

    @Test("A given law of token ages is used")
    func given() throws {
        let population = try Self.population(away: #""1m""#, #""tokenLife": "7ns","#)
        let ages = try #require(
            TokenAges(of: population, lifetime: 300 * Self.second, RandomStream(seed: 1)))
        #expect((0..<10).allSatisfy { ages.lifeLeft(of: $0, in: population) == 7 })
    }
}
