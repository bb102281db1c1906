/// What happened in a drill besides what crossed the wire.
struct DrillRecording {
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
