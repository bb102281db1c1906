import Foundation
import SquallKernel
public import SquallRaces
public import SquallServices
import Synchronization

/// Plays all drills with a client: scenarios that refresh code is known to get wrong.
///
/// Each ``Drill`` is played with servers that treat refresh tokens in different ways, each time in
/// several orders of events, in worlds of their own.
///
/// ```swift
/// @Test func tokens() throws {
///     let report = try drill(over: service) { device in
///         let api = MyAPI(base: device.url, session: device.session)
///         return DrillClient(
///             signIn: { try await api.signIn($0.email, $0.password) },
///             call: { try await api.posts() }, signOut: { await api.signOut() })
///     }
///     #expect(report.passes)
/// }
/// ```
///
/// The same service, seed and client give the same report, whatever the number of threads.
///
/// - Parameters:
///   - service: the API; drills change its refresh semantics and its lifetimes.
///   - drills: the drills to play; all by default.
///   - servers: the servers to play them with.
///   - schedules: in how many orders of events each drill is played with each server.
///   - choices: a single order of events to play instead, as a report tells it.
///   - seed: decides the orders and everything else that is random.
///   - window: how much later than due an event may happen, so that others overtake it.
///   - preemptions: how often a schedule may interrupt code that does not wait: before it reads a
///     clock or takes a lock of POSIX or Foundation, and after it has started a task.
///   - backgroundGrace: how long an app that goes to the background runs on before it is suspended.
///   - threads: how many worlds run at a time; all cores by default.
///   - client: makes the client for a start of the app on a device.
/// - Returns: the promises that it keeps and breaks.
/// - Throws: ``WorldError`` and `SimulationError` when the client's code cannot be played at all.
public func drill(
    over service: TokenService, asking drills: [Drill] = Drill.all,
    before servers: [DrillServer] = DrillServer.all, schedules: Int = 8,
    choices: [UInt16]? = nil, seed: UInt64 = 1, window: Duration = .milliseconds(100),
    preemptions: Int = 0, backgroundGrace: Duration = ServerConfiguration.usualGrace,
    threads: Int? = nil,
    client: @escaping @Sendable (DrillDevice) throws -> DrillClient
) throws -> DrillReport {
    var options = DrillOptions()
    options.drills = drills
    options.servers = servers
    options.schedules = schedules
    options.choices = choices
    options.seed = seed
    options.window = window
    options.preemptions = preemptions
    options.backgroundGrace = backgroundGrace
    options.threads = threads
    let progress = DrillProgress()
    TrapReport.name()
    options.progress = { progress.tell($0, of: $1) }
    return try options.run(on: OwnClient(service: service, makeClient: client))
}

/// Says on standard error, every five seconds, how far a drill has come that takes longer.
private final class DrillProgress: Sendable {
    private static let pauseNanoseconds: Int64 = 5_000_000_000
    private let last = Mutex(RealClock.nanoseconds)

    func tell(_ done: Int, of all: Int) {
        let isDue = last.withLock { last in
            let now = RealClock.nanoseconds
            guard now - last >= DrillProgress.pauseNanoseconds else { return false }
            last = now
            return true
        }
        guard isDue, done < all else { return }
        FileHandle.standardError.write(Data("drill: \(done) of \(all) cells played\n".utf8))
    }
}
