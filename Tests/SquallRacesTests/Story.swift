import SquallBackend
import SquallKernel

@testable import SquallRaces

/// What happened in a run, told event by event, a second apart unless said otherwise.
final class Story {
    let recorder = HistoryRecorder(Simulation())
    /// What is wrong on screens or in the service's books in the end.
    var audits: [AuditFinding] = []
    private var at: Int64 = -1

    /// The causes for which a promise is broken in a story.
    static func breaks(
        _ promise: RaceInvariant, ending: History.Ending = .still,
        _ setting: (inout History.Setting) -> Void = { _ in }, _ tell: (Story) -> Void
    ) -> [String] {
        violations(promise, ending: ending, setting, tell).map(\.cause)
    }

    /// What is said of a promise that is broken in a story.
    static func violations(
        _ promise: RaceInvariant, ending: History.Ending = .still,
        _ setting: (inout History.Setting) -> Void = { _ in }, _ tell: (Story) -> Void
    ) -> [Violation] {
        let story = Story()
        story.recorder.describe(setting)
        tell(story)
        story.recorder.close(ending, story.audits)
        return promise.violations(in: story.recorder.history)
    }

    /// The next event, and its position; tokens are named like `T0` and `R0`.
    @discardableResult
    func happens(
        _ kind: RaceEvent.Kind, _ role: Endpoint.Role = .ordinary, call: Int? = nil,
        attempt: Int = 0, access: String? = nil, refresh: String? = nil,
        _ meaning: AnswerMeaning? = nil, text: String? = nil, endpoint: String? = nil,
        user: Int = 0, result: RaceEvent.ActResult? = nil, second: Int64? = nil,
        _ more: (inout RaceEvent) -> Void = { _ in }
    ) -> Int {
        at = second ?? at + 1
        var event = RaceEvent(kind, at: at * 1_000_000_000)
        (event.role, event.request, event.attempt, event.user) = (role, call, attempt, user)
        event.access = access.map { recorder.token($0, .access, of: UInt64(user)) }
        event.refresh = refresh.map { recorder.token($0, .refresh, of: UInt64(user)) }
        (event.meaning, event.result) = (meaning, result)
        event.status = meaning == .signedOut ? 400 : nil
        (event.text, event.endpoint) = (text.map(recorder.name), endpoint.map(recorder.name))
        more(&event)
        return recorder.note(event)
    }

    /// An access token that expires.
    func token(_ name: String, expiresAt second: Int64) {
        recorder.token(name, .access, of: 0, expiry: second * 1_000_000_000)
    }

    /// Something has a name.
    func name(_ name: String) { _ = recorder.name(name) }
}
