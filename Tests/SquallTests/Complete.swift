import Squall
import Testing

/// Plays a body in a world that must come to its end: where it hangs, what it expects was never
/// looked at.
func complete(
    schedule: any SchedulingPolicy = FirstInFirstOut(),
    location: SourceLocation = #_sourceLocation,
    _ body: @escaping @Sendable (TestWorld) async throws -> Void
) throws {
    let run = try simulate(schedule: schedule, body)
    #expect(run.hangs == [], sourceLocation: location)
}
