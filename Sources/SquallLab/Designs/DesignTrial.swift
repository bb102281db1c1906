import SquallApps
import SquallBackend
import SquallClient
import SquallFormat
import SquallKernel
import Synchronization

/// One phone with an expired token: some simultaneous calls, and a server that answers the refresh
/// in one way.
///
/// Trials ask what a token design does, one question at a time: nothing is random, there is no
/// other user, and every latency is constant. `squall apps` prints what they find of the four
/// designs as built.
struct DesignTrial {
    /// The kind of call.
    var kind = CallKind.model
    /// The number of calls at the same instant.
    var calls = 1
    /// The lifetime of new access tokens.
    var accessLifetimeNanoseconds = 300 * Span.second
    /// How refreshes fail; nil for a new token.
    var refresh: ScriptedTransport.Failure?
    /// Whether the last call's first answer comes long after the refresh of the others.
    var lastAnswerIsLate = false
    /// Whether the connection is lost during the calls themselves.
    var losesCalls = false
    /// Whether the phone knows the time of its token's expiry.
    var knowsExpiry = true
    /// Whether the phone has tokens at all.
    var hasTokens = true

    /// When the outcome is read: later than any design needs that ends at all.
    static let end = Instant(nanoseconds: 20 * Span.second)
    /// An open call that has sent nothing for this long hangs.
    static let silenceNanoseconds = 5 * Span.second
}

/// The result of a trial.
struct TrialResult {
    /// Refreshes that were sent.
    let refreshes: Int
    /// Sends of the calls themselves.
    let sends: Int
    /// What the ended calls showed, in the order of their ends.
    let outcomes: [StepOutcome]
    /// The number of calls that wait for something that never happens.
    let hung: Int
    /// Whether calls are still being sent again and again at the end of the trial.
    let isEndless: Bool
    /// Whether the app is on its sign-in screen at the end.
    let isSignedOut: Bool
    /// From the first refresh's answer to the next send of a call.
    let resendDelayNanoseconds: Int64?
    /// What made the client refresh or ask its retrier, in the order of first occurrence.
    let triggers: [Trigger]

    /// What made a client notice that its token has expired.
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
        let result = TrialResult(
            of: world, outcomes: ended.withLock { $0 }, calls: trial.calls, triggers.seen)
        try world.clear()
        return result
    }
}

extension TrialResult {
    fileprivate init(
        of world: PhoneWorld, outcomes: [StepOutcome], calls: Int, _ triggers: [Trigger]
    ) {
        let sends = world.transport.sends
        let open = calls - outcomes.count
        let silentSince =
            world.simulation.epoch.nanosecondsSince1970(at: DesignTrial.end)
            - DesignTrial.silenceNanoseconds
        self.outcomes = outcomes
        refreshes = sends.count(where: \.isRefresh)
        self.sends = sends.count { !$0.isRefresh }
        isEndless = open > 0 && sends.contains { $0.sentAt > silentSince }
        hung = isEndless ? 0 : open
        isSignedOut = world.app.needsSignIn
        resendDelayNanoseconds = Self.resendDelay(in: sends)
        self.triggers = (sends.first?.isRefresh == true ? [.clock] : []) + triggers
    }

    private static func resendDelay(in sends: [ScriptedTransport.Send]) -> Int64? {
        guard let refreshed = sends.first(where: \.isRefresh)?.answeredAt else { return nil }
        let next = sends.first { !$0.isRefresh && $0.sentAt >= refreshed }
        return next.map { $0.sentAt - refreshed }
    }
}

extension DesignTrial {
    /// Sets up the failures of the trial.
    fileprivate func breaks(_ transport: ScriptedTransport) {
        if let refresh { transport.fail(refresh, once: false, where: \.isRefresh) }
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

/// Records what made the client send a call again, each kind once.
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
