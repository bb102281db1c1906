import SquallFormat
import SquallReport

extension RunSummary {
    /// What changed since an earlier run of the profile in the headline figures: a table of those
    /// that differ, or a sentence where none does.
    ///
    /// Where another experiment was asked, that is said first, and nothing is called better or
    /// worse; `known` is what differs besides.
    func changes(since earlier: RunSummary, otherwise known: [String] = []) -> String {
        let otherwise = known + askedOtherwise(than: earlier)
        guard earlier.digest != digest || !otherwise.isEmpty else {
            return "Nothing changed since the baseline: the digest is the same."
        }
        guard otherwise.isEmpty else {
            let list = otherwise.joined(separator: "; ").escapedForMarkdown
            return "⚠️ **The baseline belongs to another experiment**, which explains some"
                + " differences: \(list). Renew the baseline if the change is intended.\n\n"
                + figures(since: earlier, isSameQuestion: false)
        }
        return figures(since: earlier, isSameQuestion: true)
    }

    private func figures(since earlier: RunSummary, isSameQuestion: Bool) -> String {
        let (was, now) = (Figure.all(of: earlier), Figure.all(of: self))
        let rows = KeyMetrics.names.compactMap { name in
            row(
                name, was.first { $0.name == name }, now.first { $0.name == name },
                isJudged: isSameQuestion)
        }
        guard !rows.isEmpty else {
            return "The main figures did not change since the baseline, but the digest did."
        }
        let seeds =
            earlier.seed == seed
            ? "One run each with the same seed" : "One run each with different seeds"
        let table = ["| changed since the baseline | was | is | |", "|---|--:|--:|---|"] + rows
        return table.joined(separator: "\n") + "\n\n\(seeds): `squall compare` tests which changes"
            + " are significant."
    }

    private func row(
        _ name: String, _ was: Figure?, _ now: Figure?, isJudged: Bool
    ) -> String? {
        let cells = [was, now].map { $0.map { $0.unit.text($0.value) } ?? "–" }
        guard cells[0] != cells[1] else { return nil }
        var change = ""
        if isJudged, let was, let now, let lessIsBetter = KeyMetrics.lessIsBetter(name) {
            change = (now.value < was.value) == lessIsBetter ? "better" : "**worse**"
        }
        let title = KeyMetrics.title(name).escapedForMarkdown
        return "| \(title) | \(cells.joined(separator: " | ")) | \(change) |"
    }
}
