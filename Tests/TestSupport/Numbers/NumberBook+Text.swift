import Foundation
import SquallFormat

extension NumberBook {
    /// Goes through a full text, section by section, and holds every number against the summary.
    mutating func readText(_ text: String) {
        let sections = text.components(separatedBy: "\n\n").flatMap {
            Self.tables(of: $0.split(separator: "\n").map(String.init))
        }
        for (number, lines) in sections.enumerated() {
            guard let head = lines.first else { continue }
            if number == 0 || number == sections.count - 1 {
                readEdge(lines)
            } else if let known = Self.textTables.first(where: { Self.title(of: head) == $0.title })
            {
                readTable(known.table, lines)
            } else {
                readProse(head, Array(lines.dropFirst()))
            }
        }
    }

    /// A section, in parts where further tables follow its first one.
    private static func tables(of lines: [String]) -> [[String]] {
        lines.reduce(into: []) { parts, line in
            if parts.isEmpty || depthTitles.contains(title(of: line)) {
                parts.append([line])
            } else {
                parts[parts.count - 1].append(line)
            }
        }
    }

    private static func title(of head: String) -> String {
        head.split(separator: /\ \ +/).first.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }

    /// The first and the last lines: the verdict, the answer and facts.
    private mutating func readEdge(_ lines: [String]) {
        let known =
            [texts("reason")[0], texts("question")[0], texts("replay")[0]]
            + (summary["answer"]?.list ?? []).compactMap(\.string)
        var rest = lines.joined(separator: " ")
        if let answer = summary["answer"]?.list.compactMap(\.string).joined(separator: " ") {
            readAnswer(answer, at: "the text's answer")
            if !rest.contains(answer) { refuse("the text does not hold the answer '\(answer)'") }
        }
        for words in known { rest = rest.replacing(words, with: "") }
        for line in lines where rest.contains(line) { readSentence(line, at: "the text's edge") }
    }

    /// Sections of sentences, and lists of marks.
    private mutating func readProse(_ head: String, _ lines: [String]) {
        let title = head.split(separator: ":").first.map(String.init) ?? head
        switch title {
        case "Findings", "Self-checks", "Assumptions", "Hangs":
            readSentence(head.hasPrefix("Self") ? "" : head, at: "text")
            readMarks(title, lines)
        case "Thresholds": readThresholds(lines)
        case "Causes of attempts": readCauses(lines)
        case "Refreshes", "Server":
            let table = lines.firstIndex { Self.title(of: $0) == "waiting" } ?? lines.endIndex
            for sentence in Self.sentences(lines[..<table]) {
                readLine(sentence, at: "text, \(head)")
            }
            if let waiting = Self.waiting, table < lines.endIndex {
                readTable(waiting, Array(lines[table...]))
            }
        case "Transient": readTransient(Self.sentences(lines[...])[0], at: "text")
        default: refuse("nothing explains the section '\(head)' of the text")
        }
    }

    /// Lines that must be the words of the summary's rows, however they are broken.
    private mutating func readMarks(_ title: String, _ lines: [String]) {
        let members: [String: [String]] = [
            "Findings": ["headline", "detail", "example"], "Self-checks": ["name", "detail"],
            "Assumptions": [], "Hangs": [],
        ]
        let lists = [
            "Findings": "findings", "Self-checks": "selfChecks", "Assumptions": "assumptions",
        ]
        guard let list = lists[title] else { return }
        let all = lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        for row in summary[list]?.list ?? [] {
            let words =
                row.string.map { [$0] }
                ?? (members[title] ?? []).map {
                    row[$0]?.string ?? ""
                }
            for word in words where !word.isEmpty {
                expect("\(all.contains(word))", among: ["true"], at: "text: \(word)")
            }
        }
    }

    private mutating func readThresholds(_ lines: [String]) {
        let right = (summary["thresholds"]?.list ?? []).map { row in
            [row["metric"]?.string ?? "", row["expression"]?.string ?? ""]
                + NumberColumn.observed.texts([row]).suffix(1)
                + NumberColumn.remark.texts([row]).filter { !$0.isEmpty }
        }
        expect("\(lines.count)", among: ["\(right.count)"], at: "the text's thresholds")
        for (line, cells) in zip(lines, right) {
            let shown = line.dropFirst(4).split(separator: /\ \ +/).map(String.init)
            expect("\(shown)", among: ["\(cells)"], at: "the text's thresholds")
        }
    }

