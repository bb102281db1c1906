import SquallApps
import SquallBackend
import SquallClient
import SquallKernel
import SquallServices

extension DesignSubject {
    /// Puts the app through a trial: of one call of a model with a correct server, if not changed.
    ///
    /// - Throws: what stops a simulation.
    func tried(_ change: (inout DesignTrial) -> Void = { _ in }) throws -> TrialResult {
        var trial = DesignTrial()
        change(&trial)
        return try TrialWorld(trial, self).run()
    }
}

/// The world of a trial: one phone, one server, constant latencies.
private final class TrialWorld: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let trial: DesignTrial
    private let world: PhoneWorld
    private let triggers = TriggerMonitor()
    private var outcomes: [StepOutcome] = []

    init(_ trial: DesignTrial, _ subject: DesignSubject) {
        self.trial = trial
        world = PhoneWorld(
            subject, backendPlan: trial.backendPlan(subject.place), monitors: [triggers])
        trial.breaks(world.transport)
        if trial.hasTokens {
            let account = world.account(isExpired: true)
            world.app.restore(trial.knowsExpiry ? account : account.withoutExpiry)
        }
    }

    func run() throws -> TrialResult {
        for _ in 0..<trial.calls {
            world.simulation.spawn { [self] in
                outcomes.append(await world.app.call(trial.kind))
            }
        }
        try world.run(until: DesignTrial.end)
        let result = read()
        try world.clear()
        return result
    }

    private func read() -> TrialResult {
        let sends = world.transport.sends
        let open = trial.calls - outcomes.count
        let silentSince =
            world.simulation.epoch.nanosecondsSince1970(at: DesignTrial.end)
            - DesignTrial.silenceNanoseconds
        let isEndless = open > 0 && sends.contains { $0.sentAt > silentSince }
        return TrialResult(
            refreshes: sends.count(where: \.isRefresh),
            sends: sends.count { !$0.isRefresh }, outcomes: outcomes,
            hung: isEndless ? 0 : open, isEndless: isEndless,
            isSignedOut: world.app.needsSignIn,
            resendDelayNanoseconds: resendDelay(in: sends),
            triggers: (sends.first?.isRefresh == true ? [.clock] : []) + triggers.seen)
    }

    private func resendDelay(in sends: [NotedTransport.Send]) -> Int64? {
        guard let refreshed = sends.first(where: \.isRefresh)?.answeredAt else { return nil }
        let next = sends.first { !$0.isRefresh && $0.sentAt >= refreshed }
        return next.map { $0.sentAt - refreshed }
    }
}

extension DesignTrial {
    /// Sets up the failures of the trial.
    fileprivate func breaks(_ transport: NotedTransport) {
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

extension StoredAccount {
    /// The account without the time of its token's expiry.
    fileprivate var withoutExpiry: StoredAccount {
        StoredAccount(
            userID: userID, email: email, nick: nick, accessToken: accessToken,
            refreshToken: refreshToken)
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
