import SquallFormat

extension Section {
    /// The part as a page shows it; a run's page has the charts of its time series, too.
    func markup(of run: SavedRun?) -> Markup {
        let drawn = run.map(charts) ?? []
        let told = blocks.compactMap(\.markup)
        let content = if case .points = blocks.first { told + drawn } else { drawn + told }
        let body =
            content.isEmpty
            ? [Markup("p", ["class": "absent"], absence)]
            : (note.isEmpty ? [] : [Markup("p", ["class": "note"], note)]) + folded(content)
        return Markup("section", ["id": PageAnchor.of(title)], [Markup("h2", title)] + body)
    }

    /// Whether a page has anything to show in it.
    func isShown(of run: SavedRun) -> Bool { !blocks.isEmpty || !charts(run).isEmpty }

    private func folded(_ content: [Markup]) -> [Markup] {
        guard let cover else { return content }
        return [Markup("details", ["class": "laws"], [Markup("summary", cover)] + content)]
    }
}

extension Block {
    fileprivate var markup: Markup? {
        switch self {
        case .table(let table): table.markup
        case .sentence(let text): Markup("p", [:], [.prose(text)])
        case .points(let points): Markup("ul", ["class": "points"], points.map(\.markup))
        case .chart(let chart): chart.plot?.markup
        case .map(let map): map.markup
        }
    }
}

extension Point {
    fileprivate var markup: Markup {
        let link = lookAt.map { title in
            [.text(" See "), Markup("a", ["href": "#\(PageAnchor.of(title))"], title)]
        }
        let rest = (detail.isEmpty ? [] : [.prose(": " + detail)]) + (link ?? [])
        let words: Markup = rest.isEmpty ? .prose(head) : Markup("strong", [:], [.prose(head)])
        return Markup("li", [:], (isGood.map { [.sign($0)] } ?? []) + [words] + rest)
    }
}
