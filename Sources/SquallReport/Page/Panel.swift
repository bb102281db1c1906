import SquallFormat

/// A part of the page with a heading of its own.
protocol Panel {
    init(_ run: SavedRun)

    var title: String { get }
    /// How to read it, in a sentence or two.
    var note: String { get }
    /// What it shows; empty when the run has nothing of the kind.
    var content: [Markup] { get }
    /// What is said in place of a content that is not there.
    var absence: String { get }
}

extension Panel {
    /// The part with what it shows, which is drawn once.
    func markup(showing content: [Markup]) -> Markup {
        let body =
            content.isEmpty
            ? [Markup("p", ["class": "absent"], absence)]
            : [Markup("p", ["class": "note"], note)] + content
        return Markup(
            "section", ["id": PageAnchor.of(title)], [Markup("h2", title)] + body)
    }
}
