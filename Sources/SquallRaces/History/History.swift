public import SquallBackend
import SquallFormat
public import SquallJudge

/// What happened in one run, in order, with the names of things.
///
/// A value that invariants read when the run is over; ``HistoryRecorder`` makes it.
public struct History: Sendable {
    /// The events, in order.
    public internal(set) var events: [RaceEvent] = []
    /// Every token that was issued.
    public internal(set) var tokens: [RaceToken] = []
    /// The calls that events are about, in the order in which they were noted.
    var calls = Positions<RaceCall>()
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
    /// The names of the users who signed in, each once, in the order in which they did; known in
    /// drills.
    var people: [String] = []
    /// The number of events there were when the client handed a request over, by the position of
    /// the event that it was sent; without those that are sent as they are handed over.
    var handedOver: [Int: Int] = [:]
    /// What the writes of a drill carried.
    var bodies: [AttemptKey: WrittenBody] = [:]
    /// The requests that no service knows, by verb and path.
    public internal(set) var unknownCalls: [String] = []
    /// How the run ended.
    public internal(set) var ending = Ending.still
    /// When it ended, in nanoseconds since it began.
    public internal(set) var endedAt: Int64 = 0
    /// Findings of audits: what was wrong on screens or in the service's state when nothing ran any
    /// more.
    public internal(set) var audits: [AuditFinding] = []
    /// Evidence that is no event, such as lists on screens.
    var seen: Evidence = []
    /// What invariants can see in it; known when the run is over.
    public internal(set) var evidence: Evidence = []
    /// The facts of its world that invariants need.
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
        /// True if a refresh token is good once.
        public var isRotating = false
        /// True if messages could get lost or the server fail.
        public var hasFaults = false
        /// How many times a call may be sent again with another token.
        public var replaysMax = 1
        /// The moment from which on no fault strikes, in nanoseconds since the run began.
        public var calmFrom: Int64 = 0
        /// How many users there are.
        public var users = 1
        /// True if a refresh tells which refused call it is for.
        ///
        /// Else it is taken to be for the one that was refused first, and has neither come again
        /// nor been refreshed for.
        var tellsCauses = true

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

    /// A value for each call, by its position.
    func byCall<Value>(_ value: Value) -> [Value] { Array(repeating: value, count: calls.count) }

    /// A hash of the server's view: which calls in which order, with which tokens and responses.
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

/// An event of one run that a client, a service or the wire shows.
public struct RaceEvent: Hashable, Sendable {
    /// The kind of event, which says which of the other parts have a meaning.
    public var kind: Kind
    /// When, in nanoseconds since the run began.
    public var at: Int64
    /// How many choices of the schedule had been made.
    public var choice = 0
    /// The run's task that did it; `nil` when it was no task.
    public var task: UInt64?
    /// The user it belongs to.
    public var user = 0
    /// The number of the user's logical call.
    public var request: Int?
    /// That call's position among all of the history; known once the event is noted.
    var call: Int?
    /// Which attempt of the call it is, from 0.
    public var attempt = 0
    /// The call that was refused and so caused the refresh; `nil` where that is not known.
    public var refreshFor: Int?
    /// The endpoint, by its position in the history's names.
    public var endpoint: Int?
    /// Tells its call from others, by verb and address; 0 where that is not known.
    public var address: UInt64 = 0
    /// The part of the endpoint in a session.
    public var role = Endpoint.Role.ordinary
    /// True for a call that is meant to change something.
    public var isWrite = false
    /// The access token it concerns, by its position in the history's tokens.
    public var access: Int?
    /// The refresh token it concerns.
    public var refresh: Int?
    /// True for a call that should carry an access token and carries none, or an unknown one.
    public var isAnonymous = false
    /// True for a call with an access token that was never issued.
    public var isForged = false
    /// The status of the response; `nil` where there is none.
    public var status: Int?
    /// The meaning of the response, by the rules of the service.
    public var meaning: AnswerMeaning?
    /// Further words, by their position in the history's names.
    public var text: Int?
    /// The result of an app's action, where this is its end.
    public var result: ActResult?

