import SquallFormat
import SquallHTTP
import SquallRaces

extension LiveServer {
    private static let refreshSeconds = 2
    /// The most requests that the page shows.
    private static let requestsMost = 50

    /// Faults that a button begins, with its words.
    static let faults = [
        ("Add 2 s latency", #"{"kind": "latency", "added": "2s"}"#),
        ("Refreshes get 503", #"{"kind": "serverError", "status": 503, "endpoints": ["refresh"]}"#),
        ("Everything gets 503", #"{"kind": "serverError", "status": 503}"#),
        ("Token service is down", #"{"kind": "tokenOutage"}"#),
        ("Lose responses", #"{"kind": "dropAnswer"}"#),
        ("Refuse connections", #"{"kind": "refuseConnection"}"#),
    ]

    /// The report as a page that loads itself again, with buttons; it needs no script.
    ///
    /// `?user=` and `?finding=` choose whose requests it shows.
    func statusPage(_ request: URLRequest) -> String {
        var actions = [
            ("Expire all access tokens", "/expire"), ("End all sessions", "/expire/refresh"),
            ("End all faults", "/faults/end"), ("Reset everything", "/reset"),
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
                    ["method": "post", "action": Self.controlPath + path, "style": Self.beside],
                    [Markup("button", ["type": "submit"], words)])
            } + [faultForm])
        let report = report
        return report.document.page(
            [buttons] + lastRequests(request, report), refreshSeconds: Self.refreshSeconds
        ).html
    }

    private static let beside = "display:inline-block;margin:0 .6em .6em 0"

    /// As plain text, so that the control API gets the JSON itself.
    private var faultForm: Markup {
        Markup(
            "form",
            [
                "method": "post", "action": Self.controlPath + "/faults", "enctype": "text/plain",
                "style": Self.beside,
            ],
            Self.faults.map { words, fault in
                Markup(
                    "button",
                    ["type": "submit", "name": LiveWorld.faultField, "value": fault], words)
            })
    }

    /// The last requests with what they meant, of all users or of one.
    private func lastRequests(_ request: URLRequest, _ report: LiveReport) -> [Markup] {
        let all = world.judge.recentRequests
        guard !all.isEmpty else { return [] }
        let number = request.queryValue("finding").flatMap { Int($0) }
        let finding = report.findings.first { $0.number == number }
        func encoded(_ user: String) -> String {
            user.percentEncoded { ($0 | 32) &- 97 < 26 || $0 &- 48 < 10 }
        }
        let asked = request.queryValue("user").map { asked in
            all.first { encoded($0.user) == asked }?.user ?? ""
        }
        let user = finding?.user ?? asked
        let named = finding.map { Set($0.requests + $0.again) } ?? []
        let users = all.map(\.user).grouped(by: \.self).map(\.key).prefix(12)
        func link(_ words: String, _ query: String, isChosen: Bool) -> Markup {
            let place = Self.controlPath + "/" + query
            return Markup(
                "a", isChosen ? ["href": place, "aria-current": "true"] : ["href": place], words)
        }
        let links =
            [link("all", "", isChosen: user == nil)]
            + users.map {
                link(
                    $0, "?user=" + encoded($0), isChosen: $0 == user && finding == nil)
            }
            + report.findings.suffix(12).map {
                link(
                    "finding \($0.number): \($0.promise.id) of \($0.user)",
                    "?finding=\($0.number)", isChosen: $0.number == number)
            }
        let paths = world.paths
        let rows = all.lazy.filter { user == nil || $0.user == user }.prefix(Self.requestsMost)
            .map { $0.row(paths.shown($0.call), isNamed: named.contains($0.number)) }
        let section = Section(
            "Last requests",
            note: "The newest first; tokens by number, no secrets. ✗ marks the finding's own.",
            [.table(Table(Array(rows)))])
        return [Markup("nav", ["aria-label": "Whose requests"], links)]
            + [section.markup].compactMap(\.self)
    }
}

extension RecentRequest {
    fileprivate func row(_ call: String, isNamed: Bool) -> [Cell] {
        [
            Column("time", .duration, "When it came.")(sentAt),
            Column("call", .words, "What was asked.")(call),
            Column("status", .words, "The status of the response.")(status.map(String.init) ?? "–"),
            Column("meaning", .words, "What the response means.")(meaning, isGood: isGood),
            Column("tokens", .words, "The tokens it showed.")(tokens),
            Column("user", .words, "Who sent it.")(user),
            Column("request", .words, "Its number with its user, as findings name it.")(
                "#\(number)", isGood: isNamed ? false : nil),
            Column("took", .duration, "How long the response took.")(endedAt - sentAt),
        ]
    }
}
