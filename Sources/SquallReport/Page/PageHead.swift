import SquallFormat

/// The top of the page: the verdict, what was run, and how to run it again.
struct PageHead {
    let run: SavedRun

    init(_ run: SavedRun) {
        self.run = run
    }

    var markup: Markup {
        let summary = run.summary
        let verdict = summary.verdict.rawValue
        let question = summary.question
        return Markup(
            "header", ["class": verdict],
            [
                Markup("p", ["class": "brand"], "Squall · a run in virtual time"),
                Markup(
                    "h1", [:],
                    [
                        Markup("span", ["class": "verdict"], words(verdict)), .text(" "),
                        .text(summary.profile),
                    ]),
            ] + (question.isEmpty ? [] : [Markup("p", ["class": "question"], question)])
                + [facts, tiles, replay])
    }

    private func words(_ verdict: String) -> String {
        switch verdict {
        case "passed": "✓ passed"
        case "failed": "✗ failed"
        default: "◐ \(verdict)"
        }
    }

    private var facts: Markup {
        let summary = run.summary
        let facts = [
            ("users", Units.grouped(summary.users)),
            ("virtual time", Units.exact(nanoseconds: summary.virtualNanoseconds)),
            ("requests", Units.grouped(summary.total(of: .requests)?.count ?? 0)),
            ("seed", "\(summary.seed)"),
            ("digest", summary.digest.text),
        ]
        let entries = facts.map { name, value in
            Markup("div", [:], [Markup("dt", name), Markup("dd", value)])
        }
        return Markup("dl", ["class": "facts"], entries)
    }

    private var replay: Markup {
        Markup(
            "p", ["class": "replay"],
            [.text("Run it again: "), Markup("code", run.summary.replayCommand)])
    }

    /// The five numbers that people ask for first.
    private var tiles: Markup {
        let steps = run.summary.total(of: .stepDuration)?.latency
        let attempts = run.summary.total(of: .requestDuration)?.latency
        let failed = run.summary.total(of: .stepFailed)?.quotient?.value
        let tiles = [
            ("wait for a step, p95", p95(steps), "retries and refreshes included"),
            ("attempt on the wire, p95", p95(attempts), "each attempt alone"),
            (
                "steps that failed", failed.map(Units.percent),
                "the user did not get what they came for"
            ),
            refreshes,
            ("attempts per call", amplification, "what retries and refreshes add"),
        ]
        return Markup(
            "div", ["class": "tiles"],
            tiles.map { name, value, remark in
                Markup(
                    "div", [:],
                    [
                        Markup("span", ["class": "name"], name),
                        Markup("span", ["class": "value"], value ?? "–"),
                        Markup("span", ["class": "remark"], remark),
                    ])
            })
    }

    private func p95(_ latency: LatencySummary?) -> String? {
        guard let latency, latency.count > 0 else { return nil }
        return Units.approximate(nanoseconds: latency.p95)
    }

    /// Refreshes per expiry of the whole or, where designs are mixed, of the worst population.
    private var refreshes: (String, String?, String) {
        let (name, ideal) = ("refreshes per expiry", "1 is ideal")
        if let each = run.summary.storm?.refreshesPerExpiry {
            return (name, Units.threeDigits(each), ideal)
        }
        let rows = run.summary.populations.filter { $0.refreshesPerExpiry != nil }
        let worst = rows.max { $0.refreshesPerExpiry ?? 0 < $1.refreshesPerExpiry ?? 0 }
        guard let worst else { return (name, nil, ideal) }
        return (
            name, worst.refreshesPerExpiry.map(Units.threeDigits),
            "\(worst.name), the worst population; \(ideal)"
        )
    }

    private var amplification: String? {
        run.summary.retry?.amplification.last.map { Units.threeDigits($0.factor) }
    }
}
