import SquallFormat
import Testing

@testable import SquallLive

@Suite("Replaying a live session")
struct LiveReplayTests {
    private func report(_ lines: [String]) throws -> LiveReport {
        let replay = LiveReplay(ClockedWorld.setup)
        for line in lines { try replay.take(JSONParser.parse(Array(line.utf8))) }
        return try replay.report()
    }

    @Test("A session without its end is partial, one with its end is whole")
    func partial() throws {
        let reset = #"{"turn": 1, "at": 0, "reset": true}"#
        #expect(try report([reset]).document.verdict == .partial)
        #expect(try !report([]).isWhole)
        let whole = try report([reset, #"{"turn": 2, "at": 5000000000, "end": true}"#])
        #expect(whole.isWhole && whole.document.verdict == nil)
    }

    @Test("A session of more than a year, or behind its end, is refused")
    func moments() {
        let end = #"{"turn": 2, "at": 9223372036854775807, "end": true}"#
        #expect(throws: LiveLogProblem.self) { try report([end]) }
        let early = #"{"turn": 1, "at": 1, "end": true}"#
        #expect(throws: LiveLogProblem.self) {
            try report([early, #"{"turn": 2, "at": 2, "end": true}"#])
        }
    }
}
