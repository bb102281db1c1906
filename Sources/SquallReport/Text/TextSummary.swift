public import SquallFormat

/// A run's summary as text for a terminal.
///
/// The answer comes first. The verdict is again the last line, which stays on the screen; the full
/// text repeats the answer above it.
///
/// The brief text has at most ``linesAtMost`` lines; the full one has everything. No line is wider
/// than the given width, from 40 columns on, except a word or command that is wider itself.
public struct TextSummary {
    /// The most lines that a brief text has.
    static let linesAtMost = 60
    /// The widths that a text can have.
    static let widths = 40...200
    /// The most lines of one section in a brief text.
    private static let sectionLinesAtMost = 12
    /// The lines that findings have at least: a title, four of them and how many more there are.
    private static let findingLinesAtLeast = 6

    private let summary: RunSummary
    private let style: TerminalStyle
    private let width: Int
    private let isFull: Bool

    /// The text of a summary, coloured or not; a width outside ``widths`` is clamped.
    public init(_ summary: RunSummary, style: TerminalStyle, width: Int = 80, isFull: Bool = false)
    {
        self.summary = summary
        self.style = style
        self.width = min(max(width, Self.widths.lowerBound), Self.widths.upperBound)
        self.isFull = isFull
    }

    /// The whole text, every line ended by a line feed.
    public var text: String {
        let middle = isFull ? full : brief
        return ([head] + middle + [foot]).filter { !$0.isEmpty }.map { lines in
            lines.map { $0 + "\n" }.joined()
        }.joined(separator: "\n")
    }

    /// The verdict and its reason alone.
    public var verdictAlone: String { verdict.map { $0 + "\n" }.joined() }

    private var full: [[String]] {
        summary.sections().flatMap { $0.paragraphs(style, width: width) }
    }

    /// As many parts as fit, from the first, each with its first lines.
    private var brief: [[String]] {
        // The last part names what is left out; with its empty line it takes two lines or three.
        var room = Self.linesAtMost - head.count - foot.count - (width < 76 ? 5 : 4)
        let warning = summary.unsteadiness.map { prose($0.visible).map(style.yellow) } ?? []
        var shown = warning.isEmpty || warning.count >= room ? [] : [warning]
        room -= shown.isEmpty ? 0 : warning.count + 1
        var leftOut: [String] = []
        // Findings and thresholds, which judge the run, get their lines before what stands above.
        var kept = [
            (Section.findings(summary), Self.findingLinesAtLeast),
            (Section.thresholds(summary), Self.sectionLinesAtMost),
        ].map { section, most in
            let lines = section.brief(style, width: width).reduce(0) { $0 + $1.count + 1 }
            return (title: section.title, lines: min(lines, most + 1))
        }
        for section in summary.sections() {
            kept.removeAll { $0.title == section.title }
            let below = kept.reduce(0) { $0 + $1.lines }
            let parts = section.brief(style, width: width)
            var whole = 0
            for part in parts {
                let limit = min(Self.sectionLinesAtMost, room - below - 1)
                let isCut = part.count > limit
                // A title and a heading without a row say nothing.
                guard limit > (isCut ? 3 : 2) else { continue }
                let count = isCut ? limit - 1 : part.count
                let more = Units.counted(part.count - count, "more line")
                shown.append(part.prefix(count) + (isCut ? ["  \(more) with --full"] : []))
                whole += isCut ? 0 : 1
                room -= min(part.count, limit) + 1
            }
            if section.hasMore(thanBrief: whole) { leftOut.append(section.title) }
        }
        return shown + (leftOut.isEmpty ? [] : [notShown(leftOut)])
    }

    /// Names the sections of which the brief text does not have everything.
    private func notShown(_ sections: [String]) -> [String] {
        let named = sections.prefix(3).map { $0.prefix(1).lowercased() + $0.dropFirst() }
        let more = sections.count - named.count
        let rest = more > 0 ? ", and \(Units.counted(more, "more section"))" : ""
        return prose("More with --full: \(named.joined(separator: ", "))\(rest).").map {
            style.dim($0)
        }
    }

    private var head: [String] {
        var facts = [Units.counted(summary.users, "user"), summary.timeWords]
        if let count = summary.total(of: .requests)?.count {
            facts.append(Units.counted(count, "attempt"))
        }
        return verdict + prose(summary.question.visible) + prose(summary.overridden?.visible ?? "")
            + answer
            + prose(facts.joined(separator: " · "))
    }

    private var verdict: [String] {
        let word = summary.shownVerdict.words.uppercased() + "  "
        return prose("\(summary.profile): \(summary.reason)", first: word)
            .map { style.line($0, of: summary.shownVerdict) }
    }

    private var answer: [String] {
        prose(summary.answer.joined(separator: " ").visible).map { style.bold($0) }
    }

    private var foot: [String] {
        prose(summary.identity) + commandLines(summary.replay)
            + prose(summary.answeredBy("this process")).map { style.dim($0) }
            + (isFull ? answer : []) + verdict
    }

    /// A command over several lines, which a shell takes as one.
    private func commandLines(_ command: String) -> [String] {
        let parts = "repeat: \(command)".split(separator: " --").map(String.init)
        var lines: [String] = []
        for (index, part) in parts.enumerated() {
            let word = index == 0 ? part : "--\(part)"
            if let last = lines.last, last.count + 1 + word.count + 2 <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                if let last = lines.last { lines[lines.count - 1] = last + " \\" }
                lines.append(index == 0 ? word : "  \(word)")
            }
        }
        return lines
    }
}

extension RunSummary {
    /// The kind of time that the run was measured in.
    var kindOfTime: String { generator == nil ? "virtual time" : "real time" }

    /// Names the server that responded, in a sentence; `process` did where nothing was sent.
    func answeredBy(_ process: String) -> String {
        generator.map { "Every request was sent to \($0.target)." }
            ?? "No packet was sent: every request was answered inside \(process)."
    }

    /// The identity of the run in its repetitions; real time repeats no digest.
    fileprivate var identity: String {
        generator == nil ? "seed \(seed) · digest \(digest.text)" : "seed \(seed)"
    }

    /// The total time, the measured time and the drain, in words.
    fileprivate var timeWords: String {
        var words = "\(Units.approximate(nanoseconds: virtualNanoseconds)) of \(kindOfTime)"
        if measuredFromNanoseconds > 0 {
            words +=
                ", the first \(Units.approximate(nanoseconds: measuredFromNanoseconds))"
                + " (warm-up) excluded"
        }
        if drainNanoseconds > 0 {
            words +=
                ", the last \(Units.approximate(nanoseconds: drainNanoseconds)) ramp-down, which is"
                + " in counts and not in rates"
        }
        return words
    }
}

extension TextSummary {
    /// Lines of prose, which are kept narrow enough to read well.
    private func prose(_ text: String, first: String = "") -> [String] {
        WordWrap.lines(text.visible, width: min(width, 100), first: first)
    }
}
