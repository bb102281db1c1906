import SquallBackend

/// The record of a drill: what a user did, and what is known of the run when it is over.
struct DrillRecording {
    let client: any ClientUnderTest
    /// The events on the wire and in the app; complete when the drill is over.
    var history = History()
    var run = DrillEnding()
    var acts: [DrillAct] = []
    /// Promises of the drill that were broken.
    var broken: [Violation] = []
    /// Actions that never ended.
    var hung: [DrillAct] = []
    /// True if there were more requests than any client needs.
    var isEndless = false
    /// The situation without which the drill cannot be judged, if it did not come about.
    var unseen: String?
    /// True if calls with an access token of another scope were made.
    var hasOtherScope = false
    /// True if a refresh token may be shown twice, as another process or account may do.
    var toleratesReuse = false
    /// True if calls without a token are permitted.
    var toleratesAnonymous = false
    /// The positions of the events at which the app was killed.
    var killedAt: [Int] = []

    /// The most requests that a client needs within the span, beside a refresh for each lifetime of
    /// a token: a client in a loop soon has more.
    static let requestsMax = 120
    static let requestsSpan: Duration = .seconds(300)
}

/// An action of a user in a drill, and its result.
public final class DrillAct: @unchecked Sendable {
    // Safe because it is used on the thread that runs its world.

    let number: Int
    /// Its name in reports: `call 1`.
    public let name: String
    let kind: Kind
    /// Where it began and ended, by positions of events.
    var began = 0
    var ended: Int?
    /// Why it failed, as the client told it; `nil` while it runs and when it has succeeded.
    public internal(set) var error: String?
    /// True if the app was killed while the action ran: nothing is expected of it then.
    var isForgotten = false
    var task: Task<Void, Never>?
    /// True if the user gave it up before it had ended.
    var isCancelled = false
    /// How often its completion handler was called, where it has one.
    var completions = 0

    /// The action that the running code is part of.
    @TaskLocal static var current: DrillAct?

    enum Kind: Equatable {
        case signIn(Int), switchTo(Int), signOut, refresh, call, write, otherProcess
    }

    init(number: Int, name: String, kind: Kind) {
        self.number = number
        self.name = name
        self.kind = kind
    }

    /// Cancels its task, as a user does who leaves the screen.
    public func cancel() {
        isCancelled = true
        task?.cancel()
    }
}

extension History {
    var requestsSent: Int { events.count { $0.kind == .sent } }

    /// How many refreshes the server replied to.
    var refreshesReceived: Int { replies { $0.role == .refresh } }

    /// How many refreshes it refused because the session was over.
    var refusedRefreshes: Int { replies { $0.role == .refresh && $0.meaning == .signedOut } }

    func replies(where isMeant: (RaceEvent) -> Bool) -> Int {
        events.count { $0.kind == .served && isMeant($0) }
    }
}
