import SquallDocument
import SquallFormat

extension LiveServer {
    private static let refreshSeconds = 2

    /// The report as a page that loads itself again, with buttons; it needs no script.
    var statusPage: String {
        let actions = [
            ("Expire all access tokens", "/expire"), ("End all faults", "/faults/end"),
            ("Reset everything", "/reset"),
        ]
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
