/// An action of a person in a drill, and its result.
final class DrillAct: @unchecked Sendable {
    // Safe because it is used on the thread that runs its world.

    let number: Int
    let name: String
    let kind: Kind
    /// Where it began and ended, by positions of events.
    var began = 0
    var ended: Int?
    /// Why it failed, as the client told it.
    var error: String?
    /// Whether the app was killed while it ran.
    var isForgotten = false
    var task: Task<Void, Never>?
    /// Whether the person gave it up before it had ended.
    var isCancelled = false
    /// How often its completion handler was called, where it has one.
    var completions = 0

    /// The action that the running code is part of.
    @TaskLocal static var current: DrillAct?

    enum Kind: Equatable {
        case signIn(Int), signOut, refresh, call, write
    }

    init(number: Int, name: String, kind: Kind) {
        self.number = number
        self.name = name
        self.kind = kind
    }
}

/// What happened in a drill besides what crossed the wire.
struct DrillTape {
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
    /// Where the app was killed.
    var killedAt: [Int] = []

    /// More requests than any client needs in a drill.
    static let requestsMax = 120
}
