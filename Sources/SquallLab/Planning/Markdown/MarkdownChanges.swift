import SquallFormat
import SquallReport

extension RunSummary {
    /// What changed since an earlier run of the profile in the headline figures: a table of those
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
        let cells = [was, now].map { $0.map { $0.unit.text($0.value) } ?? "–" }
        guard cells[0] != cells[1] else { return nil }
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
