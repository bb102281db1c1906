import SquallFormat

/// The top of the page: the verdict, what was run, and how to run it again.
struct PageHead {
    let run: SavedRun

    init(_ run: SavedRun) {
        self.run = run
    }

    var markup: Markup {
        let summary = run.summary
        let verdict = summary["verdict"].text
        let question = summary["question"].text
        return Markup(
            "header", ["class": verdict],
            [
                Markup("p", ["class": "brand"], "Squall · a run in virtual time"),
                Markup(
                    "h1", [:],
                    [
                        Markup("span", ["class": "verdict"], words(verdict)), .text(" "),
                        .text(summary["profile"].text),
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
            ("users", Units.grouped(summary["users"].integer)),
            ("virtual time", Units.exact(nanoseconds: summary["virtualDurationNs"].integer)),
            ("requests", Units.grouped(run.total(of: .requests)["count"].integer)),
            ("seed", summary["seed"].seed),
            ("digest", summary["digest"].text),
        ]
        let entries = facts.map { name, value in
            Markup("div", [:], [Markup("dt", name), Markup("dd", value)])
        }
        return Markup("dl", ["class": "facts"], entries)
    }

    private var replay: Markup {
        Markup(
            "p", ["class": "replay"],
            [.text("Run it again: "), Markup("code", run.summary["replay"].text)])
    }

    /// The five numbers that people ask for first.
    private var tiles: Markup {
        let tiles = [
            (
                "wait for a step, p95", duration(.stepDuration, "p95"),
                "retries and refreshes included"
            ),
            ("attempt on the wire, p95", duration(.requestDuration, "p95"), "each attempt alone"),
            ("steps that failed", share(.stepFailed), "the user did not get what they came for"),
            ("refreshes per expired step", ratio, "1 is ideal"),
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

    private func duration(_ metric: Metric, _ member: String) -> String? {
        let values = run.total(of: metric)
        guard values["count"].integer > 0 else { return nil }
        return Units.approximate(nanoseconds: values[member].integer)
    }

    private func share(_ metric: Metric) -> String? {
        run.total(of: metric)["value"].number.map(Units.percent)
    }

    private var ratio: String? {
        run.total(of: .refreshesPerExpiredStep)["value"].number.map(Units.threeDigits)
    }

    private var amplification: String? {
        let attempts = run.total(of: .requests)["count"].integer
        let first = run.series(of: .requests).filter { $0["tags"]["cause"].text == "first" }
            .reduce(0) { $0 + $1["values"]["count"].integer }
        return first == 0 ? nil : Units.threeDigits(Double(attempts) / Double(first))
    }
}

extension JSON {
    /// The digits of a seed, which may need all 64 bits.
    fileprivate var seed: String {
        if case .unsigned(let seed) = self { "\(seed)" } else { "\(integer)" }
    }
}
