import SquallFormat
import SquallLive
import SquallRaces

extension Option {
    /// The options of drills with a real app.
    static let liveDrills = [
        Option(
            "--drill", .text("names"),
            "Play the server's side of each drill in turn while the app is used, then stop; a list"
                + " such as expiredToken,outage chooses drills.", usual: "all"),
        Option(
            "--server", .text("name"),
            "With --drill: lenient, strict, leeway or oneShot instead of the profile's rule for"
                + " refresh tokens; may be given several times.", repeats: true),
        Option(
            "--drill-wait", .duration(Span.second...Span.hour),
            "With --drill: maximum wait for the app or its user; 60s by default, 15m with"
                + " --virtual."),
        Option(
            "--skip-manual",
            "With --drill: skip drills that need more than using the app."),
    ]
}

/// Drills with a real app.
extension ServeCommand {
    /// The time that drills take with a right client that is used all the time.
    func drillSpan(_ server: LiveServer) -> String {
        let (count, seconds) = server.drillSpan
        return "\(Units.counted(count, "drill")), about"
            + " \(Units.exact(nanoseconds: Int64(seconds) * Span.second)) while the app is used."
    }

    /// The drills that the command line asks for; nil for none.
    func drillPlan() throws -> LiveDrillPlan? {
        guard arguments.has("--drill") else {
            try arguments.refuse(Option.liveDrills.map(\.name), "needs --drill")
            return nil
        }
        var plan = LiveDrillPlan()
        if arguments.text("--drill") != "all" {
            plan.drills = try arguments.chosen("--drill", among: Drill.all, named: \.id) ?? []
        }
        plan.servers =
            try arguments.chosen("--server", among: DrillServer.all, named: \.name) ?? []
        if arguments.has("--upstream"), !plan.servers.isEmpty {
            throw CommandFailure.usage("--server has no meaning with --upstream")
        }
        // Where waiting takes no time, even an app that was told to come back later is waited for.
        plan.isVirtual = arguments.has(Option.virtual.name)
        if plan.isVirtual { plan.waitNanoseconds = 900 * Span.second }
        if let span = arguments.nanoseconds("--drill-wait") { plan.waitNanoseconds = span }
        plan.replacesClient = !arguments.ownCommand.isEmpty
        plan.skipsManual = arguments.has("--skip-manual")
        return plan
    }
}
