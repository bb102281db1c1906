import SquallFormat
public import SquallReport

/// Runs as a comment on a pull request.
///
/// The verdict, the answer, what changed since a baseline, and the rest folded away. It is GitHub's
/// Markdown, which GitLab reads as well.
public struct MarkdownReport {
    private let summaries: [RunSummary]
    private let baselines: [RunSummary]
    private let otherwise: [String]

    /// Compares runs with earlier ones of the same profiles; `otherwise` has the known differences
    /// that the runs do not tell, such as the version.
    public init(
        _ summaries: [RunSummary], since baselines: [RunSummary] = [], otherwise: [String] = []
    ) {
        self.summaries = summaries
        self.baselines = baselines
        self.otherwise = otherwise
    }

    /// The whole document.
    public var text: String {
        summaries.flatMap(parts).joined(separator: "\n\n") + "\n"
    }

    private func parts(of summary: RunSummary) -> [String] {
        let earlier = baselines.first { $0.profile == summary.profile }
        let answer = summary.answer.joined(separator: " ").escapedForMarkdown
        return [
            "## \(mark(summary)) \(summary.verdict.words) · \(summary.profile.escapedForMarkdown)",
            summary.reason.sentenceCase.escapedForMarkdown + ".",
            answer.isEmpty ? "" : "**\(answer)**",
            thresholds(of: summary),
            earlier.map { summary.changes(since: $0, otherwise: otherwise) }
                ?? (baselines.isEmpty
                    ? "" : "The baseline has no run of \(summary.profile.escapedForMarkdown)."),
            folded(
                Units.counted(summary.assumed.count, "assumed value"),
                summary.assumed.map { row in
                    "- `\(row.setting)` \("\(row.value): \(row.effect)".escapedForMarkdown)"
                }),
            folded(
                Units.counted(summary.findings.count, "finding"),
                summary.findings.map { "- \($0.headline.escapedForMarkdown)" }),
            folded(
                "Replay",
                ["```sh", summary.replay, "```", "", "Digest `\(summary.digest.text)`."]),
        ].filter { !$0.isEmpty }
    }

    /// The emoji of the verdict: green only where there is no finding.
    private func mark(_ summary: RunSummary) -> String {
        switch summary.shownVerdict.isGood {
        case true?: "✅"
        case false?: "❌"
        case nil: "⚠️"
        }
    }

    private func thresholds(of summary: RunSummary) -> String {
        guard !summary.thresholds.isEmpty else { return "" }
        let rows = summary.thresholds.map { result in
            let limit = "\(result.metric) \(result.expressionShown)".escapedForMarkdown
            let observed = result.observed?.description.escapedForMarkdown ?? .noSamples
            return "| \(result.ok ? "✅" : "❌") | \(limit) | \(observed) |"
        }
        return (["| | expected | observed |", "|---|---|--:|"] + rows).joined(separator: "\n")
    }

    /// Lines in a folded section; empty where there are no lines.
    private func folded(_ title: String, _ lines: [String]) -> String {
        guard !lines.isEmpty else { return "" }
        return (["<details><summary>\(title)</summary>", ""] + lines + ["", "</details>"])
            .joined(separator: "\n")
    }
}

extension StringProtocol {
    /// The text, on one line, escaped so that Markdown shows it literally.
    var escapedForMarkdown: String {
        String(self).visible.map { character in
            switch character {
            case "<": "&lt;"
            case "&": "&amp;"
            case "\\", "`", "*", "_", "[", "]", "|", "~", "#": "\\\(character)"
            default: String(character)
            }
        }.joined()
    }
}

extension RunSummary {
    /// The changes of the headline figures since an earlier run of the profile: a table of those
    /// that differ, or a sentence where none does.
    ///
    /// Where another experiment was asked, that is said first; `known` is what differs besides.
    func changes(since earlier: RunSummary, otherwise known: [String] = []) -> String {
        let otherwise = known + askedOtherwise(than: earlier)
        guard earlier.digest != digest || !otherwise.isEmpty else {
            return "Nothing changed since the baseline: the digest is the same."
        }
        guard otherwise.isEmpty else {
            let list = otherwise.joined(separator: "; ").escapedForMarkdown
            return "⚠️ **The baseline belongs to another experiment**, which explains some"
                + " differences: \(list). Renew the baseline if the change is intended.\n\n"
                + figures(since: earlier)
        }
        return figures(since: earlier)
    }

    private func figures(since earlier: RunSummary) -> String {
        let (was, now) = (Figure.all(of: earlier), Figure.all(of: self))
        let rows = KeyMetrics.names.compactMap { name in
            row(name, was.first { $0.name == name }, now.first { $0.name == name })
        }
        guard !rows.isEmpty else {
            return "The main figures did not change since the baseline, but the digest did."
        }
        let seeds =
            earlier.seed == seed
            ? "One run each with the same seed" : "One run each with different seeds"
        let table =
            ["| changed since the baseline | was | is | change |", "|---|--:|--:|--:|"] + rows
        return table.joined(separator: "\n") + "\n\n\(seeds): `squall compare` tests which changes"
            + " are significant."
    }

    private func row(_ name: String, _ was: Figure?, _ now: Figure?) -> String? {
        let known = [was, now].compactMap(\.self)
        let plain = [was, now].map { $0.map { $0.unit.text($0.value) } ?? "–" }
        guard plain[0] != plain[1], let unit = known.first?.unit else { return nil }
        let shown = ShownChanges(unit, between: known.map(\.value))
        let cells = [was, now].map { $0.map { shown.text($0.value) } ?? "–" }
        // One run each says how far a figure moved, and not whether that is significant.
        var change = ""
        if let was, let now, was.unit == now.unit {
            let difference = now.value - was.value
            let text =
                was.unit == .share || was.value == 0
                ? was.unit.difference(difference) : Units.percent(difference / was.value)
            change = difference > 0 ? "+" + text : text
        }
        let title = KeyMetrics.title(name).escapedForMarkdown
        return "| \(title) | \(cells.joined(separator: " | ")) | \(change) |"
    }
}
