public import SquallBackend
import SquallFormat

/// What happened in one run, in order, with the names of things.
///
/// A value that invariants read when the run is over; ``HistoryRecorder`` makes it.
public struct History: Sendable {
    /// Everything that happened.
    public internal(set) var events: [RaceEvent] = []
    /// Every token that was issued.
    public internal(set) var tokens: [RaceToken] = []
    /// The names that events refer to.
    public internal(set) var names: [String] = []
    /// Every attempt, in the order of handing over; known when the run is over.
    public internal(set) var attempts: [WireAttempt] = []
    /// The numbers of the users with events; known when the run is over.
    public internal(set) var users: [Int] = []
    /// The actions of a user that started tasks, by the tasks' numbers; known in drills.
    public internal(set) var starters: [UInt64: String] = [:]
    /// The actions of a user that sent requests, by the requests' numbers; known in drills.
    public internal(set) var callers: [Int: String] = [:]
    /// How the run ended.
    public internal(set) var ending = Ending.still
    /// When it ended, in nanoseconds since it began.
    public internal(set) var endedAt: Int64 = 0
    /// What was wrong on screens or in the service's state when nothing ran any more.
    public internal(set) var audits: [AuditFinding] = []
    /// What its world showed that is no event, such as lists on screens.
    public internal(set) var seen: Evidence = []
    /// The run's setting.
    public internal(set) var setting = Setting()

    /// How a run ends.
    public enum Ending: Hashable, Sendable {
        /// Nothing could happen any more.
        case still
        /// Its time was over while something went on.
        case outOfTime
        /// Time stood still while events went on.
        case spinning
    }

    /// What invariants have to know of the world besides the events.
    public struct Setting: Hashable, Sendable {
        /// Whether a refresh token is good once.
        public var isRotating = false
        /// How long a used refresh token may be shown again, in nanoseconds.
        public var reuseWindowNanoseconds: Int64 = 0
        /// Whether messages could get lost or the server fail.
        public var hasFaults = false
        /// Whether devices could be killed.
        public var hasKills = false
        /// How many times a call may be sent again with another token.
        public var replaysMax = 1
        /// The moment from which on no fault strikes, in nanoseconds since the run began.
        public var calmFrom: Int64 = 0
        /// How many users there are.
        public var users = 1

        /// A world without faults in which refresh tokens stay good.
        public init() {}
    }

    /// A history without events.
    public init() {}

    /// The name at a position; empty for none.
    public func name(_ position: Int?) -> String { position.map { names[$0] } ?? "" }

    /// The short name of a token; `–` for none.
    public func name(ofToken position: Int?) -> String {
        position.map { tokens[$0].name } ?? "–"
    }

    /// A hash of the server's view: which calls in which order, with which tokens and answers.
    public var serverView: UInt64 {
        var hash = StableHash()
        for event in events where event.kind == .served {
            hash.mix(event.user)
            hash.mix(event.endpoint ?? -1)
            hash.mix(event.access ?? -1)
            hash.mix(event.refresh ?? -1)
            hash.mix(event.status ?? -1)
        }
        return hash.value
    }

    /// A hash of everything, including times.
    public var digest: UInt64 {
        var hash = StableHash()
        for event in events {
            hash.mix(event.kind.rawValue)
            hash.mix(event.at)
            hash.mix(event.user)
            hash.mix(event.request ?? -1)
            hash.mix(event.attempt)
            hash.mix(event.access ?? -1)
            hash.mix(event.refresh ?? -1)
            hash.mix(event.status ?? -1)
        }
        hash.mix(endedAt)
        return hash.value
    }
}
