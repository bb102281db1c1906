import SquallFormat

/// What the words of the page mean.
struct GlossaryPanel: Panel {
    init(_ run: SavedRun) {}

    let title = "Words"
    let note = "Each has one meaning, here and in every other output."
    let absence = ""

    var content: [Markup] {
        let entries = Glossary.entries.map { entry in
            Markup("div", [:], [Markup("dt", entry.word), Markup("dd", entry.meaning)])
        }
        return [Markup("dl", ["class": "words"], entries)]
    }
}
