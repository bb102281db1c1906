import SquallLab
import Testing

@Suite("Loads in another size")
struct ScaledLoadTests {
    @Test(
        "Scaling the users scales the sessions a second by the same factor",
        arguments: [(300, 1.5), (2_000, 10), (20_000, 100)] as [(Int64, Double)])
    func rate(users: Int64, rate: Double) throws {
        let text = """
            {"schemaVersion": 1, "duration": "1m", "populations": [
              {"users": 2000, "journeys": {"read": 1},
              "load": {"open": {"stages": [{"constant": {"rate": 10, "for": "1m"}}]}}}]}
            """
        let profile = try Profile.read(Array(text.utf8), file: "x", vocabulary: .installed)
        #expect(profile.scaled(toUsers: users).plannedSessionsPerSecond == rate)
    }
}
