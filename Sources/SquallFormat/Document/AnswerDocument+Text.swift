extension AnswerDocument {
    /// The width of an answer where no terminal has another one.
    public static let width = 100

    /// The most lines of a brief text.
    public static let linesAtMost = 60
    /// The lines of a usual terminal.
    private static let screenLines = 24
    /// Fewer lines of a paragraph say nothing: its heading, a row, and how many are left out.
    private static let paragraphLines = 3...linesAtMost

    /// The answer for a terminal of the given width; charts are on the page only.
    public func text(_ style: TerminalStyle, width: Int = width) -> String {
        Self.text(head(style, width) + paragraphs(style, width).flatMap(\.self) + foot)
    }

    /// The answer in at most ``linesAtMost`` lines, or all of it if `isFull`.
    ///
    /// What fills a screen ends with the headline again. `wayToAll` says what shows all lines.
    public func text(
        _ style: TerminalStyle, width: Int, isFull: Bool, wayToAll: String = "--full prints"
    ) -> String {
        let whole = head(style, width) + paragraphs(style, width).flatMap(\.self) + foot
        guard whole.count > Self.linesAtMost else { return Self.text(whole) }
        let shown = isFull ? whole : brief(style, width, of: whole.count, wayToAll)
        let isLong = shown.count > Self.screenLines
        return Self.text(isLong ? shown + [""] + headline(style, width) : shown)
    }

    private func brief(
        _ style: TerminalStyle, _ width: Int, of count: Int, _ wayToAll: String
    ) -> [String] {
        var short = self
        short.remarks = briefRemarks ?? remarks
        short.sections = briefSections ?? sections
        let more = ["", style.dim("\(wayToAll) all \(Units.grouped(Int64(count))) lines.")]
        let around = short.head(style, width) + more + headline(style, width) + [""]
        let room = Self.linesAtMost - around.count
        var parts = short.paragraphs(style, width)
        while !parts.isEmpty {
            for most in Self.paragraphLines.reversed() {
                let cut = parts.map { Self.cut($0, to: most) }
                guard cut.reduce(0, { $0 + $1.count }) <= room else { continue }
                return short.head(style, width) + cut.flatMap(\.self) + more
            }
            parts.removeLast()
        }
        return short.head(style, width) + more
    }

    private static func cut(_ paragraph: [String], to most: Int) -> [String] {
        // The empty line before it counts too.
        guard paragraph.count > most + 1 else { return paragraph }
        let left = paragraph.count - most
        return paragraph.prefix(most) + ["  … \(Units.counted(left, "more line"))"]
    }

    private static func text(_ lines: [String]) -> String { lines.map { $0 + "\n" }.joined() }

    private func paragraphs(_ style: TerminalStyle, _ width: Int) -> [[String]] {
        sections.flatMap { section in
            section.paragraphs(style, width: width, margin: width / 2).map { lines in
                [""] + (lines.last == "" ? lines.dropLast() : lines)
            }
        }
    }

    private var foot: [String] {
        (facts.isEmpty ? [] : [""] + facts.map { "\($0.name): \($0.value)" })
            + (replayCommand.isEmpty ? [] : ["repeat: \(replayCommand)"])
    }

    private func head(_ style: TerminalStyle, _ width: Int) -> [String] {
        var lines = headline(style, width)
        let proseWidth = isBrief ? width : min(width, 80)
        if !question.isEmpty { lines += WordWrap.lines(question.visible, width: proseWidth) }
        if !isBrief { lines += [""] + WordWrap.lines(sentence.visible, width: proseWidth) }
        lines += remarks.flatMap {
            WordWrap.lines($0.visible, width: proseWidth, first: "· ", rest: "  ")
        }
        return lines
    }

    /// The verdict alone, for a terminal of the given width.
    public func verdictAlone(_ style: TerminalStyle, width: Int = width) -> String {
        let lines = isBrief ? headline(style, width) : [sentence.visible]
        return lines.map { $0 + "\n" }.joined()
    }

    private func headline(_ style: TerminalStyle, _ width: Int) -> [String] {
        let about = subject.isEmpty ? kind : "\(kind) of \(subject)"
        let words = isBrief ? subject.isEmpty ? sentence : "\(subject): \(sentence)" : about
        let first = verdict.map { $0.words.uppercased() + "  " } ?? ""
        return WordWrap.lines(words.visible, width: width, first: first).map { line in
            verdict.map { style.line(line, of: $0) } ?? style.bold(line)
        }
    }
}