    /// An event of a kind at an instant.
    public init(_ kind: Kind, at: Int64) {
        self.kind = kind
        self.at = at
    }

    /// The kinds of event.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// A caller waits for a call now.
        case callBegan
        /// An attempt of it is handed to the network.
        case sent
        /// The server has done the work and replies.
        case served
        /// The server made a token.
        case issued
        /// Access tokens stopped being accepted before their expiry.
        case expired
        /// The response has come to the device.
        case answered
        /// The device knows that no response will come.
        case unanswered
        /// The call has ended, and its caller is told.
        case callEnded
        /// A call of the client's ended with an error.
        case callFailed
        /// The caller cancelled the call.
        case cancelled
        /// The call waits for a completion that can no longer be called.
        case completionLost
        /// A completion was called again.
        case completionRepeated
        /// The app's store holds other tokens than before.
        case stored
        /// The app's store holds no tokens any more.
        case erased
        /// The app shows its sign-in screen.
        case signedOut
        /// The app no longer shows it.
        case signedIn
        /// The user asked to sign out, or to close the account.
        case leaves
        /// A user's action begins.
        case actBegan
        /// It has ended, with a result, and with the outcome that the text names.
        case actEnded
        /// Something else happened, as the text says.
        case meanwhile
        /// The app starts again after it was killed.
        case restarted
        /// The app comes back from the background.
        case cameBack
    }

    /// The results of an action, as far as promises judge them.
    public enum ActResult: UInt8, Hashable, Sendable {
        /// The user got what it was for, or the sign-in screen.
        case fine
        /// The screen shows stale data.
        case stale
        /// The screen shows inconsistent data.
        case wrong
        /// A list shows an item twice.
        case repeated
        /// It is shown as done and was not.
        case lost
        /// The app crashed.
        case crashed
        /// Anything else, such as an error message.
        case failed
    }

    /// True for a reply to a call whose change the server has made.
    var isWriteDone: Bool {
        kind == .served && isWrite && role == .ordinary && meaning == .success
    }

    /// True for a refresh that brought new tokens to the device.
    var isRefreshed: Bool { kind == .answered && role == .refresh && meaning == .success }
}

/// A logical call of a user, by its number.
struct RaceCall: Hashable, Comparable {
    let user, request: Int

    static func < (left: RaceCall, right: RaceCall) -> Bool {
        (left.user, left.request) < (right.user, right.request)
    }
}

/// A token, as findings name it.
public struct RaceToken: Hashable, Sendable {
    /// The user it belongs to.
    public let user: Int
    /// The user whose account it opens; `nil` where that is not known.
    public let account: Int?
    /// The kind of token: access or refresh.
    public let kind: TokenMint.Kind
    /// Its number among the user's tokens of its kind, from 0, in the order of issue; in a drill
    /// among all of the device, also those of the app before it was killed.
    public let number: Int
    /// How many refreshes lie between the sign-in and it; 0 where that is unknown.
    public let generation: Int
    /// When it was issued and when it expires, in nanoseconds since the run began.
    public let life: TokenLife

    /// A short name: `T0`, `R1`.
    public var name: String { (kind == .access ? "T" : "R") + "\(number)" }
}

extension History {
    /// The position of the event at which the request of a response was sent.
    func sentPlace(for answer: Int) -> Int? {
        let event = events[answer]
        return events[..<answer].lastIndex {
            $0.kind == .sent && $0.user == event.user && $0.request == event.request
                && $0.attempt == event.attempt
        }
    }

    /// True for a token that is known to have expired by a moment.
    func hasExpired(_ token: Int?, at moment: Int64) -> Bool {
        token.flatMap { tokens[$0].life.expiry }.map { $0 <= moment } ?? false
    }
}
