import SquallBackend

/// What happened in a drill: what a user did, and when it is over the history of the wire.
struct DrillRecording {
    let client: any ClientUnderTest
    /// What crossed the wire; known when the drill is over.
    var history = History()
    /// How the drill's world ended.
    var run = DrillEnding()
    var acts: [DrillAct] = []
    /// Promises of the drill that were broken.
    var broken: [Violation] = []
    /// Actions that never ended.
    var hung: [DrillAct] = []
    /// Whether there were more requests than any client needs.
    var isEndless = false
    /// The situation that the drill needs to be judged, and that did not come about.
    var unseen: String?
    /// Whether calls with an access token of their own were made.
    var hasOtherScope = false
    /// Whether a refresh token may be shown twice, as another process or account may do.
    var toleratesReuse = false
    /// Whether calls without a token are permitted.
    var toleratesAnonymous = false
    /// Where the app was killed.
    var killedAt: [Int] = []

    /// The most requests that a client needs within the span, beside a refresh for each lifetime of
    /// a token: a client that goes round in circles soon has more.
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
    /// Whether the app was killed while it ran.
    var isForgotten = false
    var task: Task<Void, Never>?
    /// Whether the user gave it up before it had ended.
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

/// What the server of a drill has received so far.
extension History {
    /// How many requests clients have sent.
    var requestsSent: Int { events.count { $0.kind == .sent } }

    /// How many refreshes the server replied to.
    var refreshesReceived: Int { replies { $0.role == .refresh } }

    /// How many refreshes it refused because the session was over.
    var refusedRefreshes: Int { replies { $0.role == .refresh && $0.meaning == .signedOut } }

    /// How many of its replies are meant.
    func replies(where isMeant: (RaceEvent) -> Bool) -> Int {
        events.count { $0.kind == .served && isMeant($0) }
    }
}
