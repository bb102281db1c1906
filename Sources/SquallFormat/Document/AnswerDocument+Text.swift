extension AnswerDocument {
    /// The width of an answer where no terminal has another one.
    public static let width = 100

    /// The answer for a terminal of the given width; charts are on the page only.
    public func text(_ style: TerminalStyle, width: Int = width) -> String {
        var lines = headline(style, width)
        let proseWidth = isBrief ? width : min(width, 80)
        if !question.isEmpty { lines += WordWrap.lines(question.visible, width: proseWidth) }
        if !isBrief { lines += [""] + WordWrap.lines(sentence.visible, width: proseWidth) }
        lines += remarks.flatMap {
            WordWrap.lines($0.visible, width: proseWidth, first: "· ", rest: "  ")
        }
        for section in sections {
            lines += section.paragraphs(style, width: width, margin: width / 2).flatMap {
                [""] + $0
            }
        }
        if !facts.isEmpty { lines += [""] + facts.map { "\($0.name): \($0.value)" } }
        if !replayCommand.isEmpty { lines.append("repeat: \(replayCommand)") }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The verdict alone, for a terminal of the given width.
    public func verdictAlone(_ style: TerminalStyle, width: Int = width) -> String {
        let lines = isBrief ? headline(style, width) : [sentence.visible]
        return lines.map { $0 + "\n" }.joined()
    }

    private func headline(_ style: TerminalStyle, _ width: Int) -> [String] {
        let about = subject.isEmpty ? kind : "\(kind) of \(subject)"
        let words = isBrief ? subject.isEmpty ? sentence : "\(subject): \(sentence)" : about
        let first = verdict.map { $0.rawValue.uppercased() + "  " } ?? ""
        return WordWrap.lines(words.visible, width: width, first: first).map { line in
            guard let verdict else { return style.bold(line) }
            return switch verdict.isGood {
            case true?: style.bold(style.green(line))
            case false?: style.bold(style.red(line))
            case nil: style.bold(style.yellow(line))
            }
        }
    }
}
