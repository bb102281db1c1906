import Foundation
import SquallFormat

extension NumberBook {
    /// Goes through a page and holds every number in it against the summary.
    mutating func readPage(_ page: XMLTree) {
        for part in page.elements("main").flatMap(\.children) { read(part, in: "page") }
    }

    private mutating func read(_ part: XMLTree.Element, in section: String) {
        let kind = part.attributes["class"] ?? ""
        if ["script", "nav", "footer", "svg"].contains(part.name) { return }
        if ["note", "question", "replay", "brand", "zoom", "x", "y"].contains(kind) { return }
        if ["words"].contains(part.attributes["id"]) { return }
        let section = part.attributes["id"] ?? section
        switch (part.name, kind) {
        case ("p", "") where section == "transient": readTransient(part.text, at: "page")
        case ("table", _): readTable(part, in: section)
        case ("ul", "points"): readPoints(part, in: section)
        case ("figcaption", _), ("abbr", _): break
        case (_, "tiles"): part.children.forEach { readTile($0.children.map(\.text)) }
        case (_, "facts"): part.children.forEach { readFact($0.children.map(\.text)) }
        case ("details", "example"): readExample(part)
        case (_, "answer"): readAnswer(part.text, at: "the page's answer")
        case (_, "reason"): expect(part.text, among: texts("reason"), at: "the page's reason")
        default:
            if !Self.isKnown(part, in: section, summary) {
                readSentence(part.ownText, at: "page, \(section)")
            }
            part.children.forEach { read($0, in: section) }
        }
    }

    /// Whether an element's own text has a name in it that may have digits, and nothing else.
    private static func isKnown(
        _ part: XMLTree.Element, in section: String, _ summary: JSONNode
    ) -> Bool {
        part.ownText.allSatisfy { !$0.isNumber }
            || part.name == "h1" && part.ownText.hasSuffix(summary["profile"]?.string ?? "")
            || (part.attributes["class"] ?? "").hasPrefix("mark-label")
    }

    private mutating func readTable(_ table: XMLTree.Element, in section: String) {
        let headings = table.elements("th").map(\.text)
        let rows = table.elements("tr").dropFirst().map { row in row.elements("td") }
        if let first = headings.first, ["time", "percentile"].contains(first) {
            return readChart(headings, Array(rows), in: section)
        }
        let named = headings.filter { !$0.isEmpty }
        let known = Self.pageTables.first { named.allSatisfy($0.columns.keys.contains) }
        guard let known else {
            return refuse("page, \(section): nothing explains the table \(named)")
        }
        let shown = rows.map { cells in
            Dictionary(
                zip(headings, cells.map(\.text)).filter { !$0.0.isEmpty },
                uniquingKeysWith: { first, _ in first })
        }
        check(known, named, shown, at: "page, \(section)")
    }

    /// What is said one below the other: as many as the summary has, each with its words.
    private mutating func readPoints(_ list: XMLTree.Element, in section: String) {
        let (way, members) =
            switch section {
            case "findings": ("findings", ["headline", "detail", "example", "lookAt"])
            case "self-checks": ("selfChecks", ["name", "detail"])
            default: (section, [])
            }
        let rows = summary[way]?.list ?? []
        expect("\(list.elements("li").count)", among: ["\(rows.count)"], at: "page, \(section)")
        for (point, row) in zip(list.elements("li"), rows) {
            let words = row.string.map { [$0] } ?? members.compactMap { row[$0]?.string }
            for word in words where !word.isEmpty {
                expect("\(point.text.contains(word))", among: ["true"], at: "page: \(word)")
            }
        }
    }

