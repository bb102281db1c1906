import SquallFormat
import SquallKernel
import SquallReport
import Testing

@testable import SquallLab

@Suite("A world")
struct WorldTests {
    static let journeys = ScrollyStormTests.allJourneys
    static let backend = #"{"faults": [{"kind": "expireAllTokens", "at": "2m"}]}"#

    @Test(
        "A world has the same digest for the same seed and another one for another",
        arguments: [1, 2, 3])
    func seeds(seed: Int) throws {
        let digests = try [seed, seed, seed + 1].map { seed in
            try TestWorld(journeys: Self.journeys, backend: Self.backend, seed: seed)
                .world.simulation.digest
        }
        #expect(digests[0] == digests[1])
        #expect(digests[0] != digests[2])
        #expect(digests[0].events > 1_000)
    }

    @Test("Caches change neither the digest nor a single metric")
    func caches() throws {
        let results = try [true, false].map { caches in
            try TestWorld(journeys: Self.journeys, backend: Self.backend, caches: caches)
        }
        #expect(results[0].world.simulation.digest == results[1].world.simulation.digest)
        let keys = results[0].metrics.keys
        #expect(keys == results[1].metrics.keys)
        for key in keys {
            #expect(
                results[0].metrics.value(ofSeries: key) == results[1].metrics.value(ofSeries: key))
        }
    }

    @Test("The journal has a line for every event of the digest, and listening changes nothing")
    func journal() throws {
        var lines: [String] = []
        let heard = try TestWorld(journeys: Self.journeys, backend: Self.backend) {
            lines.append($0)
        }
        let withoutInterception = try TestWorld(journeys: Self.journeys, backend: Self.backend)
        #expect(lines.count == Int(heard.world.simulation.digest.events))
        #expect(heard.world.simulation.digest == withoutInterception.world.simulation.digest)
    }

    @Test("A rotated key expires every token at once, and nobody is signed out by it")
    func keyRotation() throws {
        let test = try TestWorld(journeys: #"{"browse": 1}"#, backend: Self.backend)
        #expect(test.count(.expiredResponses) > 0)
        #expect(test.count(.refreshes) > 0)
        #expect(test.count(.sessionsLost) == 0)
    }

    @Test("People who did not sign in before the run do so first, once")
    func signIn() throws {
        let text = """
            { "schemaVersion": 1, "duration": "2m", "populations": [{ "app": "scrolly",
              "users": 10, "journeys": {"browse": 1}, "startsSignedIn": false }] }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let options = LoadRun.Options(replayCommand: "")
        let result = try LoadRun(profile: profile, named: "test", options: options)
            .run { _ in .continue }
        let signIns = result.summary.steps.first { $0.step == "signIn" }
        #expect(signIns?.count == 10 && signIns?.failed == 0)
        #expect(result.summary.endpoints.contains { $0.endpoint == "login" })
    }

    @Test("A run that is stopped on the way is summed up as partial")
    func stopped() throws {
        let text = """
            { "schemaVersion": 1, "duration": "2m", "populations": [{ "app": "scrolly",
              "users": 10, "journeys": {"browse": 1} }] }
            """
        let profile = try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed)
        let options = LoadRun.Options(replayCommand: "")
        let result = try LoadRun(profile: profile, named: "test", options: options)
            .run { $0.virtualNanoseconds < 60_000_000_000 ? .continue : .stop }
        #expect(result.summary.verdict == .partial)
        #expect(result.summary.virtualNanoseconds <= 60_000_000_000)
        #expect(result.summary.selfChecks.allSatisfy { $0.ok })
    }
}
