extension AnswerDocument {
    /// The answer on one page.
    public var html: String { page().html }

    /// The answer as a page, with further content below its first words.
    public func page(_ further: [Markup] = [], refreshSeconds: Int? = nil) -> Page {
        // Folded sections are a list of contents themselves, and a drill's page has sixty.
        let open = sections.filter { $0.cover == nil }
        let contents = sections.count > 3 ? [Page.contents(open)] : []
        return Page(
            "\(subject) · \(kind.lowercased())",
            [header] + further + contents + sections.compactMap(\.markup),
            refreshSeconds: refreshSeconds)
    }

    private var header: Markup {
        let style =
            switch verdict?.isGood {
            case true?: "passed"
            case false?: "failed"
            case nil: "answered"
            }
        let mark = verdict.map { [Markup("span", ["class": "verdict"], $0.marked), .text(" ")] }
        let points = remarks.map { Markup("li", [:], [.prose($0)]) }
        return Markup(
            "header", ["class": style],
            [
                Markup(
                    "p", ["class": "brand"],
                    "Squall \(SquallVersion.current) · \(kind.lowercased()) of \(subject)"),
                Markup("h1", isLong ? ["class": "long"] : [:], (mark ?? []) + [.prose(sentence)]),
            ] + (question.isEmpty ? [] : [Markup("p", ["class": "question"], question)])
                + (points.isEmpty ? [] : [Markup("ul", ["class": "findings"], points)])
                + [Page.list("facts", facts.map { ($0.name, .prose($0.value)) })]
                + (replayCommand.isEmpty ? [] : [replay]))
    }

    /// True if the sentence is more than a heading: it would fill half a screen in its size.
    private var isLong: Bool { sentence.count > 120 }

    private var replay: Markup {
        Markup(
            "p", ["class": "replay"],
            [.text("Repeat: "), Markup("code", replayCommand)])
    }
}
