import SquallFormat
import SquallReport

/// What changed between two runs of one profile, in the headline figures.
struct MarkdownChanges {
    private let earlier: RunSummary
    private let later: RunSummary
    /// The figures of both by their names.
    private let was, now: [String: Figure]

    init(from earlier: RunSummary, to later: RunSummary) {
        self.earlier = earlier
        self.later = later
        (was, now) = (Self.figures(of: earlier), Self.figures(of: later))
    }

    private static func figures(of summary: RunSummary) -> [String: Figure] {
        Dictionary(Figure.all(of: summary).map { ($0.name, $0) }) { first, _ in first }
    }

    /// A table of the figures that differ, or a sentence where none does.
    var text: String {
        guard earlier.digest != later.digest else {
            return "Nothing changed since the baseline: the digest is the same."
        }
        let rows = Headlines.names.compactMap(row)
        guard !rows.isEmpty else {
            return "None of the first figures changed since the baseline; the digest did."
        }
        let seeds =
            earlier.seed == later.seed
            ? "One run each, of the same seed" : "One run each, of different seeds"
        let table = ["| changed since the baseline | was | is | |", "|---|--:|--:|---|"] + rows
        return table.joined(separator: "\n") + "\n\n\(seeds): `squall compare` says what is chance."
    }

    private func row(_ name: String) -> String? {
        let (was, now) = (was[name], now[name])
        let cells = [was, now].map { $0.map { $0.unit.text($0.value) } ?? "–" }
        guard cells[0] != cells[1] else { return nil }
        let numbers = cells.joined(separator: " | ")
        let title = Headlines.title(name).escapedForMarkdown
        return "| \(title) | \(numbers) | \(change(name, was, now)) |"
    }

    private func change(_ name: String, _ was: Figure?, _ now: Figure?) -> String {
        guard let was, let now, let lessIsBetter = Headlines.lessIsBetter(name) else { return "" }
        return (now.value < was.value) == lessIsBetter ? "better" : "**worse**"
    }
}