    /// The tree of causes, and sentences below it.
    private mutating func readCauses(_ lines: [String]) {
        let rows = Self.causes(summary)
        var sentences: [String] = []
        for line in lines {
            let cells = line.split(separator: /\ \ +/).map(String.init)
            guard cells.count == 3 else {
                sentences.append(line)
                continue
            }
            guard let row = rows.first(where: { $0.at("name")?.string == cells[0] }) else {
                refuse("no cause of attempts is called \(cells[0])")
                continue
            }
            expect(
                cells[1], among: NumberColumn.count("attempts").texts(row), at: "text, \(cells[0])")
            expect(
                cells[2], among: NumberColumn.quotient("attempts", "all", percent: true).texts(row),
                at: "text, \(cells[0])")
        }
        for sentence in Self.sentences(sentences[...]) {
            readSentence(sentence, at: "text, causes")
        }
    }

    /// Lines of words, each with those that it goes on in.
    private static func sentences(_ lines: ArraySlice<String>) -> [String] {
        lines.reduce(into: []) { sentences, line in
            let words = line.trimmingCharacters(in: .whitespaces)
            if line.hasPrefix("    "), let last = sentences.popLast() {
                sentences.append("\(last) \(words)")
            } else {
                sentences.append(words)
            }
        }
    }

    /// A line of which there are several like it, or a sentence.
    private mutating func readLine(_ sentence: String, at place: String) {
        switch sentence.split(separator: " ").first {
        case "peak": readWindow(sentence)
        case "and" where sentence.contains("more peak"):
            let rest = (summary.at("stormView.windows")?.list ?? []).count - 5
            let right = "and \(Units.counted(rest, "more peak"))"
            expect(sentence, among: [right], at: place)
        case "pool": expect(sentence, among: pools, at: place)
        case "database:": expect(sentence, among: [database], at: place)
        default: readSentence(sentence, at: place)
        }
    }

    private var pools: [String] {
        (summary.at("serverView.pools")?.list ?? []).map { row in
            let text = { (column: NumberColumn) in column.texts([row])[0] }
            return "pool \(text(.words("name", empty: "all other calls"))):"
                + " \(text(.number("meanWorkers"))) workers"
                + " busy \(text(.percent("utilisation"))) of the time"
                + " · line \(text(.number("meanQueue"))) on average,"
                + " \(text(.count("longestQueue"))) at most"
        }
    }

    private var database: String {
        let row = [summary.at("serverView.database")].compactMap(\.self)
        let text = { (column: NumberColumn) in column.texts(row)[0] }
        return "database: \(text(.number("meanBusy"))) of \(text(.count("connections")))"
            + " connections in use · \(text(.number("meanQueue")))"
            + " workers wait for one on average,"
            + " \(text(.count("longestQueue"))) at most"
            + " · wait mean \(text(.duration("waitNs.mean"))),"
            + " p99 \(text(.duration("waitNs.p99")))"
    }

    /// A peak of refreshes.
    private mutating func readWindow(_ sentence: String) {
        let right = (summary.at("stormView.windows")?.list ?? []).map { row in
            let text = { (column: NumberColumn) in column.texts([row])[0] }
            return "peak \(text(.duration("startNs")))–\(text(.duration("endNs"))):"
                + " \(text(.count("refreshes"))) refreshes,"
                + " \(text(.number("peakPerSecond")))/s at \(text(.duration("peakNs"))),"
                + " \(text(.count("held"))) held, \(text(.count("signOuts"))) signed out,"
        }
        let begin = right.first { sentence.hasPrefix($0) }
        expect(begin ?? sentence, among: right, at: "text, peaks")
    }

    /// The lines of a table: each cell belongs to the heading with which it is aligned.
    private mutating func readTable(_ table: NumberTable, _ lines: [String]) {
        let headings = Self.cells(lines[0]).dropFirst()
        var owner: String?
        var shown: [[String: String]] = []
        for line in lines.dropFirst() {
            let cells = Self.cells(line)
            guard let first = cells.first else { continue }
            if cells.count == 1, headings.count > 1 {
                owner = first.text
                continue
            }
            var row = ["": first.text]
            row["population"] = owner
            for cell in cells.dropFirst() {
                if let heading = headings.first(where: {
                    $0.start == cell.start || $0.end == cell.end
                }) {
                    row[heading.text] = cell.text
                } else if cell.text.contains(where: \.isNumber) {
                    refuse("text, \(Self.title(of: lines[0])): \(cell.text) is in no column")
                }
            }
            shown.append(row)
        }
        check(
            table, ["", "population"] + headings.map(\.text), shown,
            at: "text, \(Self.title(of: lines[0]))")
    }

    private static func cells(_ line: String) -> [(text: String, start: Int, end: Int)] {
        let characters = Array(line)
        var cells: [(text: String, start: Int, end: Int)] = []
        var start: Int?
        for index in characters.indices.map({ $0 }) + [characters.count] {
            let isGap =
                index == characters.count
                || characters[index] == " "
                    && (index + 1 == characters.count || characters[index + 1] == " "
                        || start == nil)
            if !isGap, start == nil { start = index }
            if isGap, let from = start {
                cells.append((String(characters[from..<index]), from, index))
                start = nil
            }
        }
        return cells
    }
}
