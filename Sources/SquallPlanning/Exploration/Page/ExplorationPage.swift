import SquallFormat
import SquallRaces
import SquallReport

import struct SquallRaces.Finding

/// An exploration as a page that needs nothing but itself: what broke, in pictures, and how much
/// was looked at.
struct ExplorationPage {
    private let result: ExplorationResult

    init(_ result: ExplorationResult) { self.result = result }

    /// The whole file.
    var text: String {
        let head = Markup(
            "head", [:],
            [
                Markup("meta", ["charset": "utf-8"]),
                Markup(
                    "meta",
                    ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
                Markup("title", [:], "Squall · \(result.profile) explored"),
                Markup("style", [:], [.verbatim(SchedulePageStyle.source)]),
            ])
        let findings = zip(result.exploration.findings, result.findingNames).map(section)
        let body = Markup(
            "body", [:], [Markup("main", [:], [header] + findings + [coverage, pairs])])
        return "<!doctype html>\n" + Markup("html", ["lang": "en"], [head, body]).source
    }

    private var header: Markup {
        let exploration = result.exploration
        let (style, verdict) =
            switch exploration.verdict {
            case .passed: ("passed", "✓ passed")
            case .failed: ("failed", "✗ failed")
            case .notJudged: ("unjudged", "? not judged")
            }
        let question = result.question
        return Markup(
            "header", ["class": style],
            [
                Markup("p", ["class": "brand"], "Squall · an exploration of schedules"),
                Markup(
                    "h1", [:],
                    [
                        Markup("span", ["class": "verdict"], verdict),
                        .text(" " + result.profile),
                    ]),
            ] + (question.isEmpty ? [] : [Markup("p", ["class": "question"], question)]) + [
                Markup("p", ["class": "statement"], exploration.headline)
            ] + exploration.remarks.map { Markup("p", ["class": "note"], $0) })
    }

    private func section(_ finding: Finding, _ file: String) -> Markup {
        let violation = finding.violation
        let invariant = RaceInvariants.named(violation.invariant)
        let title = [violation.invariant, invariant?.name].compactMap(\.self)
            .joined(separator: " ")
        let order = [Markup("p", ["class": "order"], finding.conditions)]
        return Markup(
            "section", [:],
            [
                Markup("h2", "\(title): \(violation.text)"),
                Markup("p", ["class": "note"], invariant?.claim ?? ""),
            ] + order + [facts(finding, file), pictures(finding)])
    }

    private func facts(_ finding: Finding, _ file: String) -> Markup {
        let schedules = result.exploration.coverage.schedules
        return Markup(
            "p", ["class": "note"],
            [
                .text(
                    "First in schedule \(finding.schedule), in \(finding.count) of"
                        + " \(schedules); \(finding.size). "),
                Markup("code", "squall replay \(file)"),
            ])
    }

    private func pictures(_ finding: Finding) -> Markup {
        let broken = Timeline(finding.played, of: finding.violation)
        var figures = [
            figure(broken, "What happens", "How the promise is broken")
        ]
        if finding.departures > 0 {
            figures.append(
                figure(
                    Timeline(finding.twin, of: nil), "The same in first in, first out: kept",
                    "The same scenario in first in, first out"))
        }
        return Markup("div", ["class": "pair"], figures)
    }

    private func figure(_ timeline: Timeline, _ caption: String, _ name: String) -> Markup {
        Markup(
            "figure", [:],
            [Markup("figcaption", caption), LaneChart(timeline, name: name).markup])
    }

    private var coverage: Markup {
        let coverage = result.exploration.coverage
        let facts = [
            ("schedules played", Units.grouped(Int64(coverage.schedules))),
            (
                coverage.isExact ? "of them different" : "of them different, about",
                Units.grouped(Int64(coverage.distinctSchedules))
            ),
            ("different things the server saw", Units.grouped(Int64(coverage.distinctViews))),
            ("next schedule shows another (Good–Turing)", Units.percent(coverage.unseen)),
            ("most choices in a schedule", "\(coverage.longest)"),
            ("most to choose among", "\(coverage.widest)"),
            ("window", Units.exact(nanoseconds: result.exploration.plan.windowNanoseconds)),
            ("seed", "\(result.exploration.plan.seed)"),
        ]
        let entries = facts.map { name, value in
            Markup("div", [:], [Markup("dt", name), Markup("dd", value)])
        }
        return Markup(
            "section", [:], [Markup("h2", "What was looked at"), Markup("dl", [:], entries)])
    }

    /// Which kinds of things ran before which while both could.
    private var pairs: Markup {
        let pairs = Set(result.exploration.coverage.pairs.all)
        let names = Set(pairs.flatMap { [$0.first, $0.second] }).sorted()
        let head = Markup(
            "tr", [:],
            [Markup("th", "ran first ↓, could have →")] + names.map { Markup("th", $0) })
        let rows = names.map { first in
            Markup(
                "tr", [:],
                [Markup("th", first)]
                    + names.map { second in
                        let isSeen = pairs.contains(OrderedPair(first: first, second: second))
                        return Markup(
                            "td", ["class": isSeen ? "seen" : "unseen"], isSeen ? "●" : "·")
                    })
        }
        return Markup(
            "section", [:],
            [
                Markup("h2", "Ordered pairs seen"),
                Markup(
                    "p", ["class": "note"],
                    "A dot: the kind of event on the left went first while the one above could"
                        + " have gone, of the same user."),
                Markup(
                    "div", ["class": "scroll"],
                    [Markup("table", ["class": "pairs"], [head] + rows)]),
            ])
    }
}
