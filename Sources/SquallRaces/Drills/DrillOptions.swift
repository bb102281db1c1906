import Foundation
import SquallKernel
import Synchronization

/// Which drills a client is asked, for which servers, in how many orders of events.
public struct DrillOptions: Sendable {
    /// The drills to play.
    public var drills = Drill.all
    /// The servers to play them with.
    public var servers = DrillServer.all
    /// In how many orders of events each drill is played with each server.
    public var schedules = 8
    /// A single order of events to play instead, as a report tells it.
    public var choices: [UInt16]?
    /// Decides the orders and everything else that is random.
    public var seed: UInt64 = 1
    /// How much later than due an event may happen, so that others overtake it.
    public var window: Duration = .milliseconds(100)
    /// How often a schedule may interrupt code that does not wait, if the world can do so.
    public var preemptions = 0
    /// How many worlds run at a time; findings do not depend on it; `nil` for all cores.
    public var threads: Int?
    /// How long an app that goes to the background runs on before it is suspended.
    public var backgroundGrace: Duration = ServerConfiguration.usualGrace
    /// Told after each drill with a server, on the thread that played it: how many are done.
    public var progress: @Sendable (_ done: Int, _ all: Int) -> Void = { _, _ in }
    /// Asked repeatedly: whether to stop; the report then lacks what was not played.
    public var isStopped: @Sendable () -> Bool = { false }

    /// All drills with all servers.
    public init() {}

    /// Plays the drills with a client.
    ///
    /// - Precondition: a drill is played at least once.
    /// - Throws: what makes its worlds useless.
    public func asked(of client: any ClientUnderTest) throws -> DrillReport {
        precondition(schedules > 0, "a drill is played at least once, got \(schedules) schedules")
        let count = threads ?? ProcessInfo.processInfo.activeProcessorCount
        let plan = ExplorationPlan(
            seed: seed, schedules: schedules, windowNanoseconds: Int64(window / .nanoseconds(1)),
            findingsMax: .max, shrinkingPlaysMax: 80, preemptions: preemptions)
        let round = DrillRunner(
            client: client, plan: plan, choices: choices, backgroundGrace: backgroundGrace,
            isStopped: isStopped)
        let first = try round.preparation(servers.first ?? .lenient)
        let cells = drills.flatMap { drill in servers.map { (drill, $0) } }
        let done = Mutex(0)
        let results = try WorkerThreads(count: first.isRepeatable ? count : 1).map(cells.count) {
            defer {
                progress(
                    done.withLock { done in
                        done += 1
                        return done
                    }, cells.count)
            }
            return try round.cellUnlessStopped(cells[$0].0, before: cells[$0].1, first)
        }
        return DrillReport(
            cells: results, plan: plan, client: client, isReplay: choices != nil,
            preparation: first)
    }
}
