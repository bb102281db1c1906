import SquallBackend
import SquallKernel
import Testing

@testable import SquallRaces

@Suite("A refresh token shown twice")
struct ReuseTests {
    /// What comes of a refresh.
    enum End { case brings, fails, none }

    /// Two refreshes with one token: when each is sent and ends, and what it brings.
    private static func violations(
        _ first: (sent: Int64, end: Int64, End), _ second: (sent: Int64, end: Int64, End)
    ) -> [Violation] {
        let simulation = Simulation()
        let recorder = HistoryRecorder(simulation)
        recorder.describe { $0.isRotating = true }
        let shown = recorder.token("r0", .refresh, of: 0)
        var events: [RaceEvent] = []
        for (number, refresh) in [first, second].enumerated() {
            var sent = RaceEvent(.sent, at: refresh.sent)
            (sent.request, sent.role, sent.refresh) = (number, .refresh, shown)
            events.append(sent)
            guard refresh.2 != .none else { continue }
            var end = RaceEvent(.answered, at: refresh.end)
            (end.request, end.role) = (number, .refresh)
            end.meaning = refresh.2 == .brings ? .success : .signedOut
            if refresh.2 == .brings {
                end.refresh = recorder.token("r\(number + 1)", .refresh, of: 0)
            }
            events.append(end)
        }
        for event in events.sorted(by: { $0.at < $1.at }) { recorder.note(event) }
        recorder.close(.still)
        return RaceInvariant.noReuse.violations(in: recorder.history)
    }

    @Test("A refresh token sent twice at once is reported, whichever the server takes first")
    func atOnce() {
        #expect(Self.violations((0, 10, .brings), (1, 11, .fails)).map(\.cause) == ["at once"])
        #expect(Self.violations((0, 11, .fails), (1, 10, .brings)).map(\.cause) == ["at once"])
        #expect(Self.violations((0, 10, .fails), (1, 11, .brings)).map(\.cause) == ["at once"])
    }

    @Test("A refresh token sent again is reported once its successor has arrived")
    func after() {
        let after = Self.violations((0, 1, .brings), (2, 3, .fails))
        #expect(after.map(\.cause) == ["after"])
        #expect(after.map(\.text) == ["R0 was sent again after its successor had arrived"])
        #expect(Self.violations((0, 1, .fails), (2, 3, .brings)).isEmpty)
    }
}
