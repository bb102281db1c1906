public import SquallKernel

/// Something that can be played repeatedly under different schedules.
///
/// **Start here** to read this module. An ``Explorer`` plays a subject under the schedules that its
/// strategies make; each ``RaceInvariant`` judges the ``History`` of a run; a ``Shrinker`` makes a
/// finding smaller and a ``Timeline`` explains it. The subject decides what is played:
///
/// ```swift
/// struct MySubject: RaceSubject {
///     func play(_ schedule: Schedule) throws -> Played {
///         let simulation = Simulation(schedule)
///         // … spawn, run, look
///         return Played(schedule, violations: violations)
///     }
/// }
/// let exploration = try Explorer(plan).explore(MySubject())
/// ```
public protocol RaceSubject: Sendable {
    /// Plays it once, in a world of its own, on the calling thread.
    ///
    /// The same choices must lead to the same events.
    ///
    /// - Throws: what prevents playing it at all, which ends the exploration.
    func play(_ schedule: Schedule) throws -> Played

    /// Simpler versions of it, the boldest first: fewer users, calls and faults, equal latencies.
    var simpler: [any RaceSubject] { get }

    /// The promises that its runs are judged by.
    var questions: [RaceQuestion] { get }

    /// The differences between its schedules, and what is the same in all.
    var variation: ScheduleVariation { get }
}

extension RaceSubject {
    /// No promises by name: the subject judges its runs itself.
    public var questions: [RaceQuestion] { [] }

    /// Empty: the subject does not say.
    public var variation: ScheduleVariation { ScheduleVariation(varied: [], fixed: []) }

    /// None: it is played as it is.
    public var simpler: [any RaceSubject] { [] }
}

/// The order in which a subject is played, and what is to be kept of it.
public final class Schedule: @unchecked Sendable {
    // Safe because one run uses it, on one thread.

    /// The simulation's policy; it writes down what was chosen.
    public var policy: any SchedulingPolicy { RecordingPolicy(schedule: self) }
    /// How much later than due an event may happen, in nanoseconds.
    public let windowNanoseconds: Int64
    /// True if the player is to keep the whole history.
    public let keepsHistory: Bool
    /// The choices so far: 0 for what first in, first out would have run.
    @exclusivity(unchecked) public private(set) var choices: [UInt16] = []
    /// How many events each of them was among.
    @exclusivity(unchecked) public private(set) var widths: [UInt16] = []
    /// Choices that were not the first, each with the chosen event and the one passed over.
    public private(set) var departures: [Departure] = []
    /// Pairs of event kinds of one user that ran in this order while both could.
    @exclusivity(unchecked) public private(set) var pairs = PairMatrix()
    @exclusivity(unchecked) private var inner: any SchedulingPolicy

    /// A choice that first in, first out would not have made.
    public struct Departure: Hashable, Sendable {
        /// The position of the choice.
        public let position: Int
        /// The event that was chosen.
        public let chosen: ReadyEvent
        /// The event that had waited longest.
        public let passedOver: ReadyEvent
        /// The fault that strikes by this choice, if it is one about a fault.
        public let fault: String?
    }

    /// A schedule that a policy decides.
    public init(
        _ policy: any SchedulingPolicy, windowNanoseconds: Int64, keepsHistory: Bool = false
    ) {
        inner = policy
        self.windowNanoseconds = windowNanoseconds
        self.keepsHistory = keepsHistory
        // Reserves memory for a short schedule at once, so that it need not double again and again.
        choices.reserveCapacity(64)
        widths.reserveCapacity(64)
    }

    fileprivate func choose(among ready: [ReadyEvent], fault: String? = nil) -> Int {
        let choice = inner.choose(among: ready)
        choices.append(UInt16(clamping: choice))
        widths.append(UInt16(clamping: ready.count))
        if keepsHistory, choice > 0 {
            departures.append(
                Departure(
                    position: choices.count - 1, chosen: ready[choice], passedOver: ready[0],
                    fault: fault))
        }
        pairs.note(ready[choice], among: ready)
        return choice
    }

    /// Decides if a fault happens at all; a departure when it does.
    public func strikes(_ fault: String) -> Bool {
        let labels: [EventLabel] = ["\(fault) strikes not", "\(fault) strikes"]
        let ready = labels.indices.map { number in
            ReadyEvent(
                .timer, labels[number], of: .init(number: UInt64(number)),
                ordinal: UInt64.max - UInt64(choices.count * 2 + number))
        }
        return choose(among: ready, fault: fault) == 1
    }
}

private struct RecordingPolicy: SchedulingPolicy {
    let schedule: Schedule

    func choose(among ready: [ReadyEvent]) -> Int { schedule.choose(among: ready) }
}

extension Simulation {
    /// A simulation that a schedule decides.
    public convenience init(_ schedule: Schedule, itemsPerInstantMax: Int = 20_000) {
        self.init(
            policy: schedule.policy, windowNanoseconds: schedule.windowNanoseconds,
            itemsPerInstantMax: itemsPerInstantMax)
    }
}
