public import SquallBackend
public import SquallHTTP
public import SquallKernel

/// Observes the wire, the server and the token mint of a world, and writes down what happens.
public final class WireTap: BackendObserver, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    /// The recorder that it writes to.
    public let recorder: HistoryRecorder
    private let users: [Int]
    /// The positions of the newest sends, by the calls' positions.
    @exclusivity(unchecked) private var sends: [Int] = []
    /// The idempotency keys of writes, by the positions of their sends.
    @exclusivity(unchecked) private var keys: [Int: String] = [:]
    /// The writes that were done, by endpoint and idempotency key.
    @exclusivity(unchecked) private var keysDone: Set<String> = []
    /// The position of the latest end of an attempt.
    @exclusivity(unchecked) private var latestEnd: Int?
    /// The positions of endpoints' names, by the endpoints' numbers.
    @exclusivity(unchecked) private var endpointNames: [Int?] = []
    /// How many events there were when the client handed over the request of the running task.
    @TaskLocal public static var eventsBefore: Int?
    private let kind: Kind

    private enum Kind {
        case exploration
        /// Of one device, in a world that names its faults itself.
        case drill
        /// Of a service whose tokens nobody else tells.
        case service
    }

    /// A tap on a recorder; it notes for each of `users` when access tokens end at once.
    public convenience init(recorder: HistoryRecorder, users: [Int]) {
        self.init(recorder, users, .exploration)
    }

    /// The tap of a drill with one device, which names its faults itself.
    public convenience init(drilling simulation: Simulation, _ schedule: Schedule) {
        self.init(HistoryRecorder(simulation, schedule), [0], .drill)
    }

    /// The tap of a service that may issue tokens of its own.
    public convenience init(serving simulation: Simulation) {
        self.init(HistoryRecorder(simulation), [], .service)
    }

    private init(_ recorder: HistoryRecorder, _ users: [Int], _ kind: Kind) {
        (self.recorder, self.users, self.kind) = (recorder, users, kind)
        recorder.describe { $0.tellsCauses = kind == .exploration }
    }

    /// Ends the recording of a drill.
    func close(_ ending: History.Ending) {
        recorder.end(ending)
        recorder.history.attempts = AttemptReader(recorder.history).attempts
    }

    /// The position of the token of a text.
    private func token(_ text: String?, _ kind: TokenMint.Kind, of user: UInt64) -> Int? {
        text.flatMap {
            self.kind == .service ? recorder.token($0, kind, of: user) : recorder.token($0)
        }
    }

    /// The latest requests, where their number is limited.
    private var limit: RequestLimit?

    /// Calls a function once, when more than so many requests are sent within a span.
    func limitRequests(to count: Int, within span: Duration, _ tell: @escaping () -> Void) {
        limit = RequestLimit(count: count, nanoseconds: span.nanosecondsClamped, tell: tell)
    }

    /// True: replies tell what the server did.
    public var keepsServerLog: Bool { true }
    /// True: invariants need every token.
    public var followsTokens: Bool { true }

    /// Writes down what was sent.
    public func tokensShown(
        _ cause: RequestCause, _ endpoint: Endpoint, _ request: URLRequest, shows: TokenTexts?
    ) {
        var event = recorder.event(.sent, user: cause.user)
        describe(&event, cause, endpoint)
        event.address = TokenTrace(call: request, shows: nil).call
        event.isWrite = request.method != .get
        event.refreshFor = cause.refreshFor.map(Int.init)
        event.access = token(shows?.access, .access, of: cause.user)
        event.refresh = token(shows?.refresh, .refresh, of: cause.user)
        event.isAnonymous = shows != nil && event.access == nil
        event.isForged = event.isAnonymous && shows?.access?.isEmpty == false
        if kind == .drill {
            if event.isWrite, event.role == .ordinary {
                recorder.history.bodies[event.key] = WrittenBody(request)
            }
            if let act = DrillAct.current { recorder.belongs(to: act.name, request: event.request) }
        }
        let position = recorder.note(event)
        sent(at: position)
        if event.isWrite { keys[position] = IdempotencyKey(of: request)?.text }
        if let before = Self.eventsBefore, before < position {
            recorder.history.handedOver[position] = before
        }
        if limit?.isExceeded(by: event.at) == true {
            limit?.tell()
            limit = nil
        }
    }

    /// Writes down what the server replied.
    public func requestReplied(_ record: ServerRecord) {
        var event = recorder.event(.served, user: record.cause.user)
        describe(&event, record.cause, record.endpoint)
        event.status = record.status
        event.meaning = record.meaning
        if let position = send(of: record.cause) {
            let sent = recorder.history.events[position]
            (event.access, event.refresh, event.isWrite) = (sent.access, sent.refresh, sent.isWrite)
            // A server that heeds the key has done it before.
            if event.isWrite, record.meaning == .success, let key = keys[position],
                !keysDone.insert("\(record.endpoint.name) \(key)").inserted
            {
                event.isWrite = false
            }
        }
        event.task = nil
        recorder.note(event)
    }

    /// Writes down what the device got.
    public func exchangeEnded(_ record: ExchangeRecord) {
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
        latestEnd = recorder.note(event)
    }

    /// Adds the tokens that the device got, which are told right after the end of the attempt.
    public func tokensReceived(_ tokens: TokenTexts, by cause: RequestCause) {
        guard let index = latestEnd, recorder.history.events[index].key == cause.key else {
            return
        }
        recorder.amend(index) { event in
            event.access = token(tokens.access, .access, of: cause.user)
            event.refresh = token(tokens.refresh, .refresh, of: cause.user)
        }
    }

    /// Writes down a new token.
    public func tokenIssued(_ token: IssuedToken) {
        let position = recorder.token(
            token.text, token.kind, of: token.user, account: token.account,
            in: kind == .drill ? 0 : nil, generation: token.generation,
            expiry: token.expiry.nanoseconds)
        var event = recorder.event(.issued, user: token.user)
        event.task = nil
        switch token.kind {
        case .access: event.access = position
        case .refresh: event.refresh = position
        }
        recorder.note(event)
    }

    /// Writes down each user with an access token that has just expired.
    public func accessTokensExpired(at now: Instant, of isConcerned: (_ user: UInt64) -> Bool) {
        for user in users where isConcerned(UInt64(user)) {
            recorder.note(recorder.event(.expired, user: UInt64(user)))
        }
    }

    /// Writes down that a fault began.
    public func faultStruck(_ fault: Fault) {
        guard kind == .exploration, !fault.expiresAccessTokens else { return }
        var event = recorder.event(.meanwhile, user: 0)
        event.text = recorder.name(fault.name)
        recorder.note(event)
    }

    private func sent(at position: Int) {
        guard let call = recorder.history.events[position].call else { return }
        if call >= sends.count {
            sends += repeatElement(-1, count: recorder.history.calls.count - sends.count)
        }
        sends[call] = position
    }

    /// The position at which an attempt was sent.
    private func send(of cause: RequestCause) -> Int? {
        guard let call = recorder.history.calls[cause.call], call < sends.count else { return nil }
        return recorder.history.events[..<(sends[call] + 1)].lastIndex {
            $0.call == call && $0.kind == .sent && $0.attempt == Int(cause.attempt)
        }
    }

    private func describe(
        _ event: inout RaceEvent, _ cause: RequestCause, _ endpoint: Endpoint
    ) {
        event.request = Int(cause.request)
        event.attempt = Int(cause.attempt)
        event.endpoint = name(of: endpoint)
        event.role = endpoint.role
    }

    private func name(of endpoint: Endpoint) -> Int {
        let number = Int(endpoint.number)
        if number >= endpointNames.count {
            endpointNames += repeatElement(nil, count: number + 1 - endpointNames.count)
        }
        if let name = endpointNames[number] { return name }
        let name = recorder.name(endpoint.name)
        endpointNames[number] = name
        if endpoint.isUnknown { recorder.history.unknownCalls.append(endpoint.name) }
        return name
    }
}

