import SquallFormat
import SquallRaces

extension LiveServer {
    private static let refreshSeconds = 2

    /// The report as a page that loads itself again, with buttons; it needs no script.
    var statusPage: String {
        var actions = [
            ("Expire all access tokens", "/expire"), ("End all faults", "/faults/end"),
            ("Reset everything", "/reset"),
        ]
        if world.drills.isOver {
            actions.append(("Play every drill", "/drills"))
        } else {
            actions += [("Done", "/drills/done"), ("Skip this drill", "/drills/skip")]
        }
        let buttons = Markup(
            "p", [:],
            actions.map { words, path in
                Markup(
                    "form",
                    [
                        "method": "post", "action": Self.controlPath + path,
                        "style": "display:inline-block;margin:0 .6em .6em 0",
                    ], [Markup("button", ["type": "submit"], words)])
            })
        return report.document.page([buttons], refreshSeconds: Self.refreshSeconds).html
    }
}
