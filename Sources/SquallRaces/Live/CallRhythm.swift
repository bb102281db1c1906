import SquallFormat
import SquallHTTP

/// Tells a refused call that is sent again from one that would have come anyway, as a poll does.
///
/// Who sends it again does so when the refresh ends. A call that comes later keeps its pace where
/// it came after the same pause twice before, or comes so twice more: the refused one was not sent
/// again.
struct CallRhythm {
    /// The call that came late, how long after the refused one, when it came last, and how often
    /// after the same pause.
    private var late: (path: UInt64, pause: Int64, refused: UInt32, at: Int64, times: Int)?
    /// How many refused calls in a row came at their own pace.
    private var inRow = 0
    /// The token after whose refusal a call was sent again at once, as others then are, too.
    private var repeated: TokenNumber?

    /// When the calls that are known were sent last, and the two pauses before that.
    private var paces: [(path: UInt64, at: Int64, pauses: (Int64, Int64))] = []

    private static let pacesMax = 16
    private static let inRowMax = 2
    /// One pause that is as long may be chance, or a step of a person.
    private static let pausesMin = 2

    /// True if a call that came late may show its pace.
    var isAwaited: Bool { late != nil }

    /// Notes that a call is sent, for its pace.
    mutating func note(_ path: UInt64, at now: Int64, _ pace: LivePace) {
        guard let place = paces.firstIndex(where: { $0.path == path }) else {
            if paces.count >= Self.pacesMax { paces.removeFirst() }
            return paces.append((path, now, (0, 0)))
        }
        // Equal calls at once have one pace.
        let pause = now - paces[place].at
        if pause >= pace.grace { paces[place] = (path, now, (paces[place].pauses.1, pause)) }
    }

    /// True if a call came after such a pause twice, but for a share of it: 10 for a tenth.
    func isDue(_ path: UInt64, after pause: Int64, within share: Int64) -> Bool {
        guard let known = paces.first(where: { $0.path == path }), known.pauses.0 > 0 else {
            return false
        }
        return [known.pauses.0, known.pauses.1].allSatisfy { abs($0 - pause) <= $0 / share }
    }

    /// True for a call that comes after the same pause as the time before, as a poll does.
    func keepsPace(_ sent: LiveRequest) -> Bool {
        let own = paces.first { $0.path == LiveCalls.path(sent.request) && $0.at == sent.sentAt }
        guard let (earlier, last) = own?.pauses, earlier > 0 else { return false }
        return abs(earlier - last) <= earlier / 10
    }

    /// Notes that a call comes that was refused with a token which was renewed since; returns what
    /// it breaks if it is due.
    ///
    /// `refused` tells when it was sent, if it comes late.
    mutating func cameAgain(
        _ sent: LiveRequest, _ path: UInt64, to endpoint: String, with token: TokenNumber?,
        _ refused: (at: Int64, request: UInt32)?
    ) -> LiveCalls.Breach? {
        guard let refused else {
            (late, inRow, repeated) = (nil, 0, token)
            return nil
        }
        guard token != repeated else { return nil }
        let pause = sent.sentAt - refused.at
        if isDue(path, after: pause, within: 10) {
            return cameAnyway(endpoint, after: pause, refused.request)
        }
        late = (path, pause, refused.request, sent.sentAt, 0)
        return nil
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
        return cameAnyway(endpoint, after: call.pause, call.refused)
    }

    private mutating func cameAnyway(
        _ endpoint: String, after pause: Int64, _ refused: UInt32
    ) -> LiveCalls.Breach {
        late = nil
        inRow += 1
        return LiveCalls.Breach(
            promise: .waitersGoOn, text: BrokenPromise.cameAnyway(endpoint, after: pause),
            requests: [refused], isArguable: inRow < Self.inRowMax, cause: "anyway")
    }
}

extension LiveCalls {
    /// Tells equal requests, by as much of the body as is worth reading.
    ///
    /// Tries of a refresh differ where its client looks for the form that the server takes.
    static func call(_ request: URLRequest, isRefresh: Bool = false) -> UInt64 {
        if isRefresh { return refreshCall }
        var hash = StableHash(of: request.method.rawValue.utf8)
        hash.combine(request.url.path.utf8)
        if let query = request.url.query { hash.combine(query.utf8) }
        hash.mix(request.body.count)
        if request.body.count > 0 { hash.combine(request.body.bytes.prefix(1_024)) }
        return hash.value
    }

    static func path(_ request: URLRequest) -> UInt64 {
        var hash = StableHash(of: request.method.rawValue.utf8)
        hash.combine(request.url.path.utf8)
        return hash.value
    }
}
