import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import SquallRaces

/// Hears the wire, the server and the token mint of a room, and writes down what it hears.
final class RoomTap: BackendObserver, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    let recorder: HistoryRecorder
    private let simulation: Simulation
    private let users: Int
    /// What attempts carried, by user, request and attempt.
    private var carried: [AttemptKey: (access: Int?, refresh: Int?, isWrite: Bool)] = [:]
    /// Where the answer to an attempt was written down.
    private var answers: [AttemptKey: Int] = [:]

    init(_ simulation: Simulation, recorder: HistoryRecorder, users: Int) {
        self.simulation = simulation
        self.recorder = recorder
        self.users = users
    }

    var keepsServerLog: Bool { true }
    var followsTokens: Bool { true }

    func exchangeBegan(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        var event = recorder.event(.sent, user: cause.user)
        describe(&event, cause, endpoint)
        event.isWrite = request.method != .get
        event.refreshFor = cause.refreshFor.map(Int.init)
        event.access = shows?.access.flatMap(recorder.token)
        event.refresh = shows?.refresh.flatMap(recorder.token)
        event.isAnonymous = shows != nil && event.access == nil
        carried[event.key] = (event.access, event.refresh, event.isWrite)
        recorder.note(event)
    }

    func requestReplied(_ record: ServerRecord) {
        var event = recorder.event(.served, user: record.cause.user)
        describe(&event, record.cause, record.endpoint)
        event.status = record.status
        event.meaning = record.meaning
        if let carried = carried[event.key] {
            (event.access, event.refresh, event.isWrite) = carried
        }
        event.task = nil
        recorder.note(event)
    }

    func exchangeEnded(_ record: ExchangeRecord) {
        var event: RaceEvent
        switch record.outcome {
        case .status(let status):
            event = recorder.event(.answered, user: record.cause.user)
            event.status = status
            event.meaning = record.meaning
        case .error(let code):
            event = recorder.event(.unanswered, user: record.cause.user)
            event.text = recorder.name("\(code)")
        case .neverEnded: return
        }
        describe(&event, record.cause, record.endpoint)
        event.task = nil
        answers[event.key] = recorder.note(event)
    }

    func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        guard let index = answers[cause.key] else { return }
        recorder.amend(index) { event in
            event.access = tokens.access.flatMap(recorder.token)
            event.refresh = tokens.refresh.flatMap(recorder.token)
        }
    }

    func tokenIssued(_ token: IssuedToken) {
        let position = recorder.token(
            token.text, token.kind, of: token.user, generation: token.generation,
            expiry: token.expiry.nanoseconds)
        var event = recorder.event(.issued, user: token.user)
        event.task = nil
        switch token.kind {
        case .access: event.access = position
        case .refresh: event.refresh = position
        }
        recorder.note(event)
    }

    func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {
        for user in 0..<users where isConcerned(UInt64(user)) {
            recorder.note(recorder.event(.expired, user: UInt64(user)))
        }
    }

    func faultStruck(_ fault: Fault) {
        guard !fault.expiresAccessTokens else { return }
        var event = recorder.event(.meanwhile, user: 0)
        event.text = recorder.name(fault.name)
        recorder.note(event)
    }

    private func describe(
        _ event: inout RaceEvent, _ cause: RequestCause, _ endpoint: Endpoint
    ) {
        event.request = Int(cause.request)
        event.attempt = Int(cause.attempt)
        event.endpoint = recorder.name(endpoint.name)
        event.role = endpoint.role
    }
}

/// Hears what the client's requests do; one for each life of an app.
struct RequestTap: EventMonitor {
    let recorder: RoomRecorder
    /// Added to the numbers of requests, which each life counts from 0.
    let offset: UInt32

    func requestDidResume(_ request: Request) { note(.callBegan, request) }

    func requestDidFinish(_ request: Request, error: AFError?) {
        note(error == nil ? .callEnded : .callFailed, request, text: error?.label)
    }

    func requestDidCancel(_ request: Request) { note(.cancelled, request) }

    func request(_ request: Request, didLose completion: LostCompletion) {
        note(.completionLost, request, text: completion.place(of: completion))
    }

    func request(_ request: Request, didCallAgain completion: LostCompletion) {
        note(.completionRepeated, request, text: completion.place(of: completion))
    }

    private func note(_ kind: RaceEvent.Kind, _ request: Request, text: String? = nil) {
        var event = recorder.tap.recorder.event(kind, user: request.session.user)
        event.request = Int(request.number + offset)
        event.text = text.map(recorder.tap.recorder.name)
        recorder.tap.recorder.note(event)
    }
}

/// Carries a tap to where only what is `Sendable` may go.
struct RoomRecorder: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.
    let tap: RoomTap
}

extension LostCompletion {
    fileprivate func place(of completion: LostCompletion) -> String {
        "\(completion.interceptor).\(completion.place.rawValue)"
    }
}

extension RequestCause {
    fileprivate var key: AttemptKey {
        AttemptKey(user: Int(user), request: Int(request), attempt: Int(attempt))
    }
}
