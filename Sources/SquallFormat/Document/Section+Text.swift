extension Section {
    /// The section as paragraphs of lines; each table with a title has its own paragraph.
    public func paragraphs(_ style: TerminalStyle, width: Int, margin: Int = 12) -> [[String]] {
        var paragraphs: [[String]] = []
        for block in blocks {
            let lines = block.lines(style, width: width, margin: margin)
            guard !lines.isEmpty else { continue }
            if paragraphs.isEmpty { paragraphs.append(style.heading(title, width)) }
            if let name = block.title {
                let isFirst = paragraphs.count == 1 && paragraphs[0].count == 1
                if !isFirst { paragraphs.append([]) }
                paragraphs[paragraphs.count - 1] += style.heading(name, width)
            }
            paragraphs[paragraphs.count - 1] += lines
        }
        return paragraphs
    }

    /// The section in a brief text.
    public func brief(_ style: TerminalStyle, width: Int) -> [[String]] {
        blocks.compactMap { block in
            guard block.isBrief else { return nil }
            let lines = block.lines(style, width: width, margin: 12, isBrief: true)
            return lines.isEmpty ? nil : style.heading(block.title ?? title, width) + lines
        }
    }

    /// True if the full text has more than so many parts of the brief one.
    public func hasMore(thanBrief parts: Int) -> Bool {
        let shown = blocks.filter(\.isInText)
        return shown.count > parts || shown.contains(where: \.isShortenedInBrief)
    }
}

extension TerminalStyle {
    fileprivate func heading(_ title: String, _ width: Int) -> [String] {
        WordWrap.lines(title, width: width).map(bold)
    }
}

extension Block {
    fileprivate var title: String? {
        guard case .table(let table) = self, !table.title.isEmpty else { return nil }
        return table.title
    }

    fileprivate var isBrief: Bool {
        switch self {
        case .table(let table): table.isBrief
        case .points(let points): points.contains { $0.lookAt != nil }
        case .sentence, .entries, .picture: false
        }
    }

    fileprivate var isInText: Bool {
        guard case .table(let table) = self else { return !isEmpty }
        return !isEmpty && !table.isOnPageOnly
    }

    /// True if the brief text leaves out words of it.
    fileprivate var isShortenedInBrief: Bool {
        guard case .points(let points) = self else { return false }
        return points.contains { $0.isShort && (!$0.detail.isEmpty || $0.lookAt != nil) }
    }

    /// The block on a terminal.
    fileprivate func lines(
        _ style: TerminalStyle, width: Int, margin: Int, isBrief: Bool = false
    ) -> [String] {
        switch self {
        case .table(let table):
            table.isOnPageOnly ? [] : table.lines(style, width: width, margin: margin)
        case .sentence(let text):
            WordWrap.lines(text.visible, width: min(width, 100), first: "  ", rest: "  ")
        case .points(let points):
            points.flatMap { $0.lines(style, width, isBrief: isBrief && $0.isShort) }
        case .entries(let entries):
            entries.flatMap { entry in
                entry.lines(style, width, nameWidth: entries.map(\.name.count).max() ?? 0)
            }
        case .picture(let picture): picture.lines(style, width: width)
        }
    }
}

extension Entry {
    fileprivate func lines(_ style: TerminalStyle, _ width: Int, nameWidth: Int) -> [String] {
        let space = String(repeating: " ", count: nameWidth - name.count + 2)
        let first = "  " + name + space
        let rest = String(repeating: " ", count: first.count)
        switch kind {
        case .command: return [first + value.visible]
        case .plain: return WordWrap.lines(value.visible, width: width, first: first, rest: rest)
        case .critical:
            return WordWrap.lines(value.visible, width: width, first: first, rest: rest)
                .map(style.yellow)
        }
    }
}

extension Point {
    fileprivate func lines(_ style: TerminalStyle, _ width: Int, isBrief: Bool) -> [String] {
        let sign = isGood.map { $0 ? "✓ " : "✗ " } ?? "· "
        let more = isBrief ? "" : detail + (lookAt.map { " See \($0)." } ?? "")
        return WordWrap.lines(
            head.visible, width: min(width, 100), first: "  " + sign, rest: "    "
        )
        .map(style.signs)
            + WordWrap.lines(more.visible, width: min(width, 100), first: "      ", rest: "      ")
    }
}
