import SquallFormat

/// A table whose numbers are aligned, and which a script may sort.
struct DataTable {
    /// One cell.
    struct Cell {
        let content: [Markup]
        /// What the cell is sorted by; numbers have one, texts are sorted as they are.
        let key: String?
        let kind: String

        static func text(_ text: String) -> Cell {
            Cell(content: [.text(text)], key: nil, kind: "t")
        }

        /// Words that may need several lines.
        static func prose(_ text: String) -> Cell {
            Cell(content: [.prose(text)], key: nil, kind: "p")
        }

        /// A name so many levels below the top of a tree.
        static func indented(_ name: String, depth: Int) -> Cell {
            let style = "padding-left:\(Shape.number(Double(depth) * 1.2))em"
            return Cell(
                content: [Markup("span", ["style": style], name)], key: nil, kind: "t")
        }

        static func count(_ count: Int64) -> Cell {
            Cell(content: [.text(Units.grouped(count))], key: "\(count)", kind: "n")
        }

        /// A latency of a distribution; nothing where there was no value.
        static func latency(_ value: Int64, of latency: LatencySummary) -> Cell {
            latency.count > 0 ? duration(value) : number(nil)
        }

        static func duration(_ nanoseconds: Int64) -> Cell {
            Cell(
                content: [.text(Units.approximate(nanoseconds: nanoseconds))],
                key: "\(nanoseconds)", kind: "n")
        }

        static func number(_ number: Double?, unit: String = "") -> Cell {
            guard let number else { return Cell(content: [.text("–")], key: "-1", kind: "n") }
            return Cell(
                content: [.text(Units.threeDigits(number) + unit)], key: "\(number)", kind: "n")
        }

        static func percent(_ share: Double?) -> Cell {
            number(share.map { $0 * 100 }, unit: " %")
        }

        /// A bar as long as a share of the cell's width, with its words beside it.
        static func bar(_ share: Double, _ colour: String) -> Cell {
            let width = Shape.number(max(0, min(1, share)) * 100)
            return Cell(
                content: [Markup("i", ["class": "bar \(colour)", "style": "width:\(width)%"])],
                key: "\(share)", kind: "b")
        }

        /// A link to a part of the page.
        static func link(_ title: String) -> Cell {
            let link = Markup("a", ["href": "#\(PageAnchor.of(title))"], title)
            return Cell(content: [link], key: nil, kind: "t")
        }

        /// A mark and a short name.
        static func mark(_ isGood: Bool, _ name: String) -> Cell {
            Cell(content: sign(isGood) + [.text(name)], key: nil, kind: "t")
        }

        /// A number as it was written, or what stands in its place, with a mark where there is one.
        static func number(_ text: String, sortedBy number: Double?, isGood: Bool?) -> Cell {
            Cell(
                content: (isGood.map(sign) ?? []) + [.text(text)], key: number.map { "\($0)" },
                kind: "n")
        }

        /// Whether and when things were as before again.
        static func recovery(_ recovery: Recovery) -> Cell {
            switch recovery {
            case .after(let span): Cell(content: [.text(recovery.words)], key: "\(span)", kind: "n")
            case .never, .metastable: .mark(false, recovery.words)
            case .unknown: .text(recovery.words)
            }
        }

        /// A mark and words that may need several lines.
        static func verdict(_ isGood: Bool, _ words: String, isShown: Bool = true) -> Cell {
            Cell(content: (isShown ? sign(isGood) : []) + [.prose(words)], key: nil, kind: "p")
        }

        private static func sign(_ isGood: Bool) -> [Markup] {
            [Markup("b", ["class": isGood ? "good" : "bad"], isGood ? "✓ " : "✗ ")]
        }
    }

    let headings: [String]
    let rows: [[Cell]]
    /// Where each row is along the horizontal axis of the chart that the table belongs to.
    var places: [Double] = []

    /// The table, in a frame of its own that scrolls when the page is too narrow for it.
    ///
    /// Stacked rows of words stand below each other on a narrow page.
    func markup(isSortable: Bool = false, isStacked: Bool = false) -> Markup {
        let head = headings.enumerated().map { index, heading in
            Markup(
                "th", ["scope": "col", "class": rows.first?[index].kind ?? "t"],
                [PageGlossary.explained(heading)])
        }
        let body = rows.enumerated().map { number, cells in
            let content = cells.map(\.markup)
            guard places.indices.contains(number) else { return Markup("tr", [:], content) }
            return Markup("tr", ["data-at": Shape.number(places[number] * 1_000)], content)
        }
        let table = Markup(
            "table", ["class": isSortable ? "sortable" : isStacked ? "stacked" : "plain"],
            [Markup("thead", [:], [Markup("tr", [:], head)]), Markup("tbody", [:], body)])
        return Markup("div", ["class": "scroll", "tabindex": "0"], [table])
    }
}

extension DataTable.Cell {
    fileprivate var markup: Markup {
        guard let key else { return Markup("td", ["class": kind], content) }
        return Markup("td", ["class": kind, "data-key": key], content)
    }
}
