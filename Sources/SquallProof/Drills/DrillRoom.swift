import SquallApps
import SquallBackend
import SquallClient
import SquallHTTP
import SquallKernel
import SquallLab
import SquallServices
import Synchronization

extension Drill {
    /// Puts an app through the drill.
    ///
    /// - Throws: what stops a simulation.
    public func result(of subject: DesignSubject) throws -> DrillResult {
        try DrillRoom(self, subject).run()
    }
}

/// The world of a drill: one phone, one server, constant latencies.
private final class DrillRoom: @unchecked Sendable {
    // Safe because everything happens on the simulation's thread.

    private let drill: Drill
    private let room: PhoneRoom
    private let transport: DrilledTransport
    private let triggers: TriggerMonitor
    private let outcomes = Mutex<[StepOutcome]>([])

    init(_ drill: Drill, _ subject: DesignSubject) {
        self.drill = drill
        let triggers = TriggerMonitor()
        self.triggers = triggers
        var drilled: DrilledTransport?
        room = PhoneRoom(
            subject, services: subject.place.services, farSide: drill.farSide(subject.place),
            monitors: [triggers]
        ) { parts in
            let backend = parts.backend
            var refusal: Answer?
            if case .refused(let trouble) = drill.refresh {
                refusal = parts.own.answer(to: trouble)
            }
            let transport = DrilledTransport(
                backend.transport, time: parts.time, drill: drill, refusal: refusal,
                isRefresh: { backend.endpoint(of: $0).role == .refresh })
            drilled = transport
            return transport
        }
        guard let drilled else { preconditionFailure("a room makes its transport at once") }
        transport = drilled
        if drill.hasTokens {
            let account = StoredAccount(
                room.backend.signIn(user: 0, at: subject.app.origin, expired: true))
            room.app.restore(drill.knowsExpiry ? account : account.withoutExpiry)
        }
    }

    func run() throws -> DrillResult {
        for _ in 0..<drill.calls {
            room.simulation.spawn { [self] in
                let outcome = await room.app.call(drill.kind)
                outcomes.withLock { $0.append(outcome) }
            }
        }
        try room.run(until: Drill.end)
        let result = read()
        // Whatever goes round comes to an end.
        transport.close()
        try room.clear()
        return result
    }

    private func read() -> DrillResult {
        let sends = transport.sends
        let outcomes = outcomes.withLock { $0 }
        let open = drill.calls - outcomes.count
        let silentSince = Drill.end.nanosecondsSince1970 - Drill.silenceNanoseconds
        let isEndless = open > 0 && sends.contains { $0.sentAt > silentSince }
        return DrillResult(
            refreshes: sends.count(where: \.isRefresh),
            sends: sends.count { !$0.isRefresh }, outcomes: outcomes,
            hung: isEndless ? 0 : open, isEndless: isEndless,
            isSignedOut: room.app.needsSignIn,
            resendDelayNanoseconds: resendDelay(in: sends),
            triggers: (sends.first?.isRefresh == true ? [.clock] : []) + triggers.seen)
    }

    private func resendDelay(in sends: [DrilledTransport.Send]) -> Int64? {
        guard let refreshed = sends.first(where: \.isRefresh)?.answeredAt else { return nil }
        let next = sends.first { !$0.isRefresh && $0.sentAt >= refreshed }
        return next.map { $0.sentAt - refreshed }
    }
}

extension Drill {
    fileprivate func farSide(_ place: DrillPlace) -> BackendPlan {
        var plan = BackendPlan.ofOnePhone(
            connections: calls, accessLifetimeNanoseconds: accessLifetimeNanoseconds)
        if let refresh = place.refresh { plan.tokens.refresh = refresh }
        return plan
    }
}

extension StoredAccount {
    /// The same on a phone that was not told when its token expires.
    fileprivate var withoutExpiry: StoredAccount {
        StoredAccount(
            userID: userID, email: email, nick: nick, accessToken: accessToken,
            refreshToken: refreshToken)
    }
}

/// Notes what made the client send a call again, each kind once.
private final class TriggerMonitor: EventMonitor {
    private let stored = Mutex<[DrillResult.Trigger]>([])

    var seen: [DrillResult.Trigger] { stored.withLock { $0 } }

    func request(_ request: Request, isRetrying retryCount: Int, after error: any Error) {
        switch error as? AFError {
        case .responseValidationFailed: note(.validator)
        case .responseSerializationFailed: note(.decoding)
        default: break
        }
    }

    private func note(_ trigger: DrillResult.Trigger) {
        stored.withLock { seen in
            if !seen.contains(trigger) { seen.append(trigger) }
        }
    }
}
