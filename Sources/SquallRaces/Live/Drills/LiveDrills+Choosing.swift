import SquallKernel

/// Which drills are played, and how long that takes.
extension LiveDrills {
    /// The time of a drill: an app gets time to recover from each fault.
    func usualSeconds(of drill: Drill, _ server: DrillServer) -> Int {
        var setting = ServerConfiguration(service, server)
        let isManual = !drill.needs.isDisjoint(with: Self.manual)
        guard reason(against: drill, server, setting, isManual) == nil else { return 0 }
        drill.setting(&setting)
        return setting.faults.isEmpty ? 15 : 70
    }

    func reason(
        against drill: Drill, _ server: DrillServer, _ setting: ServerConfiguration,
        _ isManual: Bool
    ) -> String? {
        let able = Self.manual.union([.failureHeaders, .omission, .list])
        let reason = drill.reason(against: service.hasOwnTokens ? server : nil, able)
        if let reason { return reason }
        if plan.skipsManual, isManual { return "needs a person" }
        var drilled = setting
        drill.setting(&drilled)
        if !service.hasOwnTokens, drilled.tokens != setting.tokens {
            return "needs a server with token rules that can be changed"
        }
        return nil
    }
}

/// Clients that look at their clock, and heed no refusal.
extension LiveDrills {
    /// A client that is refused so often and does not refresh waits for its clock.
    static let refusalsMax = 8
    static let deafness =
        "needs a client that heeds refusals: its token was refused as expired before its stated"
        + " end, and it did not refresh; one that looks at its clock alone waits for that end"
    static let neverRenews =
        "needs a client that renews its token: it did not even at the stated end"

    static let signsIn =
        "needs a client that refreshes: this one signs in again, which is right where it keeps its"
        + " account's password, and else means that a refusal signs its user out"

    /// True for a client that signs in again after a refusal, and was never seen to refresh.
    var renewsBySignIn: Bool { app.hadToSignIn && !app.hasRefreshed }

    /// True if a client that is refused and does not refresh may wait for the end of its token by
    /// its own clock: that is too far to be waited for, or it refreshes then.
    func looksAtClock() async -> Bool {
        if let watchesClock { return watchesClock }
        guard isEndNear, let life = statedLife else { return service.statesLifetime && isEndAhead }
        let before = app.refreshes
        _ = await awaits(nil, atLeast: life) { [self] in app.refreshes > before || !isEndAhead }
        guard !isAborted else { return true }
        watchesClock = app.refreshes > before
        return app.refreshes > before
    }

    /// How long the app's newest token lives on by what was said of it, and a while to notice.
    private var statedLife: Int64? {
        let end = judge.statedEnd(ofUsers: app.users)
        return end.map { $0 + simulated(Self.shortNanoseconds) - simulation.now.nanoseconds }
    }

    private var isEndAhead: Bool { statedLife ?? .max > 0 }

    var isEndNear: Bool {
        guard service.statesLifetime, isEndAhead, let life = statedLife else { return false }
        return plan.isVirtual || life < simulated(plan.waitNanoseconds)
    }
}

extension LiveDrills {
    /// Waits until the app is quiet; one that never is gets a while to recover.
    ///
    /// A call that failed gets longer to be sent again: a busy machine may hold the app up, unless
    /// its time is virtual, and a client may pause, unless its refresh has succeeded.
    func quiet() async {
        let start = simulation.now.nanoseconds
        while !isAborted {
            if app.isQuiet(for: simulated(500_000_000)),
                app.problem(since: start) == nil || app.isQuiet(for: simulated(3_000_000_000))
                    || plan.isVirtual && app.hasDropped(since: start)
            {
                return
            }
            let span = simulation.now.nanoseconds - start
            if span >= simulated(15_000_000_000) { return }
            if span >= simulated(3_000_000_000), app.problem(since: start) == nil { return }
            await pause(max(Self.pollNanoseconds, simulated(Self.pollNanoseconds)))
        }
    }
}
