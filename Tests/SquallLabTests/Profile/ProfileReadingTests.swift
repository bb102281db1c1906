import SquallBackend
import SquallKernel
import SquallLab
import Testing

@Suite("Reading a profile")
struct ProfileReadingTests {
    private static let second: Int64 = 1_000_000_000

    @Test("A setting that is left out has the documented default")
    func defaults() throws {
        let profile = try Profile.reading(Profile.sample())
        let population = try #require(profile.populations.first)
        #expect(profile.seed == 1 && profile.question.isEmpty && profile.expectations.isEmpty)
        #expect(profile.durationNanoseconds == 600 * Self.second)
        #expect(profile.timeseriesIntervalNanoseconds == Self.second)
        #expect(profile.cachesEncoding && profile.cachesDecoding)
        #expect(population.name == "scrolly" && population.design == "asBuilt")
        #expect(population.thinkTime == .exponential(mean: 8 * Self.second))
        #expect(population.startsSignedIn && population.initialTokens == .fresh)
        #expect(population.load == .closed(pacingNanoseconds: nil, stages: []))
        #expect(profile.warmUp == .none && profile.drainNanoseconds == 300 * Self.second)
        #expect(profile.backend.tokens.accessLifetimeNanoseconds == 300 * Self.second)
        #expect(profile.backend.network.bandwidthBytesPerSecond == nil)
        #expect(profile.backend.faults.isEmpty)
    }

    @Test("Every setting of a full profile arrives where it belongs")
    func everything() throws {
        let profile = try Profile.reading(fullProfile)
        #expect(profile.question == "Does it storm?" && profile.seed == 42)
        #expect(profile.durationNanoseconds == 90 * Self.second)
        #expect(profile.timeseriesIntervalNanoseconds == Self.second / 2)
        #expect(!profile.cachesEncoding && !profile.cachesDecoding)
        #expect(profile.users == 1_007)
        #expect(profile.expectations.map(\.expression) == ["p(95)<1s", "max<1m", "count==0"])
    }

    @Test("Every setting of a population arrives where it belongs")
    func population() throws {
        let population = try #require(Profile.reading(fullProfile).populations.last)
        #expect(population.name == "night" && population.app == "scrolly")
        #expect(population.design == "singleFlight" && population.users == 7)
        #expect(population.journeys.map(\.journey) == ["read", "pay"])
        #expect(population.journeys.map(\.weight) == [2, 0.5])
        #expect(population.thinkTime == .constant(nanoseconds: 3 * Self.second))
        #expect(population.away == .uniform(low: Self.second, high: 2 * Self.second))
        #expect(population.arriveOverNanoseconds == 5 * Self.second)
        #expect(population.patienceNanoseconds == 20 * Self.second)
        #expect(!population.startsSignedIn && population.initialTokens == .expired)
    }

    @Test("Every setting of the backend arrives where it belongs")
    func backend() throws {
        let backend = try Profile.reading(fullProfile).backend
        #expect(backend.tokens.accessLifetimeNanoseconds == 60 * Self.second)
        #expect(backend.tokens.refreshLifetimeNanoseconds == 3_600 * Self.second)
        #expect(backend.tokens.lifetimeJitterNanoseconds == 10 * Self.second)
        #expect(backend.network.connectionsPerHost == 2)
        #expect(backend.network.timeoutNanoseconds == 30 * Self.second)
        #expect(backend.network.bandwidthBytesPerSecond == 125_000)
        #expect(backend.server.workers == 8 && backend.server.queueLimit == 0)
        #expect(backend.faults.map(\.kind) == ["expireAllTokens", "revokeRefreshTokens"])
        #expect(backend.faults.map(\.atNanoseconds) == [0, 90 * Self.second])
    }

    @Test(
        "A seed may use all 64 bits",
        arguments: [("18446744073709551615", .max), (#""0x2A""#, 42)]
            as [(String, UInt64)])
    func seeds(text: String, seed: UInt64) throws {
        #expect(try Profile.reading(Profile.sample(#""seed": \#(text),"#)).seed == seed)
    }

    @Test("Populations without a name are called after their app, and numbered when they share it")
    func names() throws {
        let population = #"{ "users": 1, "journeys": { "read": 1 } }"#
        let text = #"{"schemaVersion": 1, "populations": [\#(population), \#(population)]}"#
        #expect(try Profile.reading(text).populations.map(\.name) == ["scrolly", "scrolly-2"])
    }

    private let fullProfile = """
        // The whole format, with nothing left to its default.
        {
          "schemaVersion": 1, "question": "Does it storm?", "seed": "0x2a", "duration": "1m30s",
          "populations": [
            { "users": 1000, "journeys": { "read": 1 } },
            {
              "name": "night", "app": "scrolly", "design": "singleFlight", "users": 7,
              "journeys": { "read": 2, "pay": 0.5 },
              "thinkTime": "3s", "away": { "uniform": ["1s", "2s"] }, "arriveOver": "5s",
              "patience": "20s", "startsSignedIn": false, "initialTokens": "expired"
            }
          ],
          "backend": {
            "generation": "2024",
            "tokens": { "accessLifetime": "60s", "refreshLifetime": "1h", "lifetimeJitter": "10s" },
            "content": { "novels": 3, "episodesPerNovelMin": 4, "episodesPerNovelMax": 5 },
            "network": {
              "up": "1ms", "down": "2ms", "connectionsPerHost": 2, "timeout": "30s",
              "bandwidthBytesPerSecond": 125000
            },
            "server": { "workers": 8, "queueLimit": 0, "serviceTime": "10ms" },
            "faults": [
              { "kind": "expireAllTokens", "at": "0s" },
              { "kind": "revokeRefreshTokens", "at": "90s" }
            ]
          },
          "caches": { "encoding": false, "decoding": false },
          "thresholds": {
            "step_duration{step:episode}": ["p(95)<1s", "max<1m"], /* in this order */
            "hangs": ["count==0"]
          },
          "output": { "timeseriesInterval": "500ms" }
        }
        """
}
