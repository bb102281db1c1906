/// What a person did in a drill, and what came of it.
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
    /// Whether the app was killed under it.
    var isForgotten = false
    var task: Task<Void, Never>?
    /// Whether the person gave it up before it had ended.
    var isCancelled = false
    /// How often its completion handler was called, where it has one.
    var completions = 0

    /// What the code that runs is part of.
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

/// What happened in a drill, besides what crossed the wire.
struct DrillTape {
    var acts: [DrillAct] = []
    /// Promises of the drill that were broken.
    var broken: [Violation] = []
    /// What never came to its end.
    var hung: [DrillAct] = []
    /// Whether there were more requests than any client needs.
    var isEndless = false
    /// What would have had to be seen for the drill to mean something, and was not.
    var unseen: String?
    /// Whether calls with an access token of their own were made.
    var hasOtherScope = false
    /// Where the app was killed.
    var killedAt: [Int] = []

    /// More requests than any client needs in a drill.
    static let requestsMax = 120
}
