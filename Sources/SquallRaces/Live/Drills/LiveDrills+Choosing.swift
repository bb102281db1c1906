import SquallBackend
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

    /// True if a client that is refused and does not refresh may wait for the end of its token by
    /// its own clock: that is too far to be waited for, or it refreshes then.
    func looksAtClock() async -> Bool {
        guard !isEndNear else {
            let before = app.refreshes
            return await awaits(nil) { [self] in app.refreshes > before || !isEndAhead }
                && app.refreshes > before
        }
        return service.statesLifetime && isEndAhead
    }

    /// How long the app's newest token lives on by what was said of it, and a while to notice.
    private var statedLife: Int64? {
        let end = judge.statedEnd(ofUsers: app.users)
        return end.map { $0 + simulated(Self.shortNanoseconds) - simulation.now.nanoseconds }
    }

    private var isEndAhead: Bool { statedLife ?? .max > 0 }

    var isEndNear: Bool {
        service.statesLifetime && isEndAhead && statedLife ?? .max < simulated(plan.waitNanoseconds)
    }
}
