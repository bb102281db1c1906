import SquallBackend

/// Which drills are played, and how long that takes.
extension LiveDrills {
    /// An app is given time to recover from each fault.
    func usualSeconds(of drill: Drill, _ server: DrillServer) -> Int {
        var setting = ServerConfiguration(service, server)
        let isManual = !drill.needs.isDisjoint(with: Self.manual)
        guard reason(against: drill, server, setting, isManual) == nil else { return 0 }
        drill.setting(&setting)
        return setting.faults.isEmpty ? 15 : 70
    }

    /// Why a drill is not played.
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