/// More requests than any client needs within a span.
struct RequestLimit {
    let count: Int
    let nanoseconds: Int64
    let tell: () -> Void
    private var moments: [Int64] = []

    init(count: Int, nanoseconds: Int64, tell: @escaping () -> Void) {
        self.count = count
        self.nanoseconds = nanoseconds
        self.tell = tell
    }

    mutating func isExceeded(by moment: Int64) -> Bool {
        moments.append(moment)
        guard moments.count > count else { return false }
        return moment - moments.removeFirst() <= nanoseconds
    }
}

extension RequestCause {
    fileprivate var key: AttemptKey {
        AttemptKey(user: Int(user), request: Int(request), attempt: Int(attempt))
    }

    /// The call that it is an attempt of.
    var call: RaceCall { RaceCall(user: Int(user), request: Int(request)) }
}

/// The body of a write, as far as two of them are compared.
struct WrittenBody: Hashable {
    let count: Int
    /// A sum that no order of bytes changes: encoders may change the order of members.
    let sum: UInt64

    init(_ request: URLRequest) {
        count = request.body.count
        let type = request.value(forHTTPHeaderField: "Content-Type") ?? ""
        // Forms with files have a separator that is made anew each time.
        sum = type.hasPrefix("multipart") ? 0 : request.body.bytes.reduce(0) { $0 + UInt64($1) }
    }
}
