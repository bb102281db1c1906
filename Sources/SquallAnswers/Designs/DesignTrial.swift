import SquallApps
import SquallBackend
import SquallClient
import SquallFormat
import SquallKernel
import Synchronization

/// One phone with an expired token: some simultaneous calls, and a server that responds to the
/// refresh in one way.
///
/// Trials show a token design's behaviour, one question at a time: nothing is random, there is no
/// other user, and every latency is constant. `squall apps` prints what they find of the four
/// designs as built.
struct DesignTrial {
    var kind = CallKind.model
    /// The number of calls at the same instant.
    var calls = 1
    /// The lifetime of new access tokens.
    var accessLifetimeNanoseconds = 300 * Span.second
    /// The failure of refreshes; `nil` for a new token.
    var refresh: ScriptedTransport.Failure?
    /// True if the last call's first response comes long after the refresh of the others.
    var lastAnswerIsLate = false
    /// True if the connection is lost during the calls themselves.
    var losesCalls = false
    /// True if the phone knows the time of its token's expiry.
    var knowsExpiry = true
    /// True if the phone has tokens at all.
    var hasTokens = true

    /// The moment at which the outcome is read: later than any design needs that ends at all.
    static let end = Instant(nanoseconds: 20 * Span.second)
    /// An open call that has sent nothing for this long hangs.
    static let silenceNanoseconds = 5 * Span.second
}

/// The requests and outcomes of a trial; a question is a query over it.
struct TrialResult {
    /// Every request, in the order of sending.
    let requests: [ScriptedTransport.Send]
    /// What the ended calls showed, in the order of their ends.
    let outcomes: [StepOutcome]
    /// The number of calls that have not ended.
    let open: Int
    /// True if the app is on its sign-in screen at the end.
    let isSignedOut: Bool
    /// The reasons for which the client asked its retrier, in the order of first occurrence.
    let retried: [Trigger]
    /// An open call that has sent nothing since hangs.
    let silentSince: Int64

    /// Refreshes that were sent; users do not sign in by hand here, so a sign-in is one.
    var refreshes: Int { requests.count(where: \.isRenewal) }
    /// Sends of the calls themselves.
    var sends: Int { requests.count { !$0.isRenewal } }
    /// True if calls are still being sent again and again at the end of the trial.
    var isEndless: Bool { open > 0 && requests.contains { $0.sentAt > silentSince } }
    /// The number of calls that hang.
    var hung: Int { isEndless ? 0 : open }
    /// The reasons for which the client refreshed or asked its retrier, in the order of first
    /// occurrence.
    var triggers: [Trigger] { (requests.first?.isRefresh == true ? [.clock] : []) + retried }

    /// The time from the first refresh's response to the next send of a call.
    var resendDelayNanoseconds: Int64? {
        guard let refreshed = requests.first(where: \.isRefresh)?.answeredAt else { return nil }
        let next = requests.first { !$0.isRefresh && $0.sentAt >= refreshed }
        return next.map { $0.sentAt - refreshed }
    }

    /// A sign by which a client noticed that its token has expired.
    enum Trigger: String {
        /// A validator refused the status.
        case validator
        /// The body of the refusal did not decode.
        case decoding
        /// Nothing was refused: the app knew the time of its token's expiry.
        case clock
    }
}

extension DesignSubject {
    /// Puts the app through a trial: of one call of a model with a correct server, if not changed.
    ///
    /// - Throws: what stops a simulation.
    func tried(_ change: (inout DesignTrial) -> Void = { _ in }) throws -> TrialResult {
        var trial = DesignTrial()
        change(&trial)
        let triggers = TriggerMonitor()
        let world = PhoneWorld(
            self, backendPlan: trial.backendPlan(place), monitors: [triggers])
        trial.breaks(world.transport)
        if trial.hasTokens { world.signIn(expired: true, knowsExpiry: trial.knowsExpiry) }
        let ended = Mutex<[StepOutcome]>([])
        for _ in 0..<trial.calls {
            world.simulation.spawn { [kind = trial.kind] in
                let outcome = await world.app.call(kind)
                ended.withLock { $0.append(outcome) }
            }
        }
        try world.run(until: DesignTrial.end)
        let outcomes = ended.withLock { $0 }
        let result = TrialResult(
            requests: world.transport.sends, outcomes: outcomes,
            open: trial.calls - outcomes.count, isSignedOut: world.app.needsSignIn,
            retried: triggers.seen,
            silentSince: world.simulation.epoch.nanosecondsSince1970(at: DesignTrial.end)
                - DesignTrial.silenceNanoseconds)
        try world.clear()
        return result
    }
}

extension DesignTrial {
    /// Sets up the failures of the trial.
    fileprivate func breaks(_ transport: ScriptedTransport) {
        if let refresh { transport.fail(refresh, once: false, where: \.isRenewal) }
        if losesCalls { transport.fail(.lost, once: false) { !$0.isRefresh } }
        if lastAnswerIsLate {
            transport.fail(.late) { [calls] in !$0.isRefresh && $0.number == calls - 1 }
        }
    }

    fileprivate func backendPlan(_ place: DesignPlace) -> BackendPlan {
        var plan = BackendPlan.ofOnePhone(
            connections: calls, accessLifetimeNanoseconds: accessLifetimeNanoseconds)
        if let refresh = place.refresh { plan.tokens.refresh = refresh }
        return plan
    }
}

/// Records the reasons for which the client sent a call again, each once.
private final class TriggerMonitor: EventMonitor, @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private(set) var seen: [TrialResult.Trigger] = []

    func request(_ request: Request, isRetrying retryCount: Int, after error: any Error) {
        switch error as? AFError {
        case .responseValidationFailed: note(.validator)
        case .responseSerializationFailed: note(.decoding)
        default: break
        }
    }

    private func note(_ trigger: TrialResult.Trigger) {
        if !seen.contains(trigger) { seen.append(trigger) }
    }
}