    private mutating func readTile(_ parts: [String]) {
        guard parts.count == 3 else { return refuse("a tile of \(parts)") }
        let (name, value) = (parts[0], parts[1])
        let right: [String]
        switch name {
        case "slowest step, p95":
            let row = (summary["steps"]?.list ?? []).first { step in
                let words = ["journey", "step"].map { step[$0]?.string ?? "" }
                let place = words.joined(separator: " · ")
                return [place, "\(place), \(step["population"]?.string ?? "")"].contains(parts[2])
            }
            right = row.map { NumberColumn.latency("p95").texts([$0]) } ?? ["–"]
        case "attempt on the wire, p95":
            right = [NumberColumn.duration(total("request_duration", "p95"))]
        case "steps that failed or hung":
            right = [total("step_failed", "value").map(Units.percent) ?? "–"]
        case "refreshes per expiry":
            right = [refreshesPerExpiry(parts[2])]
        case "request amplification":
            let layers = summary.at("retries.amplification")?.list ?? []
            right = [layers.last?["factor"]?.number.map(Units.threeDigits) ?? "–"]
        default: return refuse("nothing explains the tile \(name)")
        }
        expect(value, among: right, at: "the tile \(name)")
    }

    private func refreshesPerExpiry(_ remark: String) -> String {
        let whole = summary.at("refreshes.refreshesPerExpiry")?.number
        let row = (summary["populations"]?.list ?? []).first {
            remark.hasPrefix(($0["name"]?.string ?? "") + ", the worst")
        }
        return (whole ?? row?["refreshesPerExpiry"]?.number).map(Units.threeDigits) ?? "–"
    }

    private mutating func readFact(_ parts: [String]) {
        let right: [String]
        switch parts.first {
        case "users": right = NumberColumn.count(summary["users"]?.number ?? 0)
        case "virtual time": right = [NumberColumn.duration(summary["virtualNs"]?.number)]
        case "without load at the end":
            let drain =
                (summary["virtualNs"]?.number ?? 0)
                - (summary["measuredUntilNs"]?.number ?? 0)
            right = [NumberColumn.duration(drain)]
        case "measured from": right = [NumberColumn.duration(summary["measuredFromNs"]?.number)]
        case "attempts": right = NumberColumn.count(total("requests", "count") ?? 0)
        case "seed": right = [NumberColumn.count(summary["seed"]?.number ?? 0)[0], "seed"]
        case "digest": right = texts("digest")
        default: return refuse("nothing explains the fact \(parts)")
        }
        expect(
            parts.last ?? "", among: right + [Self.digits(summary["seed"])],
            at: "the fact \(parts)")
    }

    /// One user's requests: each attempt's outcome, beginning and length.
    private mutating func readExample(_ part: XMLTree.Element) {
        let title = part.elements("summary").first?.text ?? ""
        let example = (summary["examples"]?.list ?? []).first { row in
            let moment = NumberColumn.duration(row["startNs"]?.number)
            let words = ["journey", "step", "outcome"].map { row[$0]?.string ?? "" }
            return title.hasSuffix(
                ": user \(Self.digits(row["user"])) at \(moment), \(words[0]) · \(words[1]),"
                    + " ended in \(words[2])")
        }
        guard let attempts = example?["attempts"]?.list else {
            return refuse("no example of the summary is '\(title)'")
        }
        let start = attempts.compactMap { $0["startNs"]?.number }.min() ?? 0
        let right = attempts.map { attempt in
            let from = attempt["startNs"]?.number ?? 0
            let length = (attempt["endNs"]?.number ?? 0) - from
            let offset = from > start ? NumberColumn.duration(from - start) : "0"
            return "\(attempt["outcome"]?.string ?? "") · +\(offset)"
                + " · \(NumberColumn.duration(length))"
        }
        for row in part.elements("div") where row.attributes["class"] == "call" {
            let words = row.elements("span").map(\.text)
            expect(words.last ?? "", among: right, at: "the requests of '\(title)'")
        }
    }

    /// The texts of a member.
    func texts(_ way: String) -> [String] { [summary.at(way)?.string ?? ""] }

    /// A value of a metric's total.
    func total(_ metric: String, _ value: String) -> Double? {
        (summary["metrics"]?.list ?? []).first {
            $0["name"]?.string == metric && $0["tags"]?.members.isEmpty == true
        }?.at("values.\(value)")?.number
    }

    static func digits(_ node: JSONNode?) -> String {
        if case .number(let digits)? = node?.value { digits } else { "" }
    }
}
