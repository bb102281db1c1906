extension Section {
    /// The section on a page; nil without content and without a text for its absence.
    public var markup: Markup? {
        let content = content
        guard !content.isEmpty || !absence.isEmpty else { return nil }
        let body =
            content.isEmpty
            ? [Markup("p", ["class": "absent"], absence)]
            : (note.isEmpty ? [] : [Markup("p", ["class": "note"], note)]) + folded(content)
        return Markup(
            "section", ["id": PageAnchor.of(title)],
            (title.isEmpty ? [] : [Markup("h2", title)]) + body)
    }

    var isShown: Bool { !content.isEmpty }

    private var content: [Markup] {
        let told = blocks.compactMap(\.markup)
        return if case .points = blocks.first { told + drawn } else { drawn + told }
    }

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
        case .entries(let entries):
            Page.list("entries", entries.map { ($0.name, $0.markup) })
        case .picture(let picture): picture.markup
        }
    }
}

extension Entry {
    fileprivate var markup: Markup {
        switch kind {
        case .plain: .prose(value)
        case .critical: Markup("span", ["class": "critical"], value)
        case .command: Markup("code", value)
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
