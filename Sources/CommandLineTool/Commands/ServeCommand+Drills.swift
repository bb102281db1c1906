import SquallFormat
import SquallLive
import SquallRaces

extension Option {
    /// Those of drills with a real app.
    static let liveDrills = [
        Option(
            "--drill", .text("names"),
            "Play the server's side of every drill that it can, one after the other, while the app"
                + " is used, and end; names with commas between choose drills.", usual: "all"),
        Option(
            "--server", .text("name"),
            "With --drill: lenient, strict, leeway or oneShot in place of the profile's rule for"
                + " refresh tokens; may be given several times.", repeats: true),
        Option(
            "--drill-wait", .duration(Span.second...Span.hour),
            "With --drill: how long the app, or its user, is awaited; 60s by default."),
        Option(
            "--skip-manual",
            "With --drill: leave out drills in which the user must do more than use the app."),
    ]
}

/// Drills with a real app.
extension ServeCommand {
    /// The drills that the command line asks for; nil for none.
    func drillPlan() throws -> LiveDrillPlan? {
        guard arguments.has("--drill") else {
            for option in Option.liveDrills where arguments.has(option.name) {
                throw CommandFailure.usage("\(option.name) needs --drill")
            }
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
        if let span = arguments.nanoseconds("--drill-wait") { plan.waitNanoseconds = span }
        plan.skipsManual = arguments.has("--skip-manual")
        return plan
    }
}
