import SquallAnswers
import SquallLab
import Testing

@testable import CommandLineTool

@Suite("Before a run")
struct PreflightTests {
    @Test("A run that needs more memory than there is is refused, with both figures")
    func refused() throws {
        let squall = try PlayedTool()
        squall.console.availableMemoryBytes = 40_000_000
        #expect(squall.run("run", "storm") == .usage)
        #expect(
            squall.console.errors.contains("GB of memory and there are 0.04 GB; take fewer users"))
        #expect(squall.run("run", "storm", "--allow-large") == .passed)
    }

    @Test("A run that needs most of the memory is begun with a warning")
    func warned() throws {
        let squall = try PlayedTool()
        squall.console.availableMemoryBytes = 80_000_000
        #expect(squall.run("run", "storm") == .passed)
        #expect(squall.console.errors.contains("note: the run will take about 0.0"))
        #expect(squall.console.errors.contains("GB of memory\n"))
    }

    @Test("A run of hours is begun with a warning that says how many, and a short one without")
    func long() throws {
        let week = try Preflight(estimate: estimate("168h", users: 200_000), availableBytes: nil)
            .warning(allowingLarge: false)
        let text = try #require(week)
        #expect(text.hasSuffix("requests") && text.contains("hours for"))
        let short = try Preflight(estimate: estimate("10m", users: 200), availableBytes: nil)
            .warning(allowingLarge: false)
        #expect(short == nil)
    }

    @Test(
        "The memory estimated is within two fifths of what a release build was seen to take",
        arguments: [
            // users, duration, time in which they come, megabytes at most
            (1_000, "10m", "1m", 56), (10_000, "10m", "1m", 158), (100_000, "1m", "1m", 424),
            (1_000_000, "1m", "10m", 607), (1_000_000, "1m", "365d", 248),
        ] as [(Int, String, String, Double)])
    func memory(users: Int, duration: String, arriving: String, megabytes: Double) throws {
        let estimate = try estimate(
            duration, users: users, #""arriveOver": "\#(arriving)", "away": "3m""#)
        let ratio = estimate.memoryBytes / 1e6 / megabytes
        #expect((0.6...1.4).contains(ratio), "\(ratio)")
    }

    @Test("Users, time, rates and rows each make the estimate larger")
    func grows() throws {
        let small = try estimate("10m", users: 100)
        #expect(try estimate("10m", users: 1_000).requests > 5 * small.requests)
        #expect(try estimate("100m", users: 100).requests > 5 * small.requests)
        let open = #""load": {"open": {"stages": [{"constant": {"rate": %, "for": "1h"}}]}}"#
        let slow = try estimate("10m", users: 1_000_000, open.replacing("%", with: "1"))
        let fast = try estimate("10m", users: 1_000_000, open.replacing("%", with: "50"))
        #expect(fast.requests > 40 * slow.requests)
    }

    @Test(
        "Sessions that find nobody free wait in memory: a million a second for a month is refused")
    func waiting() throws {
        let load = #""load": {"open": {"stages": [{"constant": {"rate": 1000000, "for": "30d"}}]}}"#
        let estimate = try estimate("30d", users: 1_000, load)
        #expect(estimate.memoryBytes > 1e13)
        #expect(throws: CommandFailure.self) {
            try Preflight(estimate: estimate, availableBytes: 64_000_000_000)
                .warning(allowingLarge: false)
        }
    }

    private func estimate(
        _ duration: String, users: Int, _ load: String = #""away": "30s""#
    ) throws -> RunEstimate {
        let text = """
            {"schemaVersion": 1, "duration": "\(duration)", "populations":
              [{"users": \(users), "journeys": {"read": 1}, \(load)}]}
            """
        return RunEstimate(
            try Profile.read(Array(text.utf8), file: "test", vocabulary: .installed))
    }
}
