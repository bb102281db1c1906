import SquallHTTP

/// Tells a refused call that is sent again from one that would have come anyway, as a poll does.
///
/// Who sends it again does so when the refresh ends. A call that comes later, and twice more after
/// the same pause, keeps its pace: the refused one was not sent again.
struct CallRhythm {
    /// The call that came late, how long after the refused one, when it came last, and how often
    /// after the same pause.
    private var late: (path: UInt64, pause: Int64, refused: UInt32, at: Int64, times: Int)?
    /// How many refused calls in a row came at their own pace.
    private var inRow = 0
    /// The token after whose refusal a call was sent again at once, as others then are, too.
    private var repeated: TokenNumber?

    private static let inRowMax = 3
    /// One pause that is as long may be chance, or a step of a person.
    private static let pausesMin = 2

    /// True if a call that came late may show its pace.
    var isAwaited: Bool { late != nil }

    /// Notes that a call comes that was refused with a token which was renewed since; `refused`
    /// tells when it was sent, if it comes late.
    mutating func cameAgain(
        _ sent: LiveRequest, _ path: UInt64, with token: TokenNumber?,
        _ refused: (at: Int64, request: UInt32)?
    ) {
        guard let refused else { return (late, inRow, repeated) = (nil, 0, token) }
        guard token != repeated else { return }
        late = (path, sent.sentAt - refused.at, refused.request, sent.sentAt, 0)
    }

    /// Notes that a call comes; returns what it breaks if it is the one that came late, and keeps
    /// its pace.
    ///
    /// Now and then a screen was closed with its call (LiveArguableTests.cameAnyway).
    mutating func sent(
        _ path: UInt64, to endpoint: String, _ sent: LiveRequest, _ pace: LivePace
    ) -> LiveCalls.Breach? {
        // Equal calls at once have one pace.
        guard let call = late, call.path == path, sent.sentAt - call.at >= pace.grace else {
            return nil
        }
        guard abs(sent.sentAt - call.at - call.pause) <= call.pause / 10 else {
            (late, inRow) = (nil, 0)
            return nil
        }
        guard call.times + 1 >= Self.pausesMin else {
            late = (path, call.pause, call.refused, sent.sentAt, call.times + 1)
            return nil
        }
        late = nil
        inRow += 1
        return LiveCalls.Breach(
            promise: .waitersGoOn, text: BrokenPromise.cameAnyway(endpoint, after: call.pause),
            requests: [call.refused], isArguable: inRow < Self.inRowMax, cause: "anyway")
    }
}
