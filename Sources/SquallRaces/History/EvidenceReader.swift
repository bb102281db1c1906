import SquallBackend

/// Reads from a run what invariants can see in it.
struct EvidenceReader {
    private(set) var evidence: Evidence
    private let history: History
    /// All ordinary calls, and those of each user that are open.
    private var ordinary: Set<AttemptKey> = []
    private var open: [Int: Set<Int>] = [:]
    /// How often each user's store has changed; the first change is the app's initial state.
    private var changes: [Int: Int] = [:]
    /// Calls that began after their user's store had changed.
    private var later: Set<AttemptKey> = []
    /// The newest access token that each device has got.
    private var newest: [Int: Int] = [:]
    /// The tokens that each call was refused with, and the calls that carried one.
    private var refused: [AttemptKey: Set<Int>] = [:]
    private var carried: Set<AttemptKey> = []
    /// The users whose tokens were shown.
    private var owners: Set<Int> = []
    /// The access token that each attempt showed.
    private var shown: [AttemptKey: Int] = [:]
    /// The start of the time after the last fault.
    private let calmFrom: Int64

    /// How many users are a crowd.
    static let crowdMin = 8

    init(_ history: History) {
        self.history = history
        evidence = history.seen
        calmFrom = history.setting.calmFrom
        if history.setting.isRotating { evidence.insert(.rotation) }
        if history.setting.users >= Self.crowdMin { evidence.insert(.crowd) }
        for attempt in history.attempts {
            if attempt.sent.role == .ordinary { ordinary.insert(attempt.sent.call) }
            if attempt.isRefresh, attempt.replaces != nil { evidence.insert(.replacement) }
        }
        for event in history.events { read(event) }
        if owners.count > 1 { evidence.insert(.secondSession) }
    }

    private mutating func read(_ event: RaceEvent) {
        switch event.kind {
        case .callBegan: began(event)
        case .callEnded, .callFailed: open[event.user]?.remove(event.request ?? -1)
        case .sent: sent(event)
        case .answered, .unanswered: ended(event)
        case .served:
            if event.isWrite, event.role == .ordinary, event.meaning == .success {
                evidence.insert(.write)
            }
        case .stored:
            guard event.access != nil || event.refresh != nil else { return }
            evidence.insert(.store)
            changes[event.user, default: 0] += 1
            if changes[event.user, default: 0] > 1 { evidence.insert(.storeChange) }
        case .leaves: evidence.insert(.leaving)
        case .actBegan:
            if history.setting.hasFaults, event.at >= calmFrom { evidence.insert(.calm) }
        case .actEnded: evidence.insert(.action)
        case .meanwhile:
            let name = history.name(event.text)
            if name == AttemptReader.restart || name == AttemptReader.comeBack {
                evidence.insert(.comeBack)
            }
        default: return
        }
    }

    private mutating func began(_ event: RaceEvent) {
        guard let request = event.request, ordinary.contains(event.call) else { return }
        open[event.user, default: []].insert(request)
        if open[event.user, default: []].count > 1 { evidence.insert(.secondCall) }
        if changes[event.user, default: 0] > 1 { later.insert(event.call) }
    }

    private mutating func sent(_ event: RaceEvent) {
        if event.role == .refresh { evidence.insert(.refresh) }
        if event.role == .refresh, event.refresh != nil { evidence.insert(.refreshToken) }
        for case let token? in [event.access, event.refresh] {
            owners.insert(history.tokens[token].user)
        }
        guard event.role == .ordinary else { return }
        if event.attempt > 0, carried.contains(event.call) { evidence.insert(.sentAgain) }
        guard let access = event.access else { return }
        carried.insert(event.call)
        shown[event.key] = access
        if later.contains(event.call) { evidence.insert(.callAfterChange) }
    }

    private mutating func ended(_ event: RaceEvent) {
        if event.meaning != .success { evidence.insert(.failure) }
        switch event.role {
        case .refresh:
            guard event.kind == .answered else { return }
            evidence.insert(.refreshAnswer)
            if event.meaning == .success { evidence.insert(.refreshed) }
            if event.meaning == .signedOut { evidence.insert(.sessionEnd) }
            if let access = event.access { newest[event.user] = access }
        case .signIn:
            guard event.meaning == .success else { return }
            evidence.insert(.secondSession)
            if let access = event.access { newest[event.user] = access }
        case .ordinary:
            guard event.kind == .answered else { return }
            evidence.insert(.call)
            if event.meaning == .expired { refused(event) }
        }
    }

    private mutating func refused(_ event: RaceEvent) {
        evidence.insert(.refusal)
        guard let access = shown[event.key] else { return }
        if access < newest[event.user, default: access] { evidence.insert(.lateRefusal) }
        refused[event.call, default: []].insert(access)
        if refused[event.call, default: []].count > 1 { evidence.insert(.refusedAgain) }
    }
}

extension History {
    /// What invariants can see in it.
    public var evidence: Evidence { EvidenceReader(self).evidence }
}
